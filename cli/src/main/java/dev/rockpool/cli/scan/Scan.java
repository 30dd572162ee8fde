package dev.rockpool.cli.scan;

import dev.rockpool.cli.scan.flow.ArenaSearch;
import dev.rockpool.cli.scan.flow.ClassLookup;
import dev.rockpool.cli.scan.flow.Program;
import dev.rockpool.cli.scan.source.ClassFile;
import dev.rockpool.cli.scan.source.ClassPath;
import dev.rockpool.cli.scan.source.Contents;
import dev.rockpool.cli.scan.source.Reasons;
import dev.rockpool.cli.scan.source.Skipped;
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
import java.util.stream.IntStream;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * All that was found.
 *
 * @param artifacts in the order in which they were named; a jar before the jars in it
 * @param skipped what could not be read
 */
record Scan(List<Artifact> artifacts, List<Skipped> skipped) {
  /** Classes that one thread looks at with what it has found out about others. */
  private static final int PORTION = 64;

  /**
   * Scans a class path, on all processors.
   *
   * @param done is told the name of each jar and folder, from any thread
   */
  static Scan of(ClassPath classPath, Consumer<String> done) {
    Scan all = new Scan(new ArrayList<>(), new ArrayList<>(classPath.skipped()));
    // A task for each, since their sizes differ: a parallel stream would deal them out in few lots.
    try (ForkJoinPool pool = new ForkJoinPool()) {
      List<ForkJoinTask<Scan>> parts = new ArrayList<>();
      for (Supplier<Contents> reader : classPath.readers()) {
        parts.add(pool.submit(() -> of(reader, done)));
      }
      parts.forEach(part -> all.add(part.join()));
    }
    return all;
  }

  private static Scan of(Supplier<Contents> reader, Consumer<String> done) {
    Contents contents = reader.get();
    Scan part = of(contents);
    done.accept(contents.name());
    return part;
  }

  private void add(Scan part) {
    artifacts.addAll(part.artifacts);
    skipped.addAll(part.skipped);
  }

  private static Scan of(Contents contents) {
    List<ClassFile> files = new ArrayList<>(contents.foreign());
    files.sort(Comparator.comparing(ClassFile::entry)); // which of them was read first is chance
    Map<String, NavigableMap<Integer, byte[]>> byName = byName(files);
    List<ClassFile> creating = files.stream().filter(ClassFile::mayCreateArenas).toList();
    List<Portion> portions =
        IntStream.iterate(0, i -> i < creating.size(), i -> i + PORTION)
            .mapToObj(i -> creating.subList(i, Math.min(i + PORTION, creating.size())))
            .toList()
            .parallelStream()
            .map(some -> portion(contents.name(), some, byName))
            .toList();
    Scan scan = new Scan(new ArrayList<>(), new ArrayList<>(contents.skipped()));
    List<Finding> findings = new ArrayList<>();
    for (Portion portion : portions) {
      findings.addAll(portion.findings());
      scan.skipped.addAll(portion.skipped());
    }
    scan.artifacts.add(new Artifact(contents.name(), contents.classes(), findings));
    contents.nested().forEach(nested -> scan.add(of(nested)));
    return scan;
  }

  /** What was found in some classes of an artifact, by one thread. */
  private record Portion(List<Finding> findings, List<Skipped> skipped) {}

  private static Portion portion(
      String artifact, List<ClassFile> files, Map<String, NavigableMap<Integer, byte[]>> byName) {
    Portion portion = new Portion(new ArrayList<>(), new ArrayList<>());
    Map<Integer, Program> programs = new HashMap<>();
    for (ClassFile file : files) {
      try {
        Program program =
            programs.computeIfAbsent(
                file.release(), release -> new Program(lookup(byName, release)));
        ArenaSearch.sites(file.bytes(), program)
            .forEach(site -> portion.findings.add(new Finding(file.entry(), file.release(), site)));
      } catch (AnalyzerException | RuntimeException e) {
        portion.skipped.add(new Skipped(artifact + "!/" + file.entry(), Reasons.of(e)));
      }
    }
    return portion;
  }

  private static Map<String, NavigableMap<Integer, byte[]>> byName(List<ClassFile> files) {
    Map<String, NavigableMap<Integer, byte[]>> byName = new HashMap<>();
    for (ClassFile file : files) {
      byName
          .computeIfAbsent(file.internalName(), name -> new TreeMap<>())
          .put(file.release(), file.bytes());
    }
    return byName;
  }

  /** As a JVM of that release would: the class for it, or else for the release before. */
  private static ClassLookup lookup(
      Map<String, NavigableMap<Integer, byte[]>> byName, int release) {
    return name -> {
      NavigableMap<Integer, byte[]> releases = byName.get(name);
      Map.Entry<Integer, byte[]> best = releases == null ? null : releases.floorEntry(release);
      return best == null ? null : best.getValue();
    };
  }

  /** Artifacts that create arenas. */
  List<Artifact> withArenas() {
    return artifacts.stream().filter(artifact -> !artifact.findings().isEmpty()).toList();
  }

  int classes() {
    return artifacts.stream().mapToInt(Artifact::classes).sum();
  }

  Tally total() {
    return Tally.of(artifacts.stream().flatMap(a -> a.findings().stream()).toList());
  }
}
