package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.MustBeClosed;
import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Error Prone sees what has to be closed; a compiler without it, and without its jar, is quiet. */
class MustBeClosedTest {
  private static final String CLASSES = "target/classes";

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
  void eachMethodThatOpensAnArenaToBeClosedSaysSo() throws IOException {
    List<MethodModel> opening = new ArrayList<>();
    for (String type : List.of("arena/Arenas", "arena/ArenaPool", "direct/DirectMemory")) {
      Path file = Path.of(CLASSES, "dev/rockpool", type + ".class");
      ClassFile.of().parse(file).methods().stream()
          .filter(each -> each.flags().has(AccessFlag.PUBLIC))
          .filter(each -> each.methodTypeSymbol().returnType().displayName().equals("Arena"))
          .filter(each -> !each.methodName().equalsString("ofAuto"))
          .forEach(opening::add);
    }
    assertThat(opening).hasSize(4).allMatch(MustBeClosedTest::isMarked);
  }

  @Test
  void compilersWithoutTheAnnotationHaveNoWarning() throws IOException {
    Path onClassPath = Files.createDirectory(folder.resolve("class-path"));
    Path onModulePath = Files.createDirectory(folder.resolve("module-path"));

    Sources.compileTo(onClassPath, List.of("-Xlint:all", "-Werror", "-cp", CLASSES), PROGRAM);
    Sources.compileTo(
        onModulePath,
        List.of("-Xlint:all", "-Werror", "-p", CLASSES),
        PROGRAM,
        "module app { requires dev.rockpool; }");

    assertThat(onClassPath.resolve("app/Main.class")).exists();
    assertThat(onModulePath.resolve("app/Main.class")).exists();
  }

  private static boolean isMarked(MethodModel method) {
    return method.findAttribute(Attributes.runtimeInvisibleAnnotations()).stream()
        .flatMap(each -> each.annotations().stream())
        .anyMatch(each -> each.className().equalsString(MustBeClosed.class.descriptorString()));
  }
}
