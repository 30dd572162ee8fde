package dev.rockpool.arena;

/**
 * Makes a stack that is about to end do so now, before the first change to lists and maps that a
 * {@link StackOverflowError} in their midst would leave broken.
 */
final class StackSpace {
  /**
   * Some 8 KiB where C2 compiled this method, and more elsewhere; the lists and the map take less
   * than 20 frames.
   */
  private static final int FRAMES = 256;

  private StackSpace() {}

  /**
   * Fails unless there is stack for what follows.
   *
   * @throws StackOverflowError if there is not
   */
  static void require() {
    descend(FRAMES);
  }

  /** Not to be turned into a loop: it still has to add when it comes back. */
  private static int descend(int frames) {
    return frames == 0 ? 0 : 1 + descend(frames - 1);
  }
}
