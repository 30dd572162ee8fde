package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.Arenas;
import dev.rockpool.call.CallState;
import dev.rockpool.call.Failure;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** A program whose native code writes where it must not, and that says what it then was told. */
final class CheckProbe {
  /** A part of the 64 MiB that are kept. */
  private static final int LARGE = 1 << 20;

  private CheckProbe() {}

  public static void main(String[] args) throws Throwable {
    switch (args[0]) {
      case "overruns" -> overruns();
      case "late write" -> lateWrite();
      case "calls" -> calls();
      case "many" -> allocateLarge(1000);
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
    System.out.println("elsewhere=" + overrun(Elsewhere.open()));
  }

  private static final class Elsewhere {
    static Arena open() {
      return Arenas.ofConfined();
    }
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

  /** Calls that write behind their capture segment, and then return or throw. */
  private static void calls() throws Throwable {
    for (Class<?> result : List.of(int.class, long.class, MemorySegment.class)) {
      Object zero = result == MemorySegment.class ? MemorySegment.NULL : 0;
      for (String way : List.of("returns", "throwsOwn")) {
        MethodHandle call =
            MethodHandles.lookup()
                .findStatic(
                    CheckProbe.class, way, MethodType.methodType(void.class, MemorySegment.class));
        MethodHandle adapted =
            CallState.ERRNO.adapt(
                MethodHandles.filterReturnValue(call, MethodHandles.constant(result, zero)),
                Failure.MINUS_ONE);
        System.out.println(result.getSimpleName() + " " + way + "=" + failureOf(adapted));
      }
    }
  }

  private static void returns(MemorySegment captured) throws Throwable {
    Faults.fillAt(captured, captured.byteSize(), 0, 1);
  }

  @SuppressWarnings("UnusedMethod") // found by name
  private static void throwsOwn(MemorySegment captured) throws Throwable {
    returns(captured);
    throw new IOException("the call's own");
  }

  private static String failureOf(MethodHandle adapted) {
    try {
      return "nothing " + adapted.invoke();
    } catch (Throwable thrown) {
      return thrown + ", suppressed " + Arrays.toString(thrown.getSuppressed());
    }
  }

  private static void lateWrite() throws Throwable {
    try (Arena arena = Arenas.ofConfined()) {
      Faults.remember(arena.allocate(24));
    }
    System.out.println("read=" + Integer.toHexString(Faults.readRemembered(0)));
    Faults.writeRemembered(3, 0x5a);
  }

  /** Behind the guard, and after the memory has been freed. */
  private static void forSanitizer() throws Throwable {
    try (Arena arena = Arenas.ofConfined()) {
      MemorySegment memory = arena.allocate(24);
      Faults.remember(memory);
      Faults.fillAt(memory, 100, 1, 1);
    }
    allocateLarge(70); // more would leave the sanitizer's own memory, too
    MemorySegment memory = MemorySegment.ofAddress(Faults.remembered());
    Faults.fillAt(memory, 0, 1, 1);
  }

  private static void allocateLarge(int times) throws IOException {
    for (int i = 0; i < times; i++) {
      try (Arena arena = Arenas.ofConfined()) {
        MemorySegment memory = arena.allocate(LARGE);
        memory.fill((byte) i);
      }
    }
    Figures.print("KiB resident", Figures.residentKibibytes());
  }
}
