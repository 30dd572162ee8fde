package dev.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.Arenas;
import dev.rockpool.pool.Pooler;
import dev.rockpool.scan.Scan;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Modifier;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The page of the public API has what javap prints of the libraries' modules, and of their public
 * and protected elements, so that a review sees each change. {@code -Dapi.page.write=true} writes
 * the page.
 */
class PublicApiTest {
  private static final Path PAGE = Path.of("../docs/api.txt");

  private final StringBuilder page = new StringBuilder();

  @Test
  void pageHasEachPublicElement() throws Exception {
    append(
        Arenas.class,
        "module-info",
        "dev/rockpool/arena",
        "dev/rockpool/call",
        "dev/rockpool/direct");
    append(Scan.class, "module-info", "dev/rockpool/scan");
    append(Pooler.class, "dev/rockpool/pool");
    if (Boolean.getBoolean("api.page.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).content().isEqualTo(page.toString());
  }

  /** Appends the module's declaration, or all packages, of the library that has {@code type}. */
  private void append(Class<?> type, String... names) throws Exception {
    Path library = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(library)) {
      for (String name : names) {
        append(library, library + "/", name);
      }
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(library)) {
        for (String name : names) {
          append(jar.getPath("/"), "jar:" + library.toUri() + "!/", name);
        }
      }
    }
  }

  private void append(Path root, String location, String name) throws Exception {
    if (name.equals("module-info")) {
      page.append(javap(location + name + ".class").replaceAll("@[^ ;]+", ""));
      return;
    }
    try (Stream<Path> files = Files.list(root.resolve(name))) {
      for (String file : files.map(path -> path.getFileName().toString()).sorted().toList()) {
        if (file.endsWith(".class") && isPublic(load(name + "/" + file))) {
          page.append(javap(location + name + "/" + file));
        }
      }
    }
  }

  private static Class<?> load(String file) throws ClassNotFoundException {
    String name = file.replaceFirst("\\.class$", "").replace('/', '.');
    return Class.forName(name, false, PublicApiTest.class.getClassLoader());
  }

  private static boolean isPublic(Class<?> type) {
    return (type.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
        && (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
  }

  private static String javap(String file) {
    StringWriter out = new StringWriter();
    PrintWriter printer = new PrintWriter(out);
    int code =
        ToolProvider.findFirst("javap")
            .orElseThrow()
            .run(printer, printer, "-protected", "-constants", file);
    assertThat(code).as(out.toString()).isZero();
    return out.toString().replace("\r", "").replaceFirst("Compiled from .*\n", "") + "\n";
  }
}
