package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pool's start is put off while the pool would be of no use. */
@Timeout(120)
class PutOffIT {
  /** Tells programs whether the start is put off now. */
  private static final String START =
      """
      public class Start {
        static boolean isPutOff() {
          return Thread.getAllStackTraces().entrySet().stream()
              .filter(each -> each.getKey().getName().equals("rockpool-start"))
              .anyMatch(each -> each.getKey().getState() == Thread.State.TIMED_WAITING);
        }
      }
      """;

  /** Opens arenas on virtual threads that sleep inside; then on others until the pool starts. */
  private static final String SLEEPERS =
      """
      import java.lang.foreign.Arena;
      import java.util.ArrayList;
      import java.util.List;
      import java.util.concurrent.atomic.AtomicInteger;

      public class Sleepers {
        static volatile boolean ends;
        static final AtomicInteger OPENED = new AtomicInteger();

        static void open() {
          while (!ends) {
            try (Arena arena = Arena.ofConfined()) {
              arena.allocate(8);
              OPENED.incrementAndGet();
              Thread.sleep(2);
            } catch (InterruptedException never) {
              return;
            }
          }
        }

        static String arenaOf(Thread.Builder builder) throws InterruptedException {
          String[] name = new String[1];
          builder
              .start(
                  () -> {
                    try (Arena arena = Arena.ofConfined()) {
                      name[0] = arena.getClass().getName();
                    }
                  })
              .join();
          return name[0];
        }

        public static void main(String[] args) throws InterruptedException {
          List<Thread> threads = new ArrayList<>();
          for (int i = 0; i < 2000; i++) {
            threads.add(Thread.ofVirtual().start(Sleepers::open));
          }
          while (OPENED.get() < 30_000) {
            Thread.sleep(1);
          }
          System.out.println(arenaOf(Thread.ofVirtual()));
          System.out.println(arenaOf(Thread.ofPlatform()));
          ends = true;
          for (Thread each : threads) {
            each.join();
          }
          while (!arenaOf(Thread.ofVirtual()).contains("Rockpool")) {
            // as many arenas again start the pool
          }
          System.out.println(arenaOf(Thread.ofVirtual()));
          System.out.println(arenaOf(Thread.ofPlatform()));
        }
      }
      """;

  /**
   * Opens arenas on threads that end, as many on each as told, until the start is put off; then on
   * one thread until an arena is pooled.
   */
  private static final String SHORT_THREADS =
      """
      import java.lang.foreign.Arena;

      public class ShortThreads {
        static volatile String last;

        static void open(int arenas) {
          for (int i = 0; i < arenas; i++) {
            try (Arena arena = Arena.ofConfined()) {
              arena.allocate(8);
              last = arena.getClass().getName();
            }
          }
        }

        public static void main(String[] args) throws InterruptedException {
          int arenas = Integer.parseInt(args[0]);
          open(arenas);
          while (!Start.isPutOff() && !last.contains("Rockpool")) {
            Thread thread = new Thread(() -> open(arenas));
            thread.start();
            thread.join();
          }
          System.out.println(last);
          while (!last.contains("Rockpool")) {
            open(1);
          }
          System.out.println(last);
        }
      }
      """;

  /** Has virtual threads wait inside arenas until the start is put off, and then opens others. */
  private static final String PUT_OFF =
      """
      import java.lang.foreign.Arena;
      import java.util.Scanner;

      public class PutOff {
        static void open() {
          while (true) {
            try (Arena arena = Arena.ofConfined()) {
              arena.allocate(8);
              Thread.sleep(50);
            } catch (InterruptedException never) {
              return;
            }
          }
        }

        static String arena() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            return arena.getClass().getName();
          }
        }

        public static void main(String[] args) throws InterruptedException {
          for (int i = 0; i < 1000; i++) {
            Thread.ofVirtual().start(PutOff::open);
          }
          while (!Start.isPutOff()) {
            Thread.sleep(1);
          }
          System.out.println("put off");
          Scanner lines = new Scanner(System.in);
          while (lines.hasNextLine()) {
            lines.nextLine();
            System.out.println(arena());
          }
        }
      }
      """;

