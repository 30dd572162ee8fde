package dev.rockpool.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A small project, built by the Maven that runs the tests, on the JDK that runs the tests. Its
 * local repository has our jars; all else comes from the local repository of this build, none from
 * afar.
 */
final class MavenBuild {
  private static final String VERSION = System.getProperty("rockpool.version");
  private static final Path HOME = Path.of(System.getProperty("rockpool.home"));
  private static final Map<String, String> JARS =
      Map.of(
          "rockpool", "core",
          "rockpool-scan", "scan",
          "rockpool-rewrite", "rewrite",
          "rockpool-maven-plugin", "maven-plugin");

  private static final String SETTINGS =
      """
      <settings>
        <mirrors>
          <mirror><id>here</id><mirrorOf>*</mirrorOf><url>%s</url></mirror>
        </mirrors>
      </settings>
      """;

  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>app</groupId>
        <artifactId>app</artifactId>
        <version>1</version>
        <properties>
          <maven.compiler.release>25</maven.compiler.release>
          <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
        </properties>
        <dependencies>%s</dependencies>
        <build>
          <plugins>
            %s
          </plugins>
        </build>
      </project>
      """;

  private static final String LIBRARY =
      "<dependency><groupId>dev.rockpool</groupId><artifactId>rockpool</artifactId><version>"
          + VERSION
          + "</version></dependency>";

  final Path folder;

  /** A Maven run: all that it printed, and whether it succeeded. */
  record Outcome(String log, boolean succeeded) {}

  private MavenBuild(Path folder) {
    this.folder = folder;
  }

  /**
   * A project with a class {@code Main} and the plugin as a section of the page on builds has it;
   * its dependency on the library is optional.
   */
  static MavenBuild of(Path folder, String section, String main, boolean library)
      throws IOException {
    Files.writeString(
        folder.resolve("pom.xml"),
        POM.formatted(library ? LIBRARY : "", plugins() + published(section)));
    Path sources = Files.createDirectories(folder.resolve("src/main/java"));
    Files.writeString(sources.resolve("Main.java"), main);
    return new MavenBuild(folder);
  }

  /** Maven's own plugins in the versions of this build, which the local repository has. */
  private static String plugins() throws IOException {
    Matcher plugin =
        Pattern.compile(
                "<artifactId>(maven-(?:resources|compiler|surefire|jar)-plugin)</artifactId>"
                    + "\\s*<version>(.*?)</version>")
            .matcher(Files.readString(HOME.resolve("pom.xml")));
    String plugins =
        plugin
            .results()
            .map(
                each ->
                    "<plugin><artifactId>%s</artifactId><version>%s</version></plugin>"
                        .formatted(each.group(1), each.group(2)))
            .collect(Collectors.joining());
    assertThat(plugins.split("</plugin>")).hasSize(4);
    return plugins;
  }

  private static String published(String section) throws IOException {
    Matcher plugin =
        Pattern.compile("\n### " + section + "\n\n```xml\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(HOME.resolve("docs/build-time.md")));
    assertThat(plugin.find()).as(section).isTrue();
    return plugin.group(1);
  }

  Path classFile() {
    return folder.resolve("target/classes/Main.class");
  }

  /** Runs Maven with the repository of a test class, which has our jars from now on. */
  Outcome run(Path repository, String... arguments) throws IOException, InterruptedException {
    Path settings = folder.resolve("settings.xml");
    Path central = Path.of(System.getProperty("maven.repository"));
    Files.writeString(settings, SETTINGS.formatted(central.toUri()));
    install(repository);
    boolean windows = File.separatorChar == '\\';
    List<String> command = new ArrayList<>();
    command.add(
        Path.of(System.getProperty("maven.home"), "bin", windows ? "mvn.cmd" : "mvn").toString());
    command.addAll(List.of("-B", "-ntp", "-s", settings.toString()));
    command.add("-Dmaven.repo.local=" + repository);
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().keySet().removeAll(List.of("MAVEN_OPTS", "MAVEN_ARGS"));
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(log, process.waitFor() == 0);
  }

  private static void install(Path repository) throws IOException {
    install(repository, "rockpool-parent", HOME.resolve("pom.xml"), "pom");
    for (Map.Entry<String, String> each : JARS.entrySet()) {
      Path module = HOME.resolve(each.getValue());
      install(repository, each.getKey(), module.resolve("pom.xml"), "pom");
      install(repository, each.getKey(), module.resolve("target/" + each.getKey() + ".jar"), "jar");
    }
  }

  private static void install(Path repository, String artifact, Path file, String type)
      throws IOException {
    Path folder = repository.resolve("dev/rockpool").resolve(artifact).resolve(VERSION);
    Files.createDirectories(folder);
    assertThat(file).exists();
    Files.copy(
        file,
        folder.resolve(artifact + "-" + VERSION + "." + type),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.COPY_ATTRIBUTES);
  }
}
