package dev.rockpool.bench.soak;

/** A promise of the pool was broken. */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1;

  Violation(String message) {
    super(message);
  }
}
