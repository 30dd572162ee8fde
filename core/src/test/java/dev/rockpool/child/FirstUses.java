package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.Arenas;
import dev.rockpool.call.CallState;
import dev.rockpool.call.NativeCallException;
import dev.rockpool.child.StackEnd.Step;
import dev.rockpool.direct.DirectMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;

/**
 * Uses a part of the library for the first time where stack or heap ends, then further from its
 * end, until that goes well. Fails if anything but the JVM's own errors comes out, or if the part
 * does not work afterwards.
 */
@SuppressWarnings("restricted")
final class FirstUses {
  private static final int SMALL = 64;
  private static final int LIMIT = 100;

  /** The JDK's own classes are not initialized before. */
  private static final String COLD = "direct, and the JDK's classes";

  private static final int MOST_ROOM = 3 << 20;

  /** A part works for good when it did so this often, each time with a quarter more memory. */
  private static final int SUCCESSES = 8;

  private FirstUses() {}

  private static Step step(String end, String what) throws Exception {
    return switch (what) {
      case "arena then pool" ->
          () -> {
            Arenas.ofConfined().close();
            takeFromPool();
          };
      case "pool" -> FirstUses::takeFromPool;
      case "statistics" -> () -> ArenaPool.shared().statistics();
      case "global" ->
          () -> {
            DirectMemory memory = DirectMemory.global();
            memory.free(memory.allocate(LIMIT));
          };
      case "direct", COLD -> FirstUses::allocateDirect;
      case "automatic" -> () -> DirectMemory.ofLimit(LIMIT).ofAuto().allocate(SMALL);
      case "error text" ->
          failingCall(end.equals("heap") ? new OutOfMemoryError() : new StackOverflowError());
      case "wait" -> waitInVain();
      default -> throw new IllegalArgumentException(what);
    };
  }

  private static void takeFromPool() {
    ArenaPool pool = ArenaPool.builder().blockByteSize(1024).build();
    try (Arena arena = pool.take()) {
      arena.allocate(SMALL);
    }
  }

  private static void allocateDirect() {
    DirectMemory memory = DirectMemory.ofLimit(1 << 20);
    for (int byteSize : new int[] {LIMIT, 70_000, 300_000}) {
      memory.free(memory.allocate(byteSize));
    }
  }

  private static Step failingCall(VirtualMachineError noRoom) throws Exception {
    Linker linker = Linker.nativeLinker();
    MethodHandle close =
        CallState.ERRNO.check(
            linker.downcallHandle(
                linker.defaultLookup().findOrThrow("close"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
                CallState.ERRNO.option()),
            "close");
    return () -> {
      try {
        int result = (int) close.invokeExact(-1);
        throw new AssertionError(result);
      } catch (NativeCallException failure) {
        if (failure.code() != 9) {
          throw new AssertionError(failure);
        }
        if (!failure.name().equals("EBADF")) {
          throw noRoom;
        }
      }
    };
  }

  /** With a recorder that runs, so that there is an event. */
  private static Step waitInVain() {
    new Recording().start();
    DirectMemory memory = DirectMemory.ofLimit(LIMIT);
    MemorySegment held = memory.allocate(SMALL, 1);
    return () -> {
      try {
        memory.free(memory.allocate(SMALL, 1));
        throw new AssertionError("beside " + held);
      } catch (OutOfMemoryError refused) {
        if (refused.getMessage() == null || !refused.getMessage().startsWith("Direct memory")) {
          throw refused;
        }
      }
    };
  }

  /** As the agent does it: loading a class takes more than initializing it. */
  private static void loadAll() throws Exception {
    Path folder = Path.of(Arenas.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.map(file -> folder.relativize(file).toString().replace('/', '.')).toList();
    }
    for (String file : files) {
      if (file.endsWith(".class") && !file.endsWith("-info.class")) {
        String name = file.substring(0, file.length() - ".class".length());
        Class.forName(name, false, FirstUses.class.getClassLoader());
      }
    }
  }

  /** The JDK's own classes are initialized where there is room. */
  private static void warmUp() throws Throwable {
    loadAll();
    try (Arena arena = Arena.ofShared()) {
      arena.allocate(SMALL).set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    }
    Arena.ofConfined().close();
    Linker linker = Linker.nativeLinker();
    MethodHandle text =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("strerror"),
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    MemorySegment unused = (MemorySegment) text.invokeExact(1);
    MethodHandle close =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("close"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    int result = (int) close.invokeExact(-1);
    System.out.println("warm=" + (result < 0 && unused.address() != 0));
  }

  private static int reachHeapEnd(Step step) throws Throwable {
    int failures = 0;
    int successes = 0;
    for (int bytes = 0;
        bytes < MOST_ROOM && successes < SUCCESSES;
        bytes = (bytes + bytes / 4 + 16) & -16) {
      boolean wentWell =
          HeapEnd.once(
              bytes,
              () -> {
                step.run();
                return true;
              });
      failures += wentWell ? 0 : 1;
      successes = wentWell ? successes + 1 : 0;
    }
    return failures;
  }

  public static void main(String[] args) throws Throwable {
    if (!args[1].equals(COLD)) {
      warmUp();
    }
    Step step = step(args[0], args[1]);
    if (args[0].equals("heap")) {
      System.out.println("failures=" + reachHeapEnd(step));
    } else {
      StackEnd.onSmallStack(
          () -> System.out.println("failures=" + StackEnd.reach(step, Integer.parseInt(args[2]))));
    }
    for (int i = 0; i < 3; i++) {
      step.run();
    }
    System.out.println("works=true");
    System.exit(0);
  }
}
