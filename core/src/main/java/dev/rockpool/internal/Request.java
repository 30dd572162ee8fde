package dev.rockpool.internal;

/** A request for memory, as arenas get it. */
public final class Request {
  private Request() {}

  /** Whether the JDK's arenas accept these; they throw for others. */
  public static boolean isValid(long byteSize, long byteAlignment) {
    return byteSize >= 0 && byteAlignment > 0 && Long.bitCount(byteAlignment) == 1;
  }
}
