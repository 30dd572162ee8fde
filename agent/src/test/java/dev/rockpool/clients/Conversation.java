package dev.rockpool.clients;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.function.IntFunction;

/** Does what each line says that it reads, and answers with a line. */
final class Conversation {
  private static final IntFunction<ByteBuffer> OLD_REFERENCE = ByteBuffer::allocateDirect;
  private static final List<ByteBuffer> LIVE = new ArrayList<>();

  private Conversation() {}

  public static void main(String[] args) throws Exception {
    System.out.println("ready");
    Scanner lines = new Scanner(System.in);
    while (lines.hasNextLine()) {
      String[] words = lines.nextLine().split(" ");
      int number = words.length == 1 ? 0 : Integer.parseInt(words[1]);
      try {
        System.out.println(answer(words[0], number));
      } catch (IllegalArgumentException | OutOfMemoryError refused) {
        System.out.println(refused);
      }
    }
  }

  private static String answer(String what, int number) throws Exception {
    switch (what) {
      case "call" -> LIVE.add(ByteBuffer.allocateDirect(number));
      case "reference" -> {
        IntFunction<ByteBuffer> reference = ByteBuffer::allocateDirect;
        LIVE.add(reference.apply(number));
      }
      case "old" -> LIVE.add(OLD_REFERENCE.apply(number));
      case "inner" -> LIVE.add(Inner.allocate(number));
      case "use" ->
          LIVE.forEach(buffer -> buffer.put(0, (byte) 1).put(buffer.capacity() - 1, (byte) 2));
      case "free" -> {
        LIVE.forEach(Cleaning::free);
        LIVE.clear();
      }
      case "churn" -> {
        for (int i = 0; i < 200; i++) {
          ByteBuffer.allocateDirect(number).put(0, (byte) 1);
        }
      }
      case "collect" -> {
        LIVE.clear();
        while (ours() > 0) {
          System.gc();
          Thread.yield();
        }
      }
      case "page" -> {
        // Two in a row that start on pages are no accident.
        return Boolean.toString(
            ByteBuffer.allocateDirect(1).alignmentOffset(0, 4096) == 0
                && ByteBuffer.allocateDirect(1).alignmentOffset(0, 4096) == 0);
      }
      default -> throw new AssertionError(what);
    }
    return "ours " + ours() + ", the JVM's " + ofJvm();
  }

  static final class Inner {
    private Inner() {}

    static ByteBuffer allocate(int capacity) {
      return ByteBuffer.allocateDirect(capacity);
    }
  }

  /** Bytes of the agent's direct memory. */
  private static long ours() throws ReflectiveOperationException {
    try {
      Class<?> type = Class.forName("jdk.internal.foreign.RockpoolDirectMemory");
      Method global = type.getDeclaredMethod("global");
      Method reserved = type.getDeclaredMethod("reserved");
      global.setAccessible(true);
      reserved.setAccessible(true);
      return (long) reserved.invoke(global.invoke(null));
    } catch (ClassNotFoundException none) {
      return 0;
    }
  }

  private static long ofJvm() {
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      if (pool.getName().equals("direct")) {
        return pool.getTotalCapacity();
      }
    }
    throw new AssertionError("no buffer pool of the JVM's");
  }
}
