import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.Arenas;
import dev.rockpool.call.CallState;
import dev.rockpool.direct.DirectMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * Arenas, error codes and direct memory on a platform, by argument {@code library} or {@code
 * agent}. Prints the class of an arena and each refusal; throws an exception if a result is wrong.
 */
final class Smoke {
  /** Null in JVMs that can't call native functions. */
  private static final Linker LINKER = linker();

  private Smoke() {}

  public static void main(String... arguments) throws Throwable {
    if (arguments[0].equals("library")) {
      library();
    } else {
      System.out.println("agent: " + arenas(Arena::ofConfined));
    }
  }

  private static void library() throws Throwable {
    String arenas = arenas(Arenas::ofConfined);
    System.out.println("library: " + arenas + ", " + ArenaPool.shared().statistics().state());
    if (LINKER == null) {
      System.out.println("errno: no calls here");
    } else {
      call();
    }
    direct();
  }

  private static void call() throws Throwable {
    FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
    MethodHandle rmdir =
        CallState.ERRNO.adapt(
            LINKER.downcallHandle(symbol("rmdir", "_rmdir"), type, CallState.ERRNO.option()));
    try (Arena arena = Arenas.ofConfined()) {
      int code = (int) rmdir.invokeExact(arena.allocateFrom("no such folder"));
      require(code == -2, "rmdir returned " + code);
    }
    System.out.println("errno: ENOENT");
  }

  private static void direct() {
    DirectMemory memory;
    try {
      memory = DirectMemory.ofLimit(1 << 20);
    } catch (UnsupportedOperationException refused) {
      System.out.println("direct memory: " + refused.getMessage());
      return;
    }
    for (int round = 0; round < 100; round++) { // more than fits, were nothing freed
      ByteBuffer buffer = memory.allocate(1 << 16).putInt(0, round);
      require(buffer.getInt(0) == round, "buffer has " + buffer.getInt(0));
      memory.free(buffer);
      try {
        throw new AssertionError("freed memory has " + buffer.getInt(0));
      } catch (IllegalStateException expected) {
        require(memory.reserved() <= 1 << 20, memory.toString());
      }
    }
    System.out.println("direct memory: freed");
  }

  /** Calls atoi with many texts, in nested arenas, and returns the class of an arena. */
  private static String arenas(Supplier<Arena> source) throws Throwable {
    long end =
        System.nanoTime() + 30_000_000_000L; // enough for C2; an interpreter in qemu does less
    FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
    MethodHandle atoi =
        LINKER == null
            ? MethodHandles.dropArguments(
                MethodHandles.constant(int.class, -1), 0, MemorySegment.class)
            : LINKER.downcallHandle(symbol("atoi"), type);
    for (int round = 0; round < 20_000 && System.nanoTime() < end; round++) {
      try (Arena outer = source.get();
          Arena inner = source.get()) {
        MemorySegment zeroes = inner.allocate(round % 700);
        MemorySegment text = outer.allocateFrom("0".repeat(round % 300) + round);
        for (long offset = 0; offset < zeroes.byteSize(); offset++) {
          require(zeroes.get(ValueLayout.JAVA_BYTE, offset) == 0, "allocated memory is not zero");
        }
        int number = (int) atoi.invokeExact(text);
        require(number == round || LINKER == null, "atoi returned " + number + " for " + round);
        zeroes.fill((byte) -1);
      }
    }
    try (Arena arena = source.get()) {
      return arena.getClass().getName();
    }
  }

  private static Linker linker() {
    try {
      return Linker.nativeLinker();
    } catch (UnsupportedOperationException none) {
      return null;
    }
  }

  private static MemorySegment symbol(String... names) {
    for (String name : names) {
      var found = LINKER.defaultLookup().find(name);
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new AssertionError("no function " + names[0]);
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
