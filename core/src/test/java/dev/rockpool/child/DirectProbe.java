package dev.rockpool.child;

import dev.rockpool.direct.DirectMemory;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

/** Uses direct memory until its limit refuses more, and says what it saw. */
final class DirectProbe {
  private DirectProbe() {}

  public static void main(String[] args) {
    DirectMemory memory;
    try {
      memory = DirectMemory.global();
    } catch (IllegalCallerException denied) {
      System.out.println("denied=" + denied);
      return;
    }
    System.out.println("limit=" + memory.limit());
    System.out.println("largest heap=" + Runtime.getRuntime().maxMemory());
    int part = Math.toIntExact(Math.min(1 << 20, memory.limit() / 4));
    try (Arena arena = memory.ofConfined()) {
      System.out.println("arena=" + arena.allocate(part).byteSize());
    }
    System.out.println("live=" + memory.reserved());
    System.out.println("buffer=" + allocate(memory, part));
    System.out.println("dropped and allocated again=" + allocateAndDrop(memory, part));
    System.out.println("too much=" + allocate(memory, memory.limit() - part));
  }

  private static String allocate(DirectMemory memory, long byteSize) {
    try {
      ByteBuffer buffer = memory.allocate(byteSize, 1).asSlice(0, 1).asByteBuffer();
      buffer.put(0, (byte) 1);
      return "allocated";
    } catch (OutOfMemoryError refused) {
      return refused.toString();
    }
  }

  /** Some times the limit, of which nothing is freed by hand; until it is refused. */
  private static String allocateAndDrop(DirectMemory memory, int part) {
    String last = "allocated";
    for (int i = 0; i < 40 && last.equals("allocated"); i++) {
      last = allocate(memory, part);
    }
    return last;
  }
}
