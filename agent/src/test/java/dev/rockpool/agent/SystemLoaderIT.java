package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.RepeatedTest;

/**
 * A system class loader that loads one class at a time, the agent's own among them. Two threads
 * load classes with arenas, one of them by that loader: with a lock of ours around the definition
 * of our classes, each waited for the other, in a run out of three.
 */
class SystemLoaderIT {
  private static final String LOADER =
      """
      import java.net.URI;
      import java.security.CodeSource;
      import java.security.ProtectionDomain;
      import java.security.cert.Certificate;

      /** Not parallel capable. */
      public class One extends ClassLoader {
        private final ClassLoader regular;

        public One(ClassLoader regular) {
          super(regular.getParent());
          this.regular = regular;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
          String file = name.replace('.', '/') + ".class";
          try (var in = regular.getResourceAsStream(file)) {
            if (in == null) {
              throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length, domain(file));
          } catch (java.io.IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
          }
        }

        private ProtectionDomain domain(String file) throws java.io.IOException {
          String url = regular.getResource(file).toString();
          if (!url.startsWith("jar:")) {
            return null;
          }
          URI jar = URI.create(url.substring("jar:".length(), url.indexOf("!/")));
          return new ProtectionDomain(new CodeSource(jar.toURL(), (Certificate[]) null), null);
        }

        @Override
        public java.net.URL getResource(String name) {
          return regular.getResource(name);
        }

        /** The JVM asks for this with each agent. */
        void appendToClassPathForInstrumentation(String jar) throws Exception {
          var append =
              regular
                  .getClass()
                  .getDeclaredMethod("appendToClassPathForInstrumentation", String.class);
          append.setAccessible(true);
          append.invoke(regular, jar);
        }
      }
      """;

  private static final String OPENER =
      """
      import java.lang.foreign.Arena;

      public class %s {
        public static String open() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            return arena.getClass().getName();
          }
        }
      }
      """;

  private static final String MAIN =
      """
      import java.util.concurrent.*;

      public class Main {
        static class Own extends ClassLoader {
          Class<?> define() throws java.io.IOException {
            try (var in = Main.class.getResourceAsStream("/Other.class")) {
              byte[] bytes = in.readAllBytes();
              return defineClass("Other", bytes, 0, bytes.length);
            }
          }
        }

        public static void main(String[] args) throws Exception {
          CyclicBarrier both = new CyclicBarrier(2);
          FutureTask<String> first =
              new FutureTask<>(
                  () -> {
                    both.await();
                    return First.open();
                  });
          FutureTask<String> other =
              new FutureTask<>(
                  () -> {
                    both.await();
                    return (String) new Own().define().getMethod("open").invoke(null);
                  });
          Thread.ofPlatform().daemon().start(first);
          Thread.ofPlatform().daemon().start(other);
          System.out.println(first.get(30, TimeUnit.SECONDS));
          System.out.println(other.get(30, TimeUnit.SECONDS));
        }
      }
      """;

  @RepeatedTest(3)
  void threadsThatLoadClassesDoNotWaitForEachOther() {
    ChildJvm.Exit exit =
        ChildJvm.withAgent()
            .with("--add-opens=java.base/jdk.internal.loader=ALL-UNNAMED", "-Xlog:disable")
            .with("-Djava.system.class.loader=One")
            .program(LOADER, OPENER.formatted("First"), OPENER.formatted("Other"), MAIN)
            .run("Main");

    assertThat(exit.output()).containsExactly(POOLED, POOLED);
  }
}
