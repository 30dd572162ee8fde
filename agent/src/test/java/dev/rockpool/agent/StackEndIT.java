package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Programs that use arenas or direct buffers for the first time where the stack ends: a class of
 * ours that is initialized there stays broken, and they must not depend on it.
 */
class StackEndIT {
  private static final String MAIN =
      """
      import java.lang.foreign.Arena;
      import java.lang.foreign.MemorySegment;
      import java.lang.management.BufferPoolMXBean;
      import java.lang.management.ManagementFactory;
      import java.nio.ByteBuffer;

      public class Main {
        static boolean others;
        static int overflows;
        static boolean wentWell;

        /** The JDK's own classes, which are initialized where there is stack. */
        static void warmUp() throws Exception {
          try (Arena arena = Arena.ofShared()) {
            arena.allocate(8).set(java.lang.foreign.ValueLayout.JAVA_BYTE, 0, (byte) 1);
          }
          if (others) {
            // By reflection, so that our classes are not used yet.
            ByteBuffer.class.getMethod("allocateDirect", int.class).invoke(null, 1);
            ((Arena) Arena.class.getMethod("ofAuto").invoke(null)).allocate(8);
          }
        }

        /** Neither our buffers nor the JDK's are broken by what happened. */
        static boolean isWhole(boolean direct) throws Exception {
          ByteBuffer.class.getMethod("allocateDirect", int.class).invoke(null, 1);
          long before = buffersOfTheJdk();
          ByteBuffer ours = ByteBuffer.allocateDirect(1);
          return !direct || ours.get(0) != 0 || buffersOfTheJdk() == before;
        }

        static long buffersOfTheJdk() {
          return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
              .filter(pool -> pool.getName().equals("direct"))
              .mapToLong(BufferPoolMXBean::getCount)
              .sum();
        }

        static void use(boolean direct) {
          if (others) {
            check(MemorySegment.ofBuffer(ByteBuffer.allocateDirect(5000)));
            check(Arena.ofAuto().allocate(700));
            check(Arena.global().allocate(8));
            Arena shared = Arena.ofShared();
            try {
              check(shared.allocate(700));
            } finally {
              shared.close();
            }
          } else if (direct) {
            check(MemorySegment.ofBuffer(ByteBuffer.allocateDirect(5000)));
          } else {
            try (Arena arena = Arena.ofConfined()) {
              check(arena.allocate(8));
              check(arena.allocate(700));
              check(arena.allocate(5000));
            }
          }
        }

        static void check(MemorySegment memory) {
          for (long i = 0; i < memory.byteSize(); i += 4) {
            if (memory.get(java.lang.foreign.ValueLayout.JAVA_BYTE, i) != 0) {
              throw new AssertionError("not zero");
            }
            memory.set(java.lang.foreign.ValueLayout.JAVA_BYTE, i, (byte) 1);
          }
        }

        static void useAtTheEnd(boolean direct) {
          try {
            useAtTheEnd(direct);
          } catch (StackOverflowError end) {
            overflows++;
          }
          if (!wentWell) {
            try {
              use(direct);
              wentWell = true;
            } catch (StackOverflowError end) {
              overflows++;
            }
          }
        }

        /** Frames of another size before the descent: they move the end by less than a frame. */
        static long descend(boolean direct, int fill, long a, long b, long c) {
          if (fill > 0) {
            return descend(direct, fill - 1, a, b, c) + a + b + c;
          }
          useAtTheEnd(direct);
          return 0;
        }

        public static void main(String[] args) throws Exception {
          int fill = Integer.parseInt(args[0]);
          boolean direct = args.length > 1 && args[1].equals("direct");
          others = args.length > 1 && args[1].equals("others");
          warmUp();
          Thread thread =
              new Thread(null, () -> descend(direct, fill, 0, 0, 0), "small stack", 200 << 10);
          thread.start();
          thread.join();
          use(direct);
          use(direct);
          boolean fine = overflows > 1 && wentWell && isWhole(direct);
          System.out.println(fine ? "fine" : "overflows: " + overflows + ", " + wentWell);
        }
      }
      """;

  @TempDir private Path directory;

  /**
   * Interpreted, where each call takes stack, by a JVM that has a compiler: else nothing is ours.
   */
  @ParameterizedTest
  @CsvSource({
    "arenas=on, 0",
    "arenas=on, 1",
    "arenas=on, 2",
    "arenas=on, 3",
    "record=recorded.jfr, 0",
    "record=recorded.jfr, 1",
    "record=recorded.jfr, 2",
    "record=recorded.jfr, 0 others",
    "record=recorded.jfr, 1 others",
    "record=recorded.jfr, 2 others",
    "direct=on, 0 direct",
    "direct=on, 1 direct",
    "direct=on, 2 direct"
  })
  void theProgramGetsItsMemory(String option, String arguments) {
    Sources.compileTo(directory, MAIN);

    ChildJvm jvm =
        ChildJvm.withAgent(option)
            .in(directory)
            .with("-XX:CompileCommand=quiet")
            .with("-XX:CompileCommand=compileonly,none.Such::*")
            .classPath(directory);

    // Not quiet: the JVM itself complains where a class is loaded and no agent's transformer fits.
    assertThat(jvm.run(("Main " + arguments).split(" ")).output()).containsExactly("fine");
  }
}
