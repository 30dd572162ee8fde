package dev.rockpool.call;

/** Whether an adapted handle was invoked to the end once; see {@link CapturingCall} for why. */
final class FirstCall {
  /** From false to true, once; read without synchronisation: a late sight of it costs little. */
  private boolean completed;

  /** Whether the current thread may, and can, capture into a line of {@link CaptureLines}. */
  boolean mayUseLine() {
    return CaptureLines.isFirstChoice(Thread.currentThread()) || mayUseOther();
  }

  private boolean mayUseOther() {
    Thread current = Thread.currentThread();
    return current.isVirtual()
        ? completed && CaptureLines.carrierHasOne()
        : CaptureLines.hasOne(current);
  }

  void complete() {
    completed = true;
  }
}
