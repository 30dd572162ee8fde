package dev.rockpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unpacked release, where the shell finds a JDK and a few tools, and nothing else. */
class ReleaseZipIT {
  /** The programs that {@code bin/rockpool} may call. */
  private static final List<String> TOOLS =
      List.of("bash", "dirname", "head", "readlink", "sed", "sort");

  @TempDir private static Path folder;
  private static Path home;

  @BeforeAll
  static void unpack() throws IOException {
    Path zip = Path.of(System.getProperty("rockpool.zip"));
    try (FileSystem files =
            FileSystems.newFileSystem(zip, Map.of("enablePosixFileAttributes", true));
        Stream<Path> all = Files.walk(files.getPath("/"))) {
      for (Path file : (Iterable<Path>) all::iterator) {
        Path copy = folder.resolve("." + file);
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
    try (Stream<Path> entries = Files.list(folder)) {
      home = entries.toList().getFirst();
    }
    Path tools = Files.createDirectory(folder.resolve("tools"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(tools.resolve(tool), Path.of("/usr/bin", tool));
    }
  }

  @Test
  void runsTheDemo() throws IOException, InterruptedException {
    assertThat(rockpool(0, "demo", "--quick")).contains("strlen");
  }

  @Test
  void scansItsOwnJars() throws IOException, InterruptedException {
    assertThat(rockpool(0, "scan", home.resolve("lib/rockpool-cli.jar").toString()))
        .contains("rockpool-cli.jar");
  }

  @Test
  void sendsCommandsThatNeedTheSourcesToACheckout() throws IOException, InterruptedException {
    assertThat(rockpool(2, "bench")).contains("bench needs Rockpool's sources");
    assertThat(rockpool(0, "help")).contains("\n  scan ").doesNotContain("bench");
  }

  /** What it prints to be typed works in the folder of whoever reads it. */
  @Test
  void namesItsCommandsAsTheyCanBeTyped() throws IOException, InterruptedException {
    assertThat(rockpool(2, "scan")).endsWith("Try '" + home + "/bin/rockpool scan --help'.\n");
  }

  @Test
  void hasLicencesAndPages() {
    assertThat(home.resolve("LICENSE")).isNotEmptyFile();
    assertThat(home.resolve("third-party-licenses.txt")).isNotEmptyFile();
    assertThat(home.resolve("docs/commands.md")).isNotEmptyFile();
    assertThat(home.resolve("bin/rockpool.bat")).content().contains("rockpool-cli.jar\" %*\r\n");
  }

  private static String rockpool(int expected, String... arguments)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "rockpool", ".out");
    ProcessBuilder builder = new ProcessBuilder(home.resolve("bin/rockpool").toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().clear();
    builder.environment().put("PATH", folder.resolve("tools").toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.redirectErrorStream(true).redirectOutput(out.toFile()).directory(folder.toFile());
    Process process = builder.start();
    boolean ended = process.waitFor(3, TimeUnit.MINUTES);
    process.destroyForcibly().waitFor();
    String said = Files.readString(out);
    assertThat(ended).as(said).isTrue();
    assertThat(process.exitValue()).as(said).isEqualTo(expected);
    return said;
  }
}
