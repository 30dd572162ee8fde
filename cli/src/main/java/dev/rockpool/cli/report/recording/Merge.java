package dev.rockpool.cli.report.recording;

import dev.rockpool.cli.report.recording.Chunks.Chunk;
import dev.rockpool.cli.report.recording.Chunks.Unusable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The sum of recordings, file by file. Not for several threads at once. */
public final class Merge {
  /** A file of which all or some was not added, and why. */
  public record Skipped(Path file, String reason) {}

  /**
   * The origin of figures: a file, and the JVM that wrote it.
   *
   * @param begin of the first chunk
   * @param nanos recorded
   * @param facts by the names in {@link #FACTS}, as far as recorded
   */
  public record Source(Path file, Instant begin, long nanos, Map<String, String> facts) {
    /** The names of all facts. */
    public static final List<String> FACTS =
        List.of("program", "arguments", "jvmArguments", "jdk", "host", "rockpool");
  }

  private final Figures figures = new Figures();
  private final Set<Chunk> seen = new HashSet<>();
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
      String message = e.getMessage();
      skip(
          file,
          "it can't be read: "
              + (message == null || message.isBlank() ? e.getClass().getSimpleName() : message));
    } catch (OutOfMemoryError | StackOverflowError e) {
      // A damaged length, or types that contain themselves.
      skip(file, "it is damaged: reading it led to " + e);
    }
  }

  private void skip(Path file, String reason) {
    skipped.add(new Skipped(file, Figures.printable(reason)));
  }

  private void merge(Path file) throws IOException, Unusable {
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
      partly.add(new Skipped(file, chunks.cut() + "; of it was read what comes before"));
    }
    int known = chunks.whole().size() - fresh.size();
    if (known > 0) {
      repeated.add(
          new Skipped(
              file,
              fresh.isEmpty()
                  ? "all of it is known already"
                  : known + " of " + chunks.whole().size() + " chunks are known already"));
    }
  }

  private void add(Path file, Chunks chunks, Set<Chunk> fresh) throws IOException, Unusable {
    Figures more = new Figures();
    if (fresh.size() == chunks.whole().size() && chunks.cut() == null) {
      more.read(file);
    } else { // the JDK reads files, not parts of them
      Path copy = Files.createTempFile("rockpool-", ".jfr");
      try {
        chunks.copy(fresh, copy);
        more.read(copy);
      } finally {
        Files.delete(copy);
      }
    }
    if (!more.fromRecorder()) {
      throw new Unusable(
          chunks.cut() == null
              ? "no arenas were recorded in it: its JVM ran without the recorder"
              : chunks.cut() + "; what comes before has no arenas");
    }
    more.complete(fresh.stream().mapToLong(Chunk::durationNanos).reduce(0, Math::addExact), file);
    figures.add(more);
    seen.addAll(fresh);
    sources.add(
        new Source(
            file,
            Instant.ofEpochSecond(0, chunks.whole().getFirst().startNanos())
                .truncatedTo(ChronoUnit.SECONDS),
            chunks.whole().stream().mapToLong(Chunk::durationNanos).sum(),
            more.facts()));
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
