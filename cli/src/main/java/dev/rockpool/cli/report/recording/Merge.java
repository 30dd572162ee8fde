package dev.rockpool.cli.report.recording;

import dev.rockpool.cli.report.recording.Chunks.Chunk;
import dev.rockpool.cli.report.recording.Chunks.Unusable;
import dev.rockpool.cli.report.recording.Merge.Note.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** The sum of recordings, file by file. Not for several threads at once. */
public final class Merge {
  /** A file of which all or some was not added, and why. */
  public record Note(Path file, Kind kind, String reason) {
    public enum Kind {
      SKIPPED,
      PARTLY,
      REPEATED;

      public String text() {
        return switch (this) {
          case SKIPPED -> "skipped";
          case PARTLY -> "partly read";
          case REPEATED -> "counted once";
        };
      }
    }
  }

  /**
   * The origin of figures: a file, and the JVM that wrote it.
   *
   * @param begin of the first chunk
   * @param nanos recorded
   * @param facts on the JVM, as far as recorded
   */
  public record Source(Path file, Instant begin, long nanos, Map<String, String> facts) {}

  private Figures figures = new Figures();
  private final Set<Chunk> seen = new HashSet<>();
  private final List<Note> notes = new ArrayList<>();
  private final List<Source> sources = new ArrayList<>();

  /**
   * Adds all of {@code file} that no file before it had; or only what comes before a chunk that is
   * cut off; or nothing. Says why.
   *
   * <p>A thread of its own reads the file. For damaged or forged ones the JDK's reader may throw
   * anything, also errors, which then end that thread alone.
   */
  public void add(Path file) {
    try (ExecutorService reader = Executors.newSingleThreadExecutor()) {
      reader.submit(() -> merge(file)).get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String message = cause.getMessage();
      String reason = message == null || message.isBlank() ? cause.toString() : message;
      String why = cause instanceof Unusable ? reason : "it can't be read: " + reason;
      notes.add(new Note(file, Kind.SKIPPED, Reading.printable(why)));
    } catch (InterruptedException e) {
      throw new CancellationException("interrupted while reading " + file);
    }
  }

  private @Nullable Void merge(Path file) throws IOException, Unusable {
    if (!Files.exists(file)) {
      throw new Unusable("there is no such file");
    }
    if (!Files.isRegularFile(file)) {
      throw new Unusable("it is no file");
    }
    Chunks chunks = Chunks.of(file);
    Set<Chunk> fresh = new LinkedHashSet<>(chunks.whole());
    fresh.removeAll(seen);
    if (!fresh.isEmpty()) {
      add(file, chunks, fresh);
    }
    if (chunks.cut() != null) {
      notes.add(new Note(file, Kind.PARTLY, chunks.cut() + "; of it was read what comes before"));
    }
    int known = chunks.whole().size() - fresh.size();
    if (known > 0) {
      notes.add(
          new Note(
              file,
              Kind.REPEATED,
              fresh.isEmpty()
                  ? "all of it is known already"
                  : known + " of " + chunks.whole().size() + " chunks are known already"));
    }
    return null;
  }

  private void add(Path file, Chunks chunks, Set<Chunk> fresh) throws IOException, Unusable {
    Reading reading;
    if (fresh.size() == chunks.whole().size() && chunks.cut() == null) {
      reading = new Reading(file);
    } else { // the JDK reads files, not parts of them
      Path copy = Files.createTempFile("rockpool-", ".jfr");
      try {
        chunks.copy(fresh, copy);
        reading = new Reading(copy);
      } finally {
        Files.delete(copy);
      }
    }
    if (!reading.isFromRecorder()) {
      throw new Unusable(
          chunks.cut() == null
              ? "no arenas were recorded in it: its JVM ran without the recorder"
              : chunks.cut() + "; what comes before has no arenas");
    }
    String jvm = file.toAbsolutePath().normalize().toString();
    figures = figures.plus(reading.figures(nanos(fresh), jvm));
    seen.addAll(fresh);
    sources.add(
        new Source(
            file,
            Instant.ofEpochSecond(0, chunks.whole().getFirst().startNanos())
                .truncatedTo(ChronoUnit.SECONDS),
            nanos(chunks.whole()),
            reading.facts()));
  }

  private static long nanos(Collection<Chunk> chunks) {
    return chunks.stream().mapToLong(Chunk::durationNanos).reduce(0, Sums::plus);
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

  public List<Source> sources() {
    return Collections.unmodifiableList(sources);
  }

  /** Files that were not added. A file that is REPEATED is no failure. */
  public List<Note> notes() {
    return Collections.unmodifiableList(notes);
  }

  public List<Note> notes(Kind kind) {
    return notes.stream().filter(note -> note.kind == kind).toList();
  }
}
