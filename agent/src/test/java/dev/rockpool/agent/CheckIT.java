package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checked arenas in programs that know nothing of Rockpool: system property rockpool.check. */
class CheckIT {
  private static final String CHECKED = "jdk.internal.foreign.RockpoolCheckedArena";

  /** The line of each opening is in its message, so lines here count. */
  private static final String MAIN =
      """
      import static java.lang.foreign.ValueLayout.*;
      import java.lang.foreign.*;
      import java.lang.invoke.MethodHandle;
      import java.util.function.Supplier;

      public class Main {
        static final Linker LINKER = Linker.nativeLinker();
        static final MethodHandle MEMSET = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("memset"),
            FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG));
        static final MethodHandle STRCPY = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("strcpy"),
            FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));

        public static void main(String[] args) throws Throwable {
          switch (args[0]) {
            case "copy" -> copy();
            case "reference" -> reference();
            case "late" -> late();
            default -> name();
          }
        }

        static void name() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            System.out.println(arena.getClass().getName());
          }
        }

        static void copy() throws Throwable {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom("hello");
            MemorySegment copy = arena.allocate(5);
            MemorySegment _ = (MemorySegment) STRCPY.invokeExact(copy, text);
          } catch (AssertionError found) {
            System.out.println(found.getMessage());
          }
        }

        static void reference() throws Throwable {
          Supplier<Arena> open = Arena::ofConfined;
          try (Arena arena = open.get()) {
            MemorySegment memory = arena.allocate(16);
            MemorySegment _ = (MemorySegment) MEMSET.invokeExact(memory, 1, 17L);
          } catch (AssertionError found) {
            System.out.println(found.getMessage());
          }
        }

        static void late() throws Throwable {
          MemorySegment address;
          try (Arena arena = Arena.ofConfined()) {
            address = MemorySegment.ofAddress(arena.allocate(16).address());
          }
          MemorySegment _ = (MemorySegment) MEMSET.invokeExact(address, 1, 2L);
        }
      }
      """;

  @TempDir private Path directory;

  @BeforeEach
  void compile() {
    Sources.compileTo(directory, MAIN);
  }

  private ChildJvm.Exit run(String value, String options, String what) {
    return ChildJvm.withAgent(options)
        .with("-Drockpool.check=" + value, "--enable-native-access=ALL-UNNAMED")
        .classPath(directory)
        .run("Main", what);
  }

  private String record() {
    return "record=" + directory.resolve("arenas.jfr");
  }

  @ParameterizedTest
  @CsvSource({"on, " + CHECKED, "off, " + ChildJvm.POOLED})
  void propertyDecides(String value, String arena) {
    assertThat(run(value, "verbose=off", "name").quietOutput()).containsExactly(arena);
  }

  @Test
  void nonsenseIsReportedOnceAndArenasArePooled() {
    ChildJvm.Exit exit = run("checked", "direct", "name");
    assertThat(exit.output()).containsExactly(ChildJvm.POOLED);
    assertThat(exit.err())
        .singleElement()
        .asString()
        .startsWith("[rockpool] System property rockpool.check (")
        .endsWith("must be on or off: it is \"checked\"; using the default, off.");
  }

  @Test
  void overrunNamesTheClassOfTheProgram() {
    ChildJvm.Exit exit = run("on", "verbose=off", "copy");
    assertThat(exit.output())
        .containsExactly(
            "Memory beside a segment must not be written to: byte 5 of a segment of 5 bytes"
                + " (allocation 2 of its arena) and those behind it hold 00 fd fd fd fd fd fd fd fd"
                + " fd fd fd fd fd fd fd, guard bytes are fd; its arena was opened by"
                + " Main.copy(Main.java:32). Look at what native code is told of that segment: its"
                + " size, an index, room for a terminating zero.");
    assertThat(exit.err()).containsExactly("[rockpool] " + exit.output().getFirst());
  }

  @Test
  void openerIsNamedWhereItOpensByAMethodReference() {
    assertThat(run("on", "verbose=off", "reference").output())
        .singleElement()
        .asString()
        .contains("opened by Main.reference(Main.java:43)");
  }

  @ParameterizedTest
  @CsvSource({"copy, Main.copy(Main.java:32)", "reference, Main.reference(Main.java:43)"})
  void openerIsNamedWhereArenasAreRecordedToo(String what, String opener) {
    assertThat(run("on", record(), what).output())
        .singleElement()
        .asString()
        .contains("opened by " + opener);
  }

  @Test
  void lateWriteIsReportedWhenTheProgramEnds() {
    ChildJvm.Exit exit = run("on", "verbose=off", "late");
    assertThat(exit.output()).isEmpty();
    assertThat(exit.err())
        .singleElement()
        .asString()
        .startsWith(
            "[rockpool] Memory of a closed arena must not be written to: byte 0 of a segment of 16"
                + " bytes")
        .contains("hold 01 01 dd dd", "opened by Main.late(Main.java:53)");
  }
}
