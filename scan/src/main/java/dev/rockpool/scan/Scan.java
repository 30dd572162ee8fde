package dev.rockpool.scan;

import dev.rockpool.scan.Program.Classes;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.zip.ZipException;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * All that was found. It never changes, so any thread may use it.
 *
 * @param artifacts in the order in which they were named; a jar before the jars in it
 * @param skipped what could not be read
 * @since 0.1.0
 */
public record Scan(List<Artifact> artifacts, List<Skipped> skipped) {
  /** Copies the lists, so that the scan never changes. */
  public Scan {
    artifacts = List.copyOf(artifacts);
    skipped = List.copyOf(skipped);
  }

  /**
   * A jar, or the classes of a folder.
   *
   * @param name its path; with "!/" and another one for each jar that it is in
   * @param classes how many class files there are, of any kind
   * @param findings the places that create arenas, in the order of class files, and of lines in
   *     them
   */
  public record Artifact(String name, int classes, List<Finding> findings) {
    /** Copies the list, so that the artifact never changes. */
    public Artifact {
      findings = List.copyOf(findings);
    }
  }

  /**
   * A class, jar or folder that could not be read.
   *
   * @param name its path, as that of an artifact
   * @param reason why
   */
  public record Skipped(String name, String reason) {
    /** Failures whose messages say all. */
    private static final Set<Class<?>> PLAIN =
        Set.of(IOException.class, EOFException.class, ZipException.class);

    static Skipped because(Throwable failure, String name) {
      // The message of the first is a path, and the name says as much.
      String message =
          failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
      String kind = failure.getClass().getSimpleName();
      if (message == null || message.isBlank()) {
        return new Skipped(name, kind);
      }
      return new Skipped(
          name, PLAIN.contains(failure.getClass()) ? message : message + " (" + kind + ")");
    }
  }

  /**
   * Scans a class path, on all processors, and returns when that is done.
   *
   * @param classPath what to scan
   * @return what was found; a file that can't be read is in {@link #skipped}, and no failure
   */
  public static Scan of(ClassPath classPath) {
    return of(classPath, name -> {});
  }

  /**
   * Scans a class path, on all processors, and returns when that is done.
   *
   * @param classPath what to scan
   * @param done is told the name of each jar and folder of the class path that was read, from any
   *     thread; what it throws ends the scan
   * @return what was found; a file that can't be read is in {@link #skipped}, and no failure
   */
  public static Scan of(ClassPath classPath, Consumer<String> done) {
    List<Contents> all =
        concurrently(
            classPath.readers(),
            reader -> {
              Contents contents = reader.get();
              done.accept(contents.name);
              return contents;
            });
    Classes classes = new Classes();
    all.forEach(classes::add);
    List<Scan> parts = new ArrayList<>(List.of(new Scan(List.of(), classPath.skipped)));
    parts.addAll(concurrently(all, contents -> of(contents, classes)));
    return together(parts);
  }

  /** A task for each jar, since sizes differ: a parallel stream would deal them out in few lots. */
  private static <T, R> List<R> concurrently(List<T> all, Function<T, R> work) {
    int processors = Runtime.getRuntime().availableProcessors();
    return all.stream().gather(Gatherers.mapConcurrent(processors, work)).toList();
  }

  private static Scan together(List<Scan> parts) {
    return new Scan(
        parts.stream().flatMap(part -> part.artifacts.stream()).toList(),
        parts.stream().flatMap(part -> part.skipped.stream()).toList());
  }

  private static Scan of(Contents contents, Classes classes) {
    List<Finding> findings = new ArrayList<>();
    List<Skipped> skipped = new ArrayList<>(contents.skipped);
    Map<Integer, Program> programs = new HashMap<>();
    contents.foreign.sort(Comparator.comparing(ClassFile::entry)); // which was first is chance
    for (ClassFile file : contents.foreign) {
      try {
        Program program =
            programs.computeIfAbsent(
                file.release(), release -> new Program(classes, contents, release));
        if (file.mayCreateArenas()) {
          findings.addAll(ArenaSearch.findings(file, program));
        }
      } catch (AnalyzerException | RuntimeException | AssertionError | StackOverflowError e) {
        // ASM throws any of them at classes that are damaged.
        skipped.add(ClassFile.unreadable(contents.nameOf(file.entry()), e));
      }
    }
    List<Scan> parts = new ArrayList<>();
    parts.add(new Scan(List.of(new Artifact(contents.name, contents.classes, findings)), skipped));
    contents.nested.forEach(nested -> parts.add(of(nested, classes)));
    return together(parts);
  }

  /** {@return the number of class files of all artifacts, of any kind} */
  public int classes() {
    return artifacts.stream().mapToInt(Artifact::classes).sum();
  }

  /**
   * Tells whether all was read that is there. An entry of a class path that does not exist is no
   * failure, as for a JVM.
   *
   * @return whether nothing else was skipped
   */
  public boolean isComplete() {
    return skipped.stream().allMatch(one -> one.reason().equals(ClassPath.MISSING));
  }

  /**
   * Groups what was skipped by reason; of reasons that differ only in numbers, such as sizes, one
   * counts.
   *
   * @return groups in the order of their first ones
   */
  public List<List<Skipped>> skippedByReason() {
    Map<String, List<Skipped>> groups =
        skipped.stream()
            .collect(
                Collectors.groupingBy(
                    one -> one.reason().replaceAll("\\d+", "0"),
                    LinkedHashMap::new,
                    Collectors.toList()));
    return List.copyOf(groups.values());
  }
}
