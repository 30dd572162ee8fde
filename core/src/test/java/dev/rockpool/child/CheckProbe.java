package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.Arenas;
import dev.rockpool.call.CallState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Supplier;

/** A program whose native code writes where it must not, and that prints what it is told then. */
final class CheckProbe {
  private CheckProbe() {}

  public static void main(String[] args) throws Throwable {
    switch (args[0]) {
      case "overruns" -> overruns();
      case "late write" -> lateWrite();
      case "call" -> call();
      case "for a sanitizer" -> forSanitizer();
      default -> throw new AssertionError(args[0]);
    }
    System.out.println("statistics=" + ArenaPool.shared().statistics());
  }

  private static void overruns() throws Throwable {
    System.out.println("class=" + Arenas.ofConfined().getClass().getSimpleName());
    System.out.println("call=" + overrun(Arenas.ofConfined()));
    System.out.println("pool=" + overrun(ArenaPool.builder().build().take()));
    Supplier<Arena> reference = Arenas::ofConfined;
    System.out.println("reference=" + overrun(reference.get()));
    Thread virtual =
        Thread.startVirtualThread(
            () -> System.out.println("virtual=" + overrun(Arenas.ofConfined())));
    virtual.join();
  }

  /** Returns the failure of closing the arena, in words. */
  private static String overrun(Arena arena) {
    try {
      Faults.fillAt(arena.allocate(24), 24, 0, 1);
      arena.close();
      return "nothing";
    } catch (Throwable thrown) {
      return thrown.toString();
    }
  }

  /** A call that throws after its native code wrote beside the capture segment. */
  private static void call() throws Throwable {
    MethodHandle adapted =
        CallState.ERRNO.adapt(
            MethodHandles.lookup()
                .findStatic(
                    CheckProbe.class,
                    "overrunAndThrow",
                    MethodType.methodType(int.class, MemorySegment.class)));
    try {
      int result = (int) adapted.invokeExact();
      System.out.println("thrown=" + result);
    } catch (Throwable thrown) {
      System.out.println("thrown=" + thrown);
      for (Throwable suppressed : thrown.getSuppressed()) {
        System.out.println("suppressed=" + suppressed);
      }
    }
  }

  @SuppressWarnings("UnusedMethod") // in a handle
  private static int overrunAndThrow(MemorySegment captured) throws Throwable {
    Faults.fillAt(captured, captured.byteSize(), 0, 1);
    throw new IllegalStateException("of the call");
  }

  private static void lateWrite() throws Throwable {
    try (Arena arena = Arenas.ofConfined()) {
      Faults.remember(arena.allocate(24));
    }
    System.out.println("read=" + Integer.toHexString(Faults.readRemembered(0)));
    Faults.writeRemembered(3, 0x5a);
  }

  /** Writes behind the guard, and after the memory has been freed. */
  private static void forSanitizer() throws Throwable {
    try (Arena arena = Arenas.ofConfined()) {
      MemorySegment memory = arena.allocate(24);
      Faults.remember(memory);
      Faults.fillAt(memory, 100, 1, 1);
    }
    for (int i = 0; i < 70; i++) { // mebibytes, of which 64 are kept
      try (Arena arena = Arenas.ofConfined()) {
        arena.allocate(1 << 20);
      }
    }
    Faults.fillAt(MemorySegment.ofAddress(Faults.remembered()), 0, 1, 1);
  }
}
