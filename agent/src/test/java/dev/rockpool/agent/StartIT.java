package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pool starts once a program has opened many arenas. */
@Timeout(120)
@Tag("jdk")
class StartIT {
  /** Opens arenas on some threads until one is pooled; prints whether there were enough before. */
  private static final String MANY =
      """
      import module java.base;

      public class Many {
        static final AtomicLong OPENED = new AtomicLong();
        static final AtomicBoolean POOLED = new AtomicBoolean();

        static void open() {
          while (!POOLED.get()) {
            OPENED.incrementAndGet();
            try (Arena arena = Arena.ofConfined()) {
              arena.allocate(8).fill((byte) 1);
              if (arena.getClass().getName().contains("Rockpool")) {
                POOLED.set(true);
              }
            }
          }
        }

        public static void main(String[] args) throws InterruptedException {
          Thread[] threads = new Thread[Integer.parseInt(args[0])];
          boolean virtual = args[1].equals("virtual");
          for (int i = 0; i < threads.length; i++) {
            threads[i] = (virtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(Many::open);
          }
          for (Thread each : threads) {
            each.join();
          }
          System.out.println(OPENED.get() >= Long.parseLong(args[2]));
        }
      }
      """;

  /** Fails while the pool's start reads a setting. */
  private static final String FAILING =
      """
      import module java.base;

      public class Failing {
        static volatile boolean failed;

        static class Settings extends Properties {
          @Override
          public String getProperty(String name) {
            if (name.equals("rockpool.block.size")) {
              failed = true;
              throw new NoClassDefFoundError();
            }
            return super.getProperty(name);
          }
        }

        static String open() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            return arena.getClass().getName();
          }
        }

        public static void main(String[] args) throws Exception {
          Settings settings = new Settings();
          settings.putAll(System.getProperties());
          System.setProperties(settings);
          while (!failed) {
            open();
          }
          for (int i = 0; i < 10_000; i++) {
            open();
          }
          System.out.println(open());
        }
      }
      """;

  @ParameterizedTest
  @CsvSource({"1, platform, 4000", "20, virtual, 100000", "1, platform, 1"})
  void thePoolStartsAfterSoManyArenas(int threads, String kind, String after) {
    assertThat(
            ChildJvm.plain()
                .with("-javaagent:" + ChildJvm.AGENT_JAR)
                .startingAfter(after.equals("4000") ? "" : after)
                .program(MANY)
                .run("Many", Integer.toString(threads), kind, after)
                .quietOutput())
        .containsExactly("true");
  }

  @Test
  void aStartThatFailsIsToldOfAndTheJdkServes() {
    ChildJvm.Exit exit =
        ChildJvm.plain()
            .with("-javaagent:" + ChildJvm.AGENT_JAR)
            .startingAfter("10")
            .program(FAILING)
            .run("Failing");

    assertThat(exit.output()).containsExactly(REGULAR);
    assertThat(exit.err())
        .singleElement()
        .asString()
        .startsWith("[rockpool] Arenas are the JDK's: the pool's start failed:");
  }

  /** A number that is not accepted is told, and the default taken. */
  @Test
  void verboseTellsOnceThatThePoolStarts() {
    ChildJvm.Exit exit =
        ChildJvm.plain()
            .with("-javaagent:" + ChildJvm.AGENT_JAR + "=verbose")
            .startingAfter("soon")
            .program(MANY)
            .run("Many", "1", "platform", "4000");

    assertThat(exit.out()).containsExactly("true");
    assertThat(exit.err())
        .containsOnlyOnce("[rockpool] the pool starts")
        .anyMatch(line -> line.contains("rockpool.start.after") && line.contains("\"soon\""));
  }
}
