package dev.rockpool.cli.support;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;

/** The files that a subcommand starts other JVMs with. */
public final class Installation {
  private static final String RELEASED_AGENT = "lib/rockpool-agent.jar";

  private Installation() {}

  /** The folder of the project or of an unpacked release, as {@code rockpool} hands it over. */
  public static Path home() {
    String home = System.getProperty("rockpool.home");
    if (home == null) {
      throw new CommandFailure(
          "System property rockpool.home must name the project's folder: it is not set; start"
              + " through ./rockpool, or with java -Drockpool.home=FOLDER -jar rockpool-cli.jar");
    }
    return Path.of(home).toAbsolutePath().normalize();
  }

  /** Whether this is an unpacked release, which has neither sources nor benchmarks. */
  public static boolean isRelease() {
    return System.getProperty("rockpool.home") != null
        && Files.isRegularFile(home().resolve(RELEASED_AGENT));
  }

  /** The agent, in folder {@code lib} of a release or {@code agent/target} of the project. */
  public static Path agentJar() {
    Path jar = home().resolve(isRelease() ? RELEASED_AGENT : "agent/target/rockpool-agent.jar");
    if (!Files.isRegularFile(jar)) {
      throw new CommandFailure(
          "The agent is not built: there is no " + jar + "; start through ./rockpool");
    }
    return jar;
  }

  /** The jar, or folder of classes, that this code was loaded from. */
  public static Path ownClasses() {
    CodeSource source = Installation.class.getProtectionDomain().getCodeSource();
    try {
      return Path.of(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The {@code java} that this process was started with. */
  public static Path java() {
    return java(Path.of(System.getProperty("java.home")));
  }

  /** The {@code java} of the JDK in folder {@code home}. */
  public static Path java(Path home) {
    return home.resolve("bin").resolve(File.separatorChar == '\\' ? "java.exe" : "java");
  }

  /** A line to type where this process was started, such as {@code ./rockpool report a.jfr}. */
  public static String command(String... words) {
    StringBuilder line = new StringBuilder(System.getProperty("rockpool.command", "./rockpool"));
    for (String word : words) {
      boolean isPlain = word.matches("[\\w@%+=:,./-]+");
      line.append(' ').append(isPlain ? word : "'" + word.replace("'", "'\\''") + "'");
    }
    return line.toString();
  }

  /** Rockpool's version, or "(not packaged)" where classes run from a folder. */
  public static String version() {
    String version = Installation.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
