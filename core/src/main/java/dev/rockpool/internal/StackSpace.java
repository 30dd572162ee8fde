package dev.rockpool.internal;

/**
 * Provokes a {@link StackOverflowError} before a change of several steps, for example to a list or
 * a map. In the midst of the change, the error would leave the change half-made.
 */
public final class StackSpace {
  /**
   * Takes some 8 KiB once C2 has compiled this method, and more before. Lists and maps need fewer
   * than 20 frames.
   */
  private static final int FRAMES = 256;

  private StackSpace() {}

  /**
   * Ensures that there is stack for the caller's next calls.
   *
   * @throws StackOverflowError if there is too little stack
   */
  public static void require() {
    descend(FRAMES);
  }

  /**
   * Ensures that there is stack for that many frames, of 32 bytes each once C2 has compiled this,
   * and more before.
   *
   * @throws StackOverflowError if there is too little stack
   */
  public static void require(int frames) {
    descend(frames);
  }

  /** Adds after the recursive call, so that no compiler can turn the recursion into a loop. */
  private static int descend(int frames) {
    return frames == 0 ? 0 : 1 + descend(frames - 1);
  }
}
