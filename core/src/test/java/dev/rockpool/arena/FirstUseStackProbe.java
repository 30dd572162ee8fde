package dev.rockpool.arena;

import dev.rockpool.call.CallState;
import dev.rockpool.child.StackEnd;
import dev.rockpool.child.StackEnd.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Opens and uses the first arena, or makes the first adapted call, where the stack ends, and then a
 * frame further from its end, until that goes well; each time with all classes of ours new. Fails
 * if they can't be used then: a class that is initialized at the end of the stack stays broken, so
 * nobody may depend on it.
 */
@SuppressWarnings("restricted")
final class FirstUseStackProbe {
  private static final int FILLS = 32;

  private FirstUseStackProbe() {}

  private static Class<?> fresh(Class<?> type) throws Exception {
    URL ours = type.getProtectionDomain().getCodeSource().getLocation();
    ClassLoader fresh = new URLClassLoader(new URL[] {ours}, ClassLoader.getPlatformClassLoader());
    loadAll(fresh, Path.of(ours.toURI()));
    return fresh.loadClass(type.getName());
  }

  private static Step ofArenas() throws Exception {
    MethodHandle open =
        MethodHandles.lookup()
            .findStatic(fresh(Arenas.class), "ofConfined", MethodType.methodType(Arena.class));
    return () -> {
      try (Arena arena = (Arena) open.invokeExact()) {
        check(arena.allocate(ValueLayout.JAVA_LONG));
        check(arena.allocate(700));
        check(arena.allocate(5_000));
      }
    };
  }

  private static Step ofCalls() throws Exception {
    Class<?> state = fresh(CallState.class);
    MethodHandle close =
        (MethodHandle)
            state
                .getMethod("adapt", MethodHandle.class)
                .invoke(state.getField("ERRNO").get(null), closeCapturingErrno());
    return () -> {
      int result = (int) close.invokeExact(-1);
      if (result != -9) { // EBADF
        throw new AssertionError("close(-1) returned " + result);
      }
    };
  }

  private static MethodHandle closeCapturingErrno() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("close"),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
        Linker.Option.captureCallState("errno"));
  }

  /** As the agent does it: to load a class takes more of the stack than to initialize it. */
  private static void loadAll(ClassLoader loader, Path folder) throws Exception {
    List<String> names;
    try (Stream<Path> files = Files.walk(folder)) {
      names =
          files
              .map(file -> folder.relativize(file).toString().replace('/', '.'))
              .filter(name -> name.startsWith("dev.rockpool") && name.endsWith(".class"))
              .filter(name -> !name.endsWith("-info.class"))
              .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    for (String name : names) {
      Class.forName(name.substring(0, name.length() - ".class".length()), false, loader);
    }
  }

  private static void check(MemorySegment memory) {
    if (memory.get(ValueLayout.JAVA_BYTE, memory.byteSize() - 1) != 0) {
      throw new AssertionError("not zero: " + memory);
    }
    memory.fill((byte) 1);
  }

  private static void run() throws Throwable {
    ofArenas().run(); // has all classes of the JDK initialized
    ofCalls().run();
    int overflows = 0;
    for (int fill = 0; fill < FILLS; fill++) {
      for (Step step : List.of(ofArenas(), ofCalls())) {
        overflows += StackEnd.reach(step, fill);
        step.run();
      }
    }
    System.out.println("overflows=" + overflows);
  }

  public static void main(String[] args) throws InterruptedException {
    StackEnd.onSmallStack(FirstUseStackProbe::run);
  }
}
