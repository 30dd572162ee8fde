package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checked arenas in programs that know nothing of Rockpool: system property rockpool.check. */
class CheckIT {
  private static final String MAIN =
      """
      import static java.lang.foreign.ValueLayout.*;

      static final Linker LINKER = Linker.nativeLinker();
      static final MethodHandle MEMSET = LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("memset"),
          FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG));

      static void fill(MemorySegment memory, long count) throws Throwable {
        MemorySegment _ = (MemorySegment) MEMSET.invokeExact(memory, 1, count);
      }

      static void call() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
          fill(arena.allocate(16), 17);
        } catch (AssertionError found) {
          System.out.println(found.getMessage());
        }
      }

      static void reference() throws Throwable {
        Supplier<Arena> open = Arena::ofConfined;
        try (Arena arena = open.get()) {
          fill(arena.allocate(16), 17);
        } catch (AssertionError found) {
          System.out.println(found.getMessage());
        }
      }

      static void main() throws Throwable {
        call();
        reference();
        MemorySegment address;
        try (Arena arena = Arena.ofConfined()) {
          address = MemorySegment.ofAddress(arena.allocate(16).address());
        }
        fill(address, 2);
      }
      """;

  @TempDir private Path directory;

  /** A recording wraps arenas, so its classes are between the program and the checked arena. */
  @ParameterizedTest
  @ValueSource(strings = {"verbose=off", "record="})
  void findingsNameTheOpenerInTheProgram(String option) {
    ChildJvm.Exit exit =
        ChildJvm.withAgent(option.endsWith("=") ? option + directory.resolve("file.jfr") : option)
            .with("-Drockpool.check=on", "--enable-native-access=ALL-UNNAMED")
            .program(MAIN)
            .run("Main");
    String overrun = "byte 16 of a segment of 16 bytes (allocation 1 of its arena)";
    assertThat(exit.output()).hasSize(2).allMatch(line -> line.contains(overrun));
    assertThat(exit.output().get(0)).contains("opened by " + opener("call", "Arena.ofConfined()"));
    assertThat(exit.output().get(1)).contains("opened by " + opener("reference", "open.get()"));
    assertThat(exit.err())
        .contains("[rockpool] " + exit.output().get(0), "[rockpool] " + exit.output().get(1))
        .anyMatch(
            line ->
                line.startsWith("[rockpool] Memory of a closed arena must not be written to: ")
                    && line.contains("hold 01 01 dd dd")
                    && line.contains("opened by Main.main("));
  }

  /** Returns the method and its line that has the first such text after the method's start. */
  private static String opener(String method, String text) {
    int at = MAIN.indexOf(text, MAIN.indexOf("void " + method + "("));
    long line = MAIN.substring(0, at).lines().count();
    return "Main." + method + "(Main.java:" + line + ")";
  }
}
