package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.tools.attach.AgentInitializationException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Option {@code limit}: the figures that others see, and the limit itself. */
class LimitFiguresIT {
  @Test
  void linesAndTheirHighestAreSeenByJmx() {
    List<String> output =
        LimitProgram.run(
            ChildJvm.withAgent("limit=8m", "arenas=off"),
            """
            static void main() throws Exception {
              Book.agent();
              Arena kept = kept();
              large();
              print();
              Book.invoke("watch", 1500L);
              kept.allocate(500);
              print();
              Book.invoke("watch", 2000L);
              large();
              kept.close();
              print();
            }

            static void large() {
              try (Arena arena = Arena.ofConfined()) {
                arena.allocate(70_000);
              }
            }

            static Arena kept() {
              Arena arena = Arena.ofShared();
              arena.allocate(1000);
              return arena;
            }

            static void print() throws Exception {
              System.out.println(Book.attribute("LimitHighest")
                  + " " + Book.table(Book.invoke("largestSites", 9))
                  + " " + Book.table(Book.invoke("watchedSites")));
            }
            """);

    String shared = "shared Main.kept:22=";
    assertThat(output)
        .containsExactly(
            "71000 {" + shared + "1000} {}",
            "1500 {" + shared + "1500} {}",
            "71500 {} {confined Main.large:16=70000, " + shared + "1500}");
  }

  @Test
  void flightRecorderHasTheFigures() throws Exception {
    String program =
        """
        import module jdk.jfr;

        static void main() throws Exception {
          CountDownLatch done = new CountDownLatch(1);
          try (RecordingStream stream = new RecordingStream(); Arena arena = Arena.ofShared()) {
            arena.allocate(5000);
            stream.enable("dev.rockpool.Limit");
            stream.onEvent("dev.rockpool.Limit", event -> {
              System.out.println(event.getLong("limit") + " " + event.getLong("shared"));
              done.countDown();
            });
            stream.startAsync();
            done.await();
          }
        }
        """;

    List<String> lines = ChildJvm.withAgent("limit=1m").program(program).lines();

    assertThat(lines.getFirst()).isEqualTo("1048576 5000");
  }

  /** The JVM's own figures, and those who watch them, know nothing of a limit. */
  @Test
  void buffersUnderALimitAreTheJdks() {
    List<String> lines =
        LimitProgram.run(
            ChildJvm.withAgent("limit=64m").with("-XX:MaxDirectMemorySize=32m"),
            """
            import module java.management;

            static void main() throws Exception {
              ByteBuffer held = ByteBuffer.allocateDirect(20 << 20);
              for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
                if (pool.getName().equals("direct")) {
                  System.out.println(pool.getMemoryUsed() / Book.MIB + " " + Book.inUse() / Book.MIB);
                }
              }
              try {
                ByteBuffer.allocateDirect(20 << 20);
              } catch (OutOfMemoryError ofTheJdk) {
                System.out.println(ofTheJdk.getMessage().startsWith("Cannot reserve"));
              }
              held = null;
              System.out.println(Book.collected(0));
            }
            """);

    assertThat(lines).containsExactly("20 20", "true", "0");
  }

  @Test
  void theLimitCanBeChangedWhileTheProgramRuns() {
    List<String> lines =
        LimitProgram.run(
            ChildJvm.withAgent("limit=2m", "limit.wait=0"),
            """
            import javax.management.RuntimeMBeanException;

            static void main() throws Exception {
              System.out.println(hold(3_000_000));
              for (String limit : new String[] {"4m", "1m", "0", "half", "5m"}) {
                try {
                  System.out.println(Book.invoke("changeLimit", limit));
                } catch (RuntimeMBeanException refused) {
                  System.out.println(refused.getTargetException().getMessage());
                }
                System.out.println(hold(3_000_000));
              }
              System.out.println(Book.attribute("Limit"));
            }

            static boolean hold(long byteSize) {
              try {
                Arena.ofShared().allocate(byteSize);
                return true;
              } catch (OutOfMemoryError refused) {
                return false;
              }
            }
            """);

    assertThat(lines)
        .hasSize(12)
        .startsWith("false", "4194304", "true")
        .endsWith("false", "5242880", "false", "5242880");
    assertThat(lines.get(3))
        .matches(
            "The limit must not be below what is in use: 1048576 bytes asked for, \\d+ in use;"
                + " free memory first, or set a higher limit");
    assertThat(List.of(lines.get(5), lines.get(7)))
        .allMatch(line -> line.startsWith("Agent option limit must be off, a number of bytes"));
  }

  /** The first two change nothing that the limit would have to count. */
  @Test
  void limitThatStartedStaysInTheJvm() throws Exception {
    String program =
        """
        static void main() throws Exception {
          System.out.println("ready");
          System.in.read();
        }
        """;
    try (ChildJvm.Running target =
        ChildJvm.plain()
            .with(Attachment.ALLOW, "--limit-modules=java.instrument,java.management")
            .program(program)
            .start("Main")) {
      assertThat(target.answer()).isEqualTo("ready");
      Attachment.attach(target, "verbose");
      Attachment.uninstall(target);
      assertThatThrownBy(() -> Attachment.attach(target, "limit=50%"))
          .isInstanceOf(AgentInitializationException.class);
      Attachment.attach(target, "limit=64m");
      Attachment.uninstall(target);
      assertThatThrownBy(() -> Attachment.attach(target, "limit=32m"))
          .isInstanceOf(AgentInitializationException.class);
      assertThat(target.end().errText())
          .contains("A share of the memory, in agent options limit and limit.process, needs module")
          .contains("Agent option limit must be what it was when the agent first came to this JVM");
    }
  }

  @Test
  void shareIsThatOfTheContainersMemory() throws Exception {
    try (ControlGroup group = ControlGroup.of(512 << 20)) {
      assertThat(
              ChildJvm.withAgent("limit=25%", "verbose")
                  .inControlGroup(group.folder())
                  .program(Programs.ARENA)
                  .run("Main")
                  .err())
          .contains("[rockpool] the limit of native memory is 134217728 bytes");
    }
  }

  @Test
  void nothingIsRefusedAfterTheAgentHasLeft() throws Exception {
    String program =
        """
        import static java.lang.foreign.ValueLayout.JAVA_LONG;

        static void main() throws Throwable {
          MethodHandle malloc = Book.link("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
          MethodHandle free = Book.link("free", FunctionDescriptor.ofVoid(JAVA_LONG));
          ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
          long first = (long) malloc.invokeExact(Book.MIB);
          System.out.println(Book.inUse() / Book.MIB);
          System.in.read();
          buffer = null;
          long second = (long) malloc.invokeExact(100 * Book.MIB);
          free.invokeExact(second);
          free.invokeExact(first);
          System.gc();
          System.out.println("free");
          System.in.read();
          System.out.println(Book.inUse());
          System.in.read();
        }
        """;
    try (ChildJvm.Running target =
        LimitProgram.on(ChildJvm.withAgent("limit=64m").with(Attachment.ALLOW), program)
            .start("Main")) {
      assertThat(target.answer()).isEqualTo("2");
      Attachment.uninstall(target);
      assertThat(target.ask("")).isEqualTo("free");
      Attachment.attach(target, "limit=64m");
      assertThat(target.ask("")).isEqualTo("0");
    }
  }
}
