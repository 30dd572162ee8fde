package dev.rockpool.cli.report.recording;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The sum of recordings, file by file. Not for several threads at once. */
public final class Merge {
  private final Figures figures = new Figures();
  private final Set<Chunk.Id> seen = new HashSet<>();
  private final List<Skipped> skipped = new ArrayList<>();
  private final List<Skipped> partly = new ArrayList<>();
  private final List<Skipped> repeated = new ArrayList<>();
  private final List<Source> sources = new ArrayList<>();

  /**
   * Adds all of {@code file} that no file before it had; or only what comes before a chunk that is
   * cut off; or nothing. Says why.
   */
  public void add(Path file) {
    try {
      merge(file);
    } catch (Unusable e) {
      skip(file, String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException e) {
      // The exceptions of the JDK's reader for nonsense are not specified.
      skip(file, "it can't be read: " + reason(e));
    } catch (OutOfMemoryError | StackOverflowError e) {
      // A damaged length, or types that contain themselves.
      skip(file, "it is damaged: reading it led to " + e);
    }
  }

  private void merge(Path file) throws IOException, Unusable {
    if (!Files.exists(file)) {
      throw new Unusable("there is no such file");
    }
    if (!Files.isRegularFile(file)) {
      throw new Unusable("it is no file");
    }
    Chunks chunks = Chunks.of(file);
    Set<Chunk.Id> inThisFile = new HashSet<>();
    List<Chunk> fresh =
        chunks.whole().stream()
            .filter(chunk -> !seen.contains(chunk.id()) && inThisFile.add(chunk.id()))
            .toList();
    if (!fresh.isEmpty()) {
      add(file, chunks, fresh);
    }
    tellWhatWasLeft(file, chunks, fresh.size());
  }

  private void add(Path file, Chunks chunks, List<Chunk> fresh) throws IOException, Unusable {
    Figures more = new Figures();
    if (fresh.size() == chunks.whole().size() && chunks.cut() == null) {
      new RecordingReader(more).read(file);
    } else {
      readCopy(file, fresh, more);
    }
    if (!more.fromRecorder()) {
      throw new Unusable(
          chunks.cut() == null
              ? "no arenas were recorded in it: its JVM ran without the recorder"
              : chunks.cut() + "; what comes before has no arenas");
    }
    if (more.jvms() == 0) {
      more.addJvm(file.toAbsolutePath().normalize().toString());
    }
    fresh.forEach(chunk -> more.addRecordedNanos(chunk.id().durationNanos()));
    figures.add(more);
    fresh.forEach(chunk -> seen.add(chunk.id()));
    sources.add(Source.of(file, chunks.whole(), more.facts()));
  }

  private void tellWhatWasLeft(Path file, Chunks chunks, int fresh) {
    int whole = chunks.whole().size();
    if (chunks.cut() != null) {
      partly.add(new Skipped(file, chunks.cut() + "; of it was read what comes before"));
    }
    if (fresh < whole) {
      repeated.add(
          new Skipped(
              file,
              fresh == 0
                  ? "all of it is known already"
                  : (whole - fresh) + " of " + whole + " chunks are known already"));
    }
  }

  /** The JDK reads files, not parts of them; a copy of some chunks is a recording, too. */
  private static void readCopy(Path file, List<Chunk> chunks, Figures into) throws IOException {
    Path copy = Files.createTempFile("rockpool-", ".jfr");
    try {
      try (FileChannel from = FileChannel.open(file);
          FileChannel to = FileChannel.open(copy, StandardOpenOption.WRITE)) {
        for (Chunk chunk : chunks) {
          copy(from, chunk, to);
        }
      }
      new RecordingReader(into).read(copy);
    } finally {
      Files.delete(copy);
    }
  }

  private static void copy(FileChannel from, Chunk chunk, FileChannel to) throws IOException {
    long done = 0;
    while (done < chunk.byteSize()) {
      long more = from.transferTo(chunk.offset() + done, chunk.byteSize() - done, to);
      if (more <= 0) {
        throw new IOException("it became shorter while it was read");
      }
      done += more;
    }
  }

  private void skip(Path file, String reason) {
    skipped.add(new Skipped(file, reason));
  }

  private static String reason(Exception e) {
    String message = e.getMessage();
    return message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
  }

  public Figures figures() {
    return figures;
  }

  /** The chunks and the runs of JVMs: figures of merges that have none in common add up. */
  public Set<String> parts() {
    Set<String> parts = new HashSet<>();
    seen.forEach(chunk -> parts.add(chunk.toString()));
    figures.holders().runs().forEach(run -> parts.add("run " + run));
    return parts;
  }

  /** Returns the number of files that added to the figures. */
  public int files() {
    return sources.size();
  }

  /** The files that added to the figures. */
  public List<Source> sources() {
    return Collections.unmodifiableList(sources);
  }

  /** Files that could not be used. */
  public List<Skipped> skipped() {
    return Collections.unmodifiableList(skipped);
  }

  /** Files whose last chunk is cut off: the others before it were added. */
  public List<Skipped> partly() {
    return Collections.unmodifiableList(partly);
  }

  /** Files of which all or some was known already; not a failure. */
  public List<Skipped> repeated() {
    return Collections.unmodifiableList(repeated);
  }
}
