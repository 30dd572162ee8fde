package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The effects in java.base, and the absence of others. */
class JdkClassesIT {
  private static final String HELLO =
      """
      public class Main {
        public static void main(String[] args) {
          System.out.println("hello");
        }
      }
      """;

  /** The linker itself opens confined arenas for a call that returns a struct. */
  private static final String ARENAS_OF_THE_LINKER =
      """
      import java.lang.foreign.*;
      import java.lang.invoke.MethodHandle;

      public class Main {
        public static void main(String[] args) throws Throwable {
          StructLayout pair = MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
          MethodHandle ldiv = Linker.nativeLinker().downcallHandle(
              Linker.nativeLinker().defaultLookup().find("ldiv").orElseThrow(),
              FunctionDescriptor.of(pair, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
          SegmentAllocator auto = Arena.ofAuto();
          MemorySegment result = (MemorySegment) ldiv.invokeExact(auto, 17L, 5L);
          System.out.println(result.get(ValueLayout.JAVA_LONG, 8));
        }
      }
      """;

  private static final String OPENNESS =
      """
      import java.lang.foreign.Arena;
      import java.lang.invoke.MethodHandles;

      public class Main {
        public static void main(String[] args) {
          System.out.println(Arena.ofConfined().getClass().getName());
          Module base = Object.class.getModule();
          System.out.println(base.isOpen("java.lang.foreign", Main.class.getModule()));
          try {
            System.out.println(MethodHandles.privateLookupIn(Arena.class, MethodHandles.lookup()));
          } catch (IllegalAccessException denied) {
            System.out.println("denied");
          }
        }
      }
      """;

  @TempDir private Path directory;

  @Test
  void aProgramWithoutArenasGetsNoClassesOfTheLibrary() throws Exception {
    Sources.compileTo(directory, HELLO);

    assertThat(logOf(ChildJvm.withAgent(), "hello").library()).isEmpty();
  }

  @Test
  void aProgramWithArenasGetsThem() throws Exception {
    Sources.compileTo(directory, Programs.ARENA);

    assertThat(logOf(ChildJvm.withAgent(), POOLED).ours())
        .contains("java.lang.foreign.RockpoolArenas", POOLED);
  }

  @Test
  void aProgramWhoseArenasAreLeftAloneGetsNone() throws Exception {
    Sources.compileTo(directory, Programs.ARENA);

    assertThat(logOf(ChildJvm.withAgent("exclude=*,linker=off"), REGULAR).library()).isEmpty();
    assertThat(logOf(ChildJvm.withAgent("arenas=off,linker=off"), REGULAR).library()).isEmpty();
  }

  @Test
  void theArenasOfTheLinkerAreTheJdksIfThatIsWanted() throws Exception {
    Sources.compileTo(directory, ARENAS_OF_THE_LINKER);

    ClassLoadingLog log = logOf(ChildJvm.withAgent("linker=off"), "2");

    assertThat(log.sources()).containsKey(REGULAR);
    assertThat(log.library()).isEmpty();
    assertThat(logOf(ChildJvm.withAgent(), "2").ours())
        .contains("jdk.internal.foreign.RockpoolBlockArena");
  }

  @Test
  void javaBaseIsOpenedToNobodyInTheProgram() {
    Sources.compileTo(directory, OPENNESS);

    assertThat(ChildJvm.withAgent().classPath(directory).run("Main").quietOutput())
        .containsExactly(POOLED, "false", "denied");
  }

  @Test
  void classesOfTheJdkInOtherLoadersAreLeftAlone() {
    Sources.compileTo(
        directory,
        """
        public class Main {
          public static void main(String[] args) throws Exception {
            for (String name : args) {
              Class<?> jdks = Class.forName(name, false, ClassLoader.getSystemClassLoader());
              System.out.println(jdks.getModule() + " " + (jdks.getClassLoader() != null));
            }
          }
        }
        """);
    List<String> withArenas =
        List.of(
            "jdk.internal.org.jline.terminal.impl.ffm.WindowsAnsiWriter",
            "jdk.internal.org.jline.terminal.impl.ffm.Kernel32");

    ChildJvm.Exit exit =
        ChildJvm.withAgent("verbose")
            .with("--add-modules=jdk.internal.le")
            .classPath(directory)
            .run("Main", withArenas.get(0), withArenas.get(1));

    assertThat(exit.output())
        .containsExactly("module jdk.internal.le true", "module jdk.internal.le true");
    assertThat(exit.err()).filteredOn(line -> line.contains("rewritten")).isEmpty();
  }

  private ClassLoadingLog logOf(ChildJvm jvm, String expectedOutput) throws Exception {
    Path log = directory.resolve("classes.log");
    assertThat(
            jvm.with("--enable-native-access=ALL-UNNAMED", ClassLoadingLog.option(log))
                .classPath(directory)
                .run("Main")
                .quietOutput())
        .containsExactly(expectedOutput);
    return ClassLoadingLog.read(log);
  }
}
