package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that load classes in their own ways, as containers and plug-in systems do. */
class ClassLoadersIT {
  private static final String PLUGIN =
      """
      package plugin;

      import module java.base;

      public class Plugin implements Supplier<String> {
        @Override public String get() {
          Supplier<Arena> reference = Arena::ofConfined;
          try (Arena called = Arena.ofConfined(); Arena referred = reference.get()) {
            called.allocate(1);
            referred.allocate(1);
            return called.getClass().getName() + " " + referred.getClass().getName();
          }
        }
      }
      """;

  private static final String MAIN =
      """
      import module java.base;

      public class Main {
        static final String PLUGIN = "plugin.Plugin";
        static URL[] urls;
        static byte[] bytes;

        public static void main(String[] args) throws Exception {
          Path directory = Path.of(args[1]);
          urls = new URL[] {directory.toUri().toURL()};
          bytes = Files.readAllBytes(directory.resolve("plugin/Plugin.class"));
          Supplier<?> first = run(new URLClassLoader(urls, null));
          Supplier<?> second = run(new URLClassLoader(urls, ClassLoader.getPlatformClassLoader()));
          run(new URLClassLoader(urls));
          run(new ChildFirst());
          run(new ChildFirst.Isolated());
          System.out.println(first.getClass() == second.getClass());
        }

        static Supplier<?> run(ClassLoader loader) throws Exception {
          Object plugin = loader.loadClass(PLUGIN).getConstructor().newInstance();
          System.out.println(((Supplier<?>) plugin).get());
          return (Supplier<?>) plugin;
        }
      }

      class ChildFirst extends ClassLoader {
        @Override public Class<?> loadClass(String name, boolean resolve)
            throws ClassNotFoundException {
          return name.equals(Main.PLUGIN)
              ? defineClass(name, Main.bytes, 0, Main.bytes.length)
              : delegate(name);
        }

        Class<?> delegate(String name) throws ClassNotFoundException {
          return super.loadClass(name, false);
        }

        /** Lets through what a sandbox has to let through, and asks nobody else. */
        static class Isolated extends ChildFirst {
          @Override Class<?> delegate(String name) throws ClassNotFoundException {
            if (name.startsWith("java.")) {
              return getPlatformClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
          }
        }
      }
      """;

  /** Defines itself again, in two ways. */
  private static final String LOOKUPS =
      """
      static void main(String[] args) throws Exception {
        byte[] bytes = Files.readAllBytes(Path.of(args[1], "plugin/Plugin.class"));
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(plugin.Host.class, MethodHandles.lookup());
        Class<?> plugin = switch (args[0]) {
          case "defineClass" -> lookup.defineClass(bytes);
          case "defineHiddenClass" -> lookup.defineHiddenClass(bytes, true).lookupClass();
          default -> throw new AssertionError(args[0]);
        };
        System.out.println(((Supplier<?>) plugin.getConstructor().newInstance()).get());
      }
      """;

  private static final String NAMELESS =
      """
      import module java.base;

      public class Main extends ClassLoader {
        public static void main(String[] args) throws Exception {
          byte[] bytes = Files.readAllBytes(Path.of(args[0], "plugin/Plugin.class"));
          Class<?> plugin = new Main().defineClass(null, bytes, 0, bytes.length);
          System.out.println(((Supplier<?>) plugin.getConstructor().newInstance()).get());
        }
      }
      """;

  private static final String HOST =
      """
      package plugin;

      public interface Host {}
      """;

  @TempDir private Path directory;
  private Path plugin;
  private Path main;

  @BeforeEach
  void compile() {
    plugin = Sources.compileTo(directory.resolve("plugin"), PLUGIN);
    main = directory.resolve("main");
  }

  @Test
  void everyClassLoaderIsServed() {
    Sources.compileTo(main, MAIN);

    assertThat(run("all").quietOutput()).containsOnly(POOLED + " " + POOLED, "false").hasSize(6);
  }

  @Test
  void aClassDefinedByALookupIsServed() {
    Sources.compileTo(main, LOOKUPS, HOST);

    assertThat(run("defineClass").quietOutput()).containsExactly(POOLED + " " + POOLED);
  }

  /** The JVM reads the name from the class file then, and tells no agent. */
  @Test
  void aClassWhoseLoaderDoesNotNameItIsServed() {
    Sources.compileTo(main, NAMELESS);

    for (boolean excluded : new boolean[] {false, true}) {
      ChildJvm.Exit exit =
          ChildJvm.withAgent("verbose", excluded ? "exclude=plugin.*" : "include=*")
              .classPath(main)
              .run("Main", plugin.toString());

      String arena = excluded ? REGULAR : POOLED;
      assertThat(exit.output()).containsExactly(arena + " " + arena);
      assertThat(exit.err())
          .anyMatch(
              line ->
                  line.startsWith("[rockpool] plugin.Plugin: ")
                      && line.endsWith(excluded ? "excluded by options" : " rewritten"));
    }
  }

  /** The JVM does not show hidden classes to agents. */
  @Test
  void aHiddenClassKeepsTheArenasOfTheJdk() {
    Sources.compileTo(main, LOOKUPS, HOST);

    assertThat(run("defineHiddenClass").quietOutput()).containsExactly(REGULAR + " " + REGULAR);
  }

  private ChildJvm.Exit run(String loader) {
    return ChildJvm.withAgent().classPath(main).run("Main", loader, plugin.toString());
  }
}
