package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.tools.attach.AgentInitializationException;
import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An attach that fails half-way leaves the JVM as it was. */
class FailedAttachIT {
  /** Answers with the class of an arena that this class opens, or one that is loaded now. */
  private static final String MAIN =
      """
      import module java.base;

      public class Main implements Supplier<String> {
        public static void main(String[] args) throws Exception {
          URL[] here = {Main.class.getProtectionDomain().getCodeSource().getLocation()};
          System.out.println("ready");
          Scanner lines = new Scanner(System.in);
          while (lines.hasNextLine()) {
            ClassLoader loader = lines.nextLine().equals("loaded")
                ? Main.class.getClassLoader()
                : new URLClassLoader(here, null);
            System.out.println(
                ((Supplier<?>) loader.loadClass("Main").getConstructor().newInstance()).get());
          }
        }

        @Override public String get() {
          try (Arena arena = Arena.ofConfined()) {
            return arena.getClass().getName();
          }
        }
      }
      """;

  /**
   * Hands the agent an Instrumentation of which one call fails: of that method, and that number.
   */
  private static final String FAILING =
      """
      import module java.base;
      import java.lang.instrument.Instrumentation;
      import java.lang.reflect.Proxy;

      public class Failing {
        public static void agentmain(String arguments, Instrumentation real) throws Exception {
          String[] words = arguments.split(" ");
          AtomicInteger left = new AtomicInteger(Integer.parseInt(words[2]));
          Object failing = Proxy.newProxyInstance(
              ClassLoader.getSystemClassLoader(), new Class<?>[] {Instrumentation.class},
              (proxy, method, parameters) -> {
                if (method.getName().equals(words[1]) && left.decrementAndGet() == 0) {
                  throw new InternalError("call of " + method.getName());
                }
                try {
                  return method.invoke(real, parameters);
                } catch (InvocationTargetException thrown) {
                  throw thrown.getCause();
                }
              });
          String entry;
          try (JarFile jar = new JarFile(words[0])) {
            entry = jar.getManifest().getMainAttributes().getValue("Agent-Class");
            real.appendToSystemClassLoaderSearch(jar);
          }
          try {
            Class.forName(entry).getMethod("agentmain", String.class, Instrumentation.class)
                .invoke(null, "direct", failing);
          } catch (InvocationTargetException thrown) {
            System.out.println("failed");
            throw thrown;
          }
          System.out.println(left.get() > 0 ? "no such call" : "did without");
        }
      }
      """;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"addTransformer, 1", "getAllLoadedClasses, 1", "isModifiableClass, 4"})
  void theJvmIsAsItWasAndALaterAttachWorks(String method, int call) throws Exception {
    try (ChildJvm.Running target = start()) {
      assertThatThrownBy(() -> attachFailing(target, method, call))
          .isInstanceOf(AgentInitializationException.class);
      assertThat(target.answer()).isEqualTo("failed");
      assertThat(target.ask("loaded")).isEqualTo(REGULAR);
      assertThat(target.ask("new")).isEqualTo(REGULAR);

      Attachment.attach(target, "");
      assertThat(target.ask("loaded")).isEqualTo(POOLED);
      assertThat(target.ask("new")).isEqualTo(POOLED);
      target.end().output();
    }
  }

  /** Each class goes alone then. */
  @Test
  void classesThatTheJvmRefusesTogetherAreRewritten() throws Exception {
    try (ChildJvm.Running target = start()) {
      attachFailing(target, "retransformClasses", 1);

      assertThat(target.answer()).isEqualTo("did without");
      assertThat(target.ask("loaded")).isEqualTo(POOLED);
      target.end().quietOutput();
    }
  }

  private ChildJvm.Running start() {
    ChildJvm.Running target = ChildJvm.plain().with(Attachment.ALLOW).program(MAIN).start("Main");
    assertThat(target.answer()).isEqualTo("ready");
    return target;
  }

  private void attachFailing(ChildJvm.Running target, String method, int call) throws Exception {
    Path classes = Sources.compileTo(directory.resolve("failing"), FAILING);
    Path jar = Jars.create(directory.resolve("failing.jar"), Sources.read(classes), "Failing");
    Attachment.attach(target, jar, ChildJvm.AGENT_JAR + " " + method + " " + call);
  }
}