  /** Has virtual threads open arenas in turn, each many, until the pool starts or is put off. */
  private static final String IN_TURN =
      """
      import java.lang.foreign.Arena;
      import java.util.concurrent.Semaphore;

      public class InTurn {
        static volatile String last;

        static void open() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            last = arena.getClass().getName();
          }
        }

        static void openInTurn(Semaphore turn, Semaphore next) {
          while (true) {
            turn.acquireUninterruptibly();
            open();
            next.release();
          }
        }

        public static void main(String[] args) throws InterruptedException {
          for (int i = 0; i < 4096; i++) { // as many as the agent counts before it looks
            open();
          }
          Semaphore first = new Semaphore(1);
          Semaphore turn = first;
          for (int i = 0; i < 5; i++) {
            Semaphore own = turn;
            Semaphore next = i == 4 ? first : new Semaphore(0);
            Thread.ofVirtual().start(() -> openInTurn(own, next));
            turn = next;
          }
          while (!Start.isPutOff() && !last.contains("Rockpool")) {
            Thread.sleep(1);
          }
          System.out.println(last);
        }
      }
      """;

  @TempDir private Path folder;

  @Test
  void thePoolStartsOnceVirtualThreadsNoLongerWaitInsideArenas() {
    Sources.compileTo(folder, SLEEPERS);

    assertThat(
            ChildJvm.plain()
                .with("-javaagent:" + ChildJvm.AGENT_JAR)
                .startingAfter("")
                .classPath(folder)
                .run("Sleepers")
                .quietOutput())
        .containsExactly(REGULAR, REGULAR, ChildJvm.POOLED, ChildJvm.POOLED);
  }

  @ParameterizedTest
  @CsvSource({"3, false", "1000, true"})
  void thePoolStartsOnceThreadsDoNotEndAfterAFewArenas(int arenas, boolean atOnce) {
    Sources.compileTo(folder, START, SHORT_THREADS);

    assertThat(
            ChildJvm.plain()
                .with("-javaagent:" + ChildJvm.AGENT_JAR, "-Drockpool.first.arenas=0")
                .startingAfter("")
                .classPath(folder)
                .run("ShortThreads", Integer.toString(arenas))
                .quietOutput())
        .containsExactly(atOnce ? ChildJvm.POOLED : REGULAR, ChildJvm.POOLED);
  }

  @Test
  void thePoolStartsForVirtualThreadsThatOpenManyArenasInTurn() {
    Sources.compileTo(folder, START, IN_TURN);

    assertThat(
            ChildJvm.plain()
                .with("-javaagent:" + ChildJvm.AGENT_JAR)
                .startingAfter("")
                .classPath(folder)
                .run("InTurn")
                .quietOutput())
        .containsExactly(ChildJvm.POOLED);
  }

  /** Checked arenas do not wait for virtual threads, therefore not for a start that does. */
  @Test
  void anAgentThatComesAgainChecksArenasAlthoughTheStartIsPutOff() throws Exception {
    Sources.compileTo(folder, START, PUT_OFF);
    ChildJvm jvm =
        ChildJvm.plain()
            .with("-javaagent:" + ChildJvm.AGENT_JAR, Attachment.ALLOW)
            .startingAfter("")
            .classPath(folder);

    try (ChildJvm.Running program = jvm.start("PutOff")) {
      assertThat(program.answer()).isEqualTo("put off");
      assertThat(program.ask("arena")).isEqualTo(REGULAR);
      Attachment.uninstall(program);
      Attachment.attach(program, "check");
      assertThat(program.ask("arena")).isEqualTo("jdk.internal.foreign.RockpoolCheckedArena");
    }
  }
}
