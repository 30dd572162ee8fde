package dev.rockpool.internal;

/**
 * Makes a stack that is about to end do so now, before the first of several changes that a {@link
 * StackOverflowError} in their midst would leave half-made, to a list or a map for example.
 */
public final class StackSpace {
  /**
   * Some 8 KiB where C2 compiled this method, and more elsewhere; lists and maps take less than 20
   * frames.
   */
  private static final int FRAMES = 256;

  private StackSpace() {}

  /**
   * Fails unless there is stack for what follows.
   *
   * @throws StackOverflowError if there is not
   */
  public static void require() {
    descend(FRAMES);
  }

  /** Not to be turned into a loop: it still has to add when it comes back. */
  private static int descend(int frames) {
    return frames == 0 ? 0 : 1 + descend(frames - 1);
  }
}
