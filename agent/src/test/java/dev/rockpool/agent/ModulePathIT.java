package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs made of named modules, which know nothing of Rockpool. */
@Tag("jdk")
class ModulePathIT {
  private static final String MAIN =
      """
      package app.internal;

      import module java.base;

      public class Main {
        public static void main(String[] args) {
          print(Main.class.getModule().getName() + " call", Arena.ofConfined());
          Supplier<Arena> reference = Arena::ofConfined;
          print(Main.class.getModule().getName() + " reference", reference.get());
          for (Supplier<?> service : ServiceLoader.load(Supplier.class)) {
            print(service.getClass().getModule().getName(), (Arena) service.get());
          }
        }

        static void print(String what, Arena arena) {
          try (arena) {
            arena.allocateFrom("text");
            System.out.println(what + ": " + arena.getClass().getName());
          }
        }
      }
      """;

  private static final String SERVICE =
      """
      package plugin;

      import module java.base;

      public class Service implements Supplier<Arena> {
        @Override public Arena get() { return Arena.ofConfined(); }
      }
      """;

  /** Loads the two modules by a layer of its own, with a class loader for each. */
  private static final String LAYERS =
      """
      import module java.base;
      import java.lang.module.Configuration;

      public class Main {
        public static void main(String[] args) throws Exception {
          ModuleFinder finder = ModuleFinder.of(Path.of(args[0]), Path.of(args[1]));
          ModuleLayer boot = ModuleLayer.boot();
          Configuration modules =
              boot.configuration().resolveAndBind(finder, ModuleFinder.of(), List.of(args[2]));
          var controller =
              ModuleLayer.defineModulesWithManyLoaders(
                  modules, List.of(boot), ClassLoader.getPlatformClassLoader());
          Module app = controller.layer().findModule(args[2]).orElseThrow();
          controller.addExports(app, "app.internal", Main.class.getModule());
          Thread.currentThread().setContextClassLoader(app.getClassLoader());
          Class<?> main = Class.forName(app, "app.internal.Main");
          main.getMethod("main", String[].class).invoke(null, (Object) null);
        }
      }
      """;

  @TempDir private Path directory;
  private Path app;
  private Path plugin;

  @BeforeEach
  void compileModules() {
    app = directory.resolve("app");
    plugin = directory.resolve("plugin");
    Sources.compileTo(app, "module app { uses java.util.function.Supplier; }", MAIN);
    Sources.compileTo(
        plugin,
        "module plugin { provides java.util.function.Supplier with plugin.Service; }",
        SERVICE);
  }

  /** Only for others: the agent needs none. */
  @Test
  void namedModulesAreServedWithoutAWord() {
    ChildJvm jvm = modular().with("--illegal-native-access=deny");

    assertThat(
            jvm.with("--enable-native-access=plugin")
                .run("-m", "app/app.internal.Main")
                .quietOutput())
        .containsExactly("app call: " + POOLED, "app reference: " + POOLED, "plugin: " + POOLED);
  }

  @Test
  void aRuntimeOfFewModulesIsEnough() {
    ChildJvm jvm = modular().with("--limit-modules=java.base,app,plugin");

    assertThat(jvm.run("-m", "app/app.internal.Main").quietOutput())
        .containsExactly("app call: " + POOLED, "app reference: " + POOLED, "plugin: " + POOLED);
  }

  @Test
  void modulesInALayerOfTheirOwnAreServed() {
    assertThat(ChildJvm.withAgent().program(LAYERS).lines(app.toString(), plugin.toString(), "app"))
        .containsExactly("app call: " + POOLED, "app reference: " + POOLED, "plugin: " + POOLED);
  }

  /** Named like modules of the JDK, as some libraries are. */
  @ParameterizedTest
  @ValueSource(strings = {"java.app", "jdk.app"})
  void modulesAreServedWhateverTheirName(String name) {
    Path named = directory.resolve(name);
    Sources.compileTo(named, "module " + name + " { uses java.util.function.Supplier; }", MAIN);
    List<String> expected =
        List.of(name + " call: " + POOLED, name + " reference: " + POOLED, "plugin: " + POOLED);
    ChildJvm inBootLayer = ChildJvm.withAgent().modulePath(named, plugin);
    assertThat(inBootLayer.run("-m", name + "/app.internal.Main").quietOutput())
        .isEqualTo(expected);

    Path layers = Sources.compileTo(directory.resolve("layers"), LAYERS);
    ChildJvm inOwnLayer = ChildJvm.withAgent().classPath(layers);
    assertThat(inOwnLayer.lines(named.toString(), plugin.toString(), name)).isEqualTo(expected);
  }

  private ChildJvm modular() {
    return ChildJvm.withAgent().modulePath(app, plugin);
  }
}
