package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The source of the linker's buffers: the pool, or not. */
@Tag("jdk")
class LinkerIT {
  private static final String POOLED = "jdk.internal.foreign.RockpoolBlockArena";

  /** The way of JDK 25 to 28. */
  private static final String REGULAR = "jdk.internal.foreign.BufferStack$PerThread$Frame";

  /**
   * Calls a function that returns a struct, and prints whose arena the linker would get for it. The
   * numbers that it reads say how many of these arenas are open beforehand.
   */
  private static final String MAIN =
      """
      import static java.lang.foreign.ValueLayout.JAVA_LONG;

      static final StructLayout LDIV_T = MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG);
      static final MethodHandle LDIV = Linker.nativeLinker().downcallHandle(
          Linker.nativeLinker().defaultLookup().findOrThrow("ldiv"),
          FunctionDescriptor.of(LDIV_T, JAVA_LONG, JAVA_LONG));

      static void main() throws Exception {
        System.out.println("ready");
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
          String line = lines.nextLine();
          System.out.println(answer(line));
        }
      }

      static String answer(String open) throws Exception {
        List<AutoCloseable> before = new ArrayList<>();
        for (int i = Integer.parseInt(open); i > 0; i--) {
          before.add((AutoCloseable) newArena());
        }
        check();
        AutoCloseable last = (AutoCloseable) newArena();
        last.close();
        for (AutoCloseable arena : before.reversed()) {
          arena.close();
        }
        return last.getClass().getName();
      }

      static Object newArena() throws Exception {
        return Class.forName("jdk.internal.foreign.abi.SharedUtils")
            .getMethod("newBoundedArena", long.class).invoke(null, 16L);
      }

      static void check() {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment result = (MemorySegment) LDIV.invokeExact((SegmentAllocator) arena, 23L, 7L);
          if (result.getAtIndex(JAVA_LONG, 0) != 3 || result.getAtIndex(JAVA_LONG, 1) != 2) {
            throw new AssertionError(Arrays.toString(result.toArray(JAVA_LONG)));
          }
        } catch (Throwable failure) {
          throw new AssertionError(failure);
        }
      }
      """;

  private ChildJvm.Running start(ChildJvm jvm) {
    ChildJvm.Running program =
        jvm.with("--add-exports=java.base/jdk.internal.foreign.abi=ALL-UNNAMED")
            .with("--enable-native-access=ALL-UNNAMED")
            .program(MAIN)
            .start("Main");
    assertThat(program.answer()).isEqualTo("ready");
    return program;
  }

  @ParameterizedTest
  @CsvSource({
    "'arenas=off,linker=on', " + POOLED,
    "exclude=*, " + POOLED,
    "linker=off, " + REGULAR,
  })
  void optionDecides(String options, String arena) {
    try (ChildJvm.Running program = start(ChildJvm.withAgent(options))) {
      assertThat(program.ask("0")).isEqualTo(arena);
      program.end().quietOutput();
    }
  }

  /** Beyond the blocks that a thread keeps, each buffer is a block of its own. */
  @Test
  void nestedCalls() {
    try (ChildJvm.Running program = start(ChildJvm.withAgent("verbose"))) {
      assertThat(program.ask("7")).isEqualTo(POOLED);
      assertThat(program.ask("200")).isEqualTo(POOLED);
      assertThat(program.ask("0")).isEqualTo(POOLED);
      assertThat(program.end().err())
          .contains("[rockpool] the linker's buffers for structs by value are pooled");
    }
  }

  @Test
  void attachedToAProgramThatHasUsedTheLinker() throws Exception {
    try (ChildJvm.Running program = start(ChildJvm.plain().with(Attachment.ALLOW))) {
      assertThat(program.ask("0")).isEqualTo(REGULAR);

      Attachment.attach(program, "");
      assertThat(program.ask("0")).isEqualTo(POOLED);

      Attachment.uninstall(program);
      assertThat(program.ask("0")).isEqualTo(REGULAR);
      program.end().quietOutput();
    }
  }

  /** The JDK's stack of buffers is the better way where arenas are not pooled. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-Drockpool.check=on"})
  void whereArenasAreNotPooledTheJdkHasItsWay(String option) {
    try (ChildJvm.Running program = start(ChildJvm.withAgent().with(option))) {
      assertThat(program.ask("0")).isEqualTo(REGULAR);
      program.end().quietOutput();
    }
  }
}
