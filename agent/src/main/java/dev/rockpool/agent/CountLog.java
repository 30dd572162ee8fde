package dev.rockpool.agent;

import dev.rockpool.internal.Daemon;
import dev.rockpool.internal.Notices;
import dev.rockpool.record.Json;
import dev.rockpool.watch.Resident;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is in use as a line of JSON, once in a period: option {@code count.log}. Has a thread
 * of its own, because a file system or standard error may block.
 *
 * <p>The file is opened for each line, so one that was moved or deleted is made anew. What can't be
 * written is lost: a message says so once, until a line was written again.
 */
final class CountLog implements Runnable {
  private static final String THREAD_NAME = "rockpool-count";

  /** Sites in a line. */
  private static final int SITES = 10;

  private static volatile @Nullable Thread writer;

  private final AgentReport report;
  private final MemoryLimit memory;
  private final @Nullable Path file;
  private final String host = AgentOptions.host();
  private final long pid = ProcessHandle.current().pid();

  /** Whether the last line could not be written, and a part of it perhaps was. */
  private boolean hasFailed;

  CountLog(AgentReport report, MemoryLimit memory) {
    this.report = report;
    this.memory = memory;
    Path named = report.options.countLog();
    file = named == null ? null : named.toAbsolutePath();
  }

  /** Starts to write. */
  static void start(AgentReport report, MemoryLimit memory) {
    try {
      writer = Daemon.start(THREAD_NAME, new CountLog(report, memory));
    } catch (OutOfMemoryError noThread) {
      Notices.print("what is in use is not written: there is no thread to be had", noThread);
    }
  }

  /** Ends the thread, unless the file system or standard error blocks it. */
  static void stop() {
    Thread ending = writer;
    if (ending != null) {
      ending.interrupt();
    }
  }

  @Override
  public void run() {
    while (report.isActive) {
      writeLine();
      try {
        TimeUnit.SECONDS.sleep(report.options.countEverySeconds());
      } catch (InterruptedException byStopOrProgram) {
        // a program may interrupt all threads
      }
    }
  }

  /** Appends a line. */
  void writeLine() {
    try {
      String line = line(Instant.now()) + "\n";
      write((hasFailed ? "\n" + line : line).getBytes(StandardCharsets.US_ASCII));
      hasFailed = false;
    } catch (IOException | RuntimeException | OutOfMemoryError failure) {
      if (!hasFailed) {
        hasFailed = true;
        Notices.print("what is in use can't be written to " + name() + ", until it can", failure);
      }
    }
  }

  private String name() {
    return file == null ? "standard error" : file.toString();
  }

  /** In one call, so that lines of several JVMs do not mix. */
  private void write(byte[] line) throws IOException {
    if (file == null) {
      new FileOutputStream(FileDescriptor.err).write(line); // the program may replace System.err
      return;
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException("it is no regular file any more");
    }
    try (OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      out.write(line);
    }
  }

  /** Returns the figures of this moment. The page docs/counting.md lists the names. */
  String line(Instant now) {
    StringBuilder json = new StringBuilder("{");
    text(json, "time", now.toString());
    text(json.append(','), "host", host);
    number(json.append(','), "pid", pid);
    text(json.append(','), "version", report.version);
    number(json.append(','), "resident", Resident.now().all());
    Map<String, Long> figures = memory.figures();
    for (String name : new String[] {"limit", "inUse", "highest", "refused"}) {
      number(json.append(','), name, figures.getOrDefault(name, 0L));
    }
    numbers(json.append(','), "byKind", memory.inUseByKind());
    numbers(json.append(','), "self", memory.self());
    json.append(",\"sites\":[");
    String separator = "";
    for (Map.Entry<String, Long> each : memory.largestSites(SITES).entrySet()) {
      int space = each.getKey().indexOf(' ');
      text(json.append(separator).append('{'), "kind", each.getKey().substring(0, space));
      text(json.append(','), "site", each.getKey().substring(space + 1));
      number(json.append(','), "bytes", each.getValue());
      json.append('}');
      separator = ",";
    }
    return json.append("]}").toString();
  }

  private static void numbers(StringBuilder json, String name, Map<String, Long> values) {
    Json.quote(json, name).append(":{");
    String separator = "";
    for (Map.Entry<String, Long> each : values.entrySet()) {
      number(json.append(separator), each.getKey(), each.getValue());
      separator = ",";
    }
    json.append('}');
  }

  private static void number(StringBuilder json, String name, long value) {
    Json.quote(json, name).append(':').append(value);
  }

  private static void text(StringBuilder json, String name, String value) {
    Json.quote(Json.quote(json, name).append(':'), value);
  }
}
