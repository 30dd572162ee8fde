package dev.rockpool.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server in a JVM of its own, which answers each line of its standard input by a line. */
public final class ServerJvm implements AutoCloseable {
  /** The jars, as the build made them. */
  public static final String AGENT = System.getProperty("rockpool.agent.jar");

  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter questions;
  private final Path err;

  /**
   * Starts a server.
   *
   * @param folder for what it writes
   * @param environment variables to set; others that give options to JVMs are removed
   * @param options of the JVM, the class path apart
   */
  public ServerJvm(
      Path folder, Map<String, String> environment, List<String> options, String... program)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(program));
    err = Files.createTempFile(folder, "err", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    builder.environment().putAll(environment);
    process = builder.start();
    process
        .onExit()
        .completeOnTimeout(process, 120, TimeUnit.SECONDS)
        .thenAccept(Process::destroyForcibly);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    questions = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  /** Returns the next line of standard output. */
  public String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new AssertionError("The server has ended: " + err());
    }
    return line;
  }

  /** Writes a line and returns the next. */
  public String ask(String question) throws IOException {
    questions.println(question);
    return answer();
  }

  /** Returns standard error until now. */
  public String err() throws IOException {
    return Files.readString(err);
  }

  /** Returns the exit code, after the end of standard input. */
  public int end() throws InterruptedException {
    questions.close();
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
