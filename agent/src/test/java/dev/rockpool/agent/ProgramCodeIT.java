package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Code of the program that the agent leads to: its standard error, its JMX listeners, and where it
 * says that its classes are from. Neither the program nor an attach waits for it.
 */
class ProgramCodeIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /**
   * Loads Main, and what it needs, by a loader that locks itself; Main has a standard error of its
   * own.
   */
  private static final String LAUNCH =
      """
      import module java.base;

      /** Not parallel capable. */
      public class Launch extends ClassLoader {
        private final Path folder;

        Launch(Path folder) {
          super(Launch.class.getClassLoader().getParent());
          this.folder = folder;
        }

        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
          try {
            byte[] bytes = Files.readAllBytes(folder.resolve(name + ".class"));
            return defineClass(name, bytes, 0, bytes.length);
          } catch (java.io.IOException none) {
            throw new ClassNotFoundException(name, none);
          }
        }

        public static void main(String[] args) throws Exception {
          Class<?> main = new Launch(Path.of(args[0])).loadClass("Main");
          main.getMethod("main", String[].class).invoke(null, (Object) args);
        }
      }
      """;

  private static final String MAIN =
      """
      import module java.base;
      import module java.management;

      public class Main {
        static final PrintStream ERR = System.err;

        public static void main(String[] args) throws Exception {
          switch (args[1]) {
            case "blocks" -> System.setErr(new PrintStream(new Blocking(), true));
            case "throws" -> System.setErr(new PrintStream(ERR) {
              @Override public void println(String line) {
                throw new IllegalStateException("refused");
              }
            });
            case "opens" -> {
              System.setErr(new Opening());
              System.err.println("loads what it needs");
            }
            case "loads" -> loads();
            case "listens" -> listens();
            default -> throw new AssertionError(args[1]);
          }
          System.out.println("ready");
          Scanner lines = new Scanner(System.in);
          while (lines.hasNextLine()) {
            lines.nextLine();
            System.out.println(User.name());
          }
        }

        /** Another thread prints, and for that loads a class, while this one loads another. */
        static void loads() throws Exception {
          CountDownLatch printing = new CountDownLatch(1);
          System.setErr(new PrintStream(new OutputStream() {
            @Override public void write(int letter) {
              if (printing.getCount() != 0) {
                printing.countDown();
                Format.await();
              }
              ERR.write(letter);
            }
          }, true));
          Thread printer = new Thread(() -> System.err.println("a line of the program"));
          synchronized (Main.class.getClassLoader()) {
            printer.start();
            printing.await();
            System.out.println(User.name());
          }
          printer.join();
        }

        static void listens() throws Exception {
          var server = ManagementFactory.getPlatformMBeanServer();
          server.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, (event, none) -> {
            if (event.getType().equals(MBeanServerNotification.UNREGISTRATION_NOTIFICATION)) {
              block();
            }
          }, null, null);
          System.out.println(User.name());
          ObjectName name = new ObjectName("dev.rockpool:type=Agent");
          while (!server.isRegistered(name)) {
            Thread.yield();
          }
        }

        static void block() {
          while (true) {
            LockSupport.park();
          }
        }

        static class Blocking extends OutputStream {
          @Override public void write(int letter) {
            block();
          }
        }

        static class Opening extends PrintStream {
          Opening() {
            super(ERR, true);
          }

          @Override public void println(String line) {
            super.println(Writer.written(line));
          }
        }

        static class Writer {
          static String written(String line) {
            try (Arena arena = Arena.ofConfined()) {
              return arena.allocateFrom(line).getString(0);
            }
          }
        }

        static class Format {
          static void await() {}
        }

        static class User {
          static String name() {
            try (Arena arena = Arena.ofConfined()) {
              arena.allocate(8);
              return arena.getClass().getName();
            }
          }
        }
      }
      """;

  /** A class that says it is from the place that the program is given. */
  private static final String PLUGIN =
      """
      import module java.base;
      import java.security.cert.Certificate;

      public class Main extends ClassLoader {
        public static class Plugin implements Supplier<String> {
          @Override public String get() {
            try (Arena arena = Arena.ofConfined()) {
              arena.allocate(8);
              return arena.getClass().getName();
            }
          }
        }

        Class<?> define(byte[] bytes, String place) throws Exception {
          CodeSource source = new CodeSource(URI.create(place).toURL(), (Certificate[]) null);
          return defineClass(null, bytes, 0, bytes.length, new ProtectionDomain(source, null));
        }

        Main() {
          super(null);
        }

        public static void main(String[] args) throws Exception {
          byte[] bytes = Main.class.getResourceAsStream("Main$Plugin.class").readAllBytes();
          Object plugin =
              new Main().define(bytes, args[0]).getConstructor().newInstance();
          System.out.println("ready");
          Scanner lines = new Scanner(System.in);
          while (lines.hasNextLine()) {
            lines.nextLine();
            System.out.println(((Supplier<?>) plugin).get());
          }
        }
      }
      """;

  @TempDir private Path directory;
  private Path launch;
  private Path program;

  @BeforeEach
  void compile() {
    launch = Sources.compileTo(directory.resolve("launch"), LAUNCH);
    program = Sources.compileTo(directory.resolve("program"), MAIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocks", "throws"})
  void aProgramWhoseStandardErrorFailsRunsOn(String how) {
    try (ChildJvm.Running running = start(ChildJvm.withAgent("verbose"), how)) {
      assertThat(running.answer()).isEqualTo("ready");
      assertThat(running.ask("name")).isEqualTo(POOLED);
      assertThat(running.end().output()).hasSize(2);
    }
  }

  /** The JVM prints to standard error, too, where an agent throws: nobody can be told. */
  @Test
  void anAttachThatIsRefusedComesBackWhereStandardErrorBlocks() throws Exception {
    try (ChildJvm.Running running = start(ChildJvm.plain(), "blocks")) {
      assertThat(running.answer()).isEqualTo("ready");

      for (String refused : List.of("nonsense", "arenas=2")) {
        assertTimeoutPreemptively(PATIENCE, () -> Attachment.attach(running, refused));
        assertThat(running.ask("name")).isEqualTo(REGULAR);
      }

      assertTimeoutPreemptively(PATIENCE, () -> Attachment.attach(running, ""));
      assertThat(running.ask("name")).isEqualTo(POOLED);
      running.end().output();
    }
  }

  /** On the thread that loads the class of the writer, it needed that class already. */
  @Test
  void standardErrorMayOpenArenas() {
    try (ChildJvm.Running running = start(ChildJvm.withAgent("verbose"), "opens")) {
      assertThat(running.answer()).isEqualTo("ready");
      assertThat(running.ask("name")).isEqualTo(POOLED);

      ChildJvm.Exit exit = running.end();
      exit.output();
      assertThat(exit.err())
          .contains("[rockpool] Main$User: 1 call site of Arena.ofConfined() rewritten");
    }
  }

  /** The lock of the loader, and that of the stream. */
  @Test
  void noLockOfTheProgramIsWaitedForWhileAClassIsLoaded() {
    try (ChildJvm.Running running = start(ChildJvm.withAgent("verbose"), "loads")) {
      assertThat(running.answer()).isEqualTo(POOLED);
      assertThat(running.answer()).isEqualTo("ready");
      running.end().output();
    }
  }

  @Test
  void theAgentLeavesWhereAListenerBlocks() throws Exception {
    try (ChildJvm.Running running = start(ChildJvm.withAgent(), "listens")) {
      assertThat(running.answer()).isEqualTo(POOLED);
      assertThat(running.answer()).isEqualTo("ready");

      assertTimeoutPreemptively(PATIENCE, () -> Attachment.uninstall(running));

      assertThat(running.ask("name")).isEqualTo(REGULAR);
      running.end().quietOutput();
    }
  }

  /** A shell makes pipes of that kind for {@code java -cp <(...)}. */
  @Test
  void anAttachReadsNoPipes() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("folder"));
    Path pipe = pipe(directory.resolve("pipe"));
    Path file = pipe(folder.resolve("Main$Plugin.class"));
    for (Path place : List.of(pipe, folder)) {
      try (ChildJvm.Running running =
          ChildJvm.plain()
              .with(Attachment.ALLOW)
              .program(PLUGIN)
              .start("Main", place.toUri().toString())) {
        assertThat(running.answer()).isEqualTo("ready");

        assertTimeoutPreemptively(PATIENCE, () -> Attachment.attach(running, ""));

        assertThat(running.ask("name")).as("%s, %s", place, file).isEqualTo(POOLED);
        running.end().quietOutput();
      }
    }
  }

  private static Path pipe(Path path) throws Exception {
    try {
      assumeThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
    } catch (IOException noSuchProgram) {
      assumeThat(noSuchProgram).isNull();
    }
    return path;
  }

  private ChildJvm.Running start(ChildJvm jvm, String what) {
    return jvm.with(Attachment.ALLOW).classPath(launch).start("Launch", program.toString(), what);
  }
}
