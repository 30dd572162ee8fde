package dev.rockpool.scan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Gatherers;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * All that was found. It never changes, so any thread may use it.
 *
 * @param artifacts in the order in which they were named; a jar before the jars in it
 * @param skipped what could not be read
 */
public record Scan(List<Artifact> artifacts, List<Skipped> skipped) {
  /** Classes that one thread looks at with what it has found out about others. */
  private static final int PORTION = 64;

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
    static Skipped because(Throwable failure, String name) {
      String message = failure.getMessage();
      String kind = failure.getClass().getSimpleName();
      return new Skipped(
          name, message == null || message.isBlank() ? kind : message + " (" + kind + ")");
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
   * @param done is told the name of each jar and folder of the class path that is done, from any
   *     thread; what it throws ends the scan
   * @return what was found; a file that can't be read is in {@link #skipped}, and no failure
   */
  public static Scan of(ClassPath classPath, Consumer<String> done) {
    List<Scan> parts = new ArrayList<>(List.of(new Scan(List.of(), classPath.skipped())));
    // A task for each, since their sizes differ: a parallel stream would deal them out in few lots.
    try (ForkJoinPool pool = new ForkJoinPool()) {
      List<ForkJoinTask<Scan>> tasks = new ArrayList<>();
      for (Supplier<Contents> reader : classPath.readers()) {
        tasks.add(
            pool.submit(
                () -> {
                  Contents contents = reader.get();
                  Scan part = of(contents);
                  done.accept(contents.name);
                  return part;
                }));
      }
      tasks.forEach(task -> parts.add(task.join()));
    }
    return together(parts);
  }

  private static Scan together(List<Scan> parts) {
    return new Scan(
        parts.stream().flatMap(part -> part.artifacts.stream()).toList(),
        parts.stream().flatMap(part -> part.skipped.stream()).toList());
  }

  private static Scan of(Contents contents) {
    List<ClassFile> files = new ArrayList<>(contents.foreign);
    files.sort(Comparator.comparing(ClassFile::entry)); // which of them was read first is chance
    Map<String, NavigableMap<Integer, byte[]>> byName = new HashMap<>();
    for (ClassFile file : files) {
      byName
          .computeIfAbsent(file.internalName(), name -> new TreeMap<>())
          .put(file.release(), file.bytes());
    }
    List<Portion> portions =
        files.stream()
            .filter(ClassFile::mayCreateArenas)
            .gather(Gatherers.windowFixed(PORTION))
            .toList()
            .parallelStream()
            .map(some -> portion(contents.name, some, byName))
            .toList();
    List<Finding> findings = portions.stream().flatMap(p -> p.findings().stream()).toList();
    List<Skipped> skipped = new ArrayList<>(contents.skipped);
    portions.forEach(portion -> skipped.addAll(portion.skipped()));
    List<Scan> parts = new ArrayList<>();
    parts.add(new Scan(List.of(new Artifact(contents.name, contents.classes, findings)), skipped));
    contents.nested.forEach(nested -> parts.add(of(nested)));
    return together(parts);
  }

  /** The findings in some classes of an artifact, by one thread. */
  private record Portion(List<Finding> findings, List<Skipped> skipped) {}

  private static Portion portion(
      String artifact, List<ClassFile> files, Map<String, NavigableMap<Integer, byte[]>> byName) {
    Portion portion = new Portion(new ArrayList<>(), new ArrayList<>());
    Map<Integer, Program> programs = new HashMap<>();
    for (ClassFile file : files) {
      try {
        Program program =
            programs.computeIfAbsent(file.release(), release -> new Program(byName, release));
        portion.findings.addAll(ArenaSearch.findings(file, program));
      } catch (AnalyzerException | RuntimeException e) {
        portion.skipped.add(Skipped.because(e, artifact + "!/" + file.entry()));
      }
    }
    return portion;
  }

  /**
   * Counts the class files of all artifacts.
   *
   * @return how many there are, of any kind
   */
  public int classes() {
    return artifacts.stream().mapToInt(Artifact::classes).sum();
  }
}
