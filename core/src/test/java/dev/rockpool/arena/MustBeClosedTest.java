package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.MustBeClosed;
import dev.rockpool.direct.DirectMemory;
import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Error Prone sees what has to be closed; a compiler without it, and without its jar, is quiet. */
class MustBeClosedTest {
  private static final Path CLASSES = Path.of("target/classes");

  private static final String PROGRAM =
      """
      package app;
      import dev.rockpool.arena.ArenaPool;
      import dev.rockpool.arena.Arenas;
      import dev.rockpool.direct.DirectMemory;
      import java.lang.foreign.Arena;
      public class Main {
        private Main() {}
        public static Arena[] open() {
          return new Arena[] {
            Arenas.ofConfined(), ArenaPool.shared().take(),
            DirectMemory.global().ofConfined(), DirectMemory.global().ofShared(),
          };
        }
      }
      """;

  @TempDir private Path folder;

  @Test
  void eachMethodThatOpensAnArenaToBeClosedSaysSo() {
    assertThat(
            Stream.of(Arenas.class, ArenaPool.class, DirectMemory.class)
                .flatMap(MustBeClosedTest::publicMethods)
                .filter(each -> each.methodTypeSymbol().returnType().displayName().equals("Arena"))
                .filter(each -> !each.methodName().equalsString("ofAuto")))
        .hasSize(4)
        .allMatch(MustBeClosedTest::isMarked);
  }

  @Test
  void compilersWithoutTheAnnotationHaveNoWarning() throws IOException {
    List<String> strict = List.of("-Xlint:all", "-Werror");
    Path onClassPath = Files.createDirectory(folder.resolve("class-path"));
    Path onModulePath = Files.createDirectory(folder.resolve("module-path"));

    Sources.compileTo(onClassPath, with(strict, "-cp", CLASSES.toString()), PROGRAM);
    Sources.compileTo(
        onModulePath,
        with(strict, "-p", CLASSES.toString()),
        PROGRAM,
        "module app { requires dev.rockpool; }");

    assertThat(onClassPath.resolve("app/Main.class")).exists();
    assertThat(onModulePath.resolve("app/Main.class")).exists();
  }

  private static List<String> with(List<String> options, String... more) {
    return Stream.concat(options.stream(), Stream.of(more)).toList();
  }

  private static Stream<MethodModel> publicMethods(Class<?> type) {
    try (InputStream bytes = type.getResourceAsStream(type.getSimpleName() + ".class")) {
      return ClassFile.of().parse(bytes.readAllBytes()).methods().stream()
          .filter(each -> each.flags().has(AccessFlag.PUBLIC));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isMarked(MethodModel method) {
    return method.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
        .flatMap(each -> each.annotations().stream())
        .anyMatch(each -> each.className().equalsString(MustBeClosed.class.descriptorString()));
  }
}
