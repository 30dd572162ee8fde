package dev.rockpool.study.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs one of the programs, and says what its memory is at the end. */
final class Program {
  private static final int ROUNDS = 100;

  /** Keeps what leaks to the end of the process. */
  private static @Nullable Work work;

  private Program() {}

  /**
   * Runs the program of a name, in a mode that is "leak" or "none", for about so many seconds.
   * Prints what its memory is then, in a line of KEY=VALUE, and ends when its standard input does.
   * Closes nothing before, so that a recording has the process as it was.
   */
  public static void main(String[] args) throws Exception {
    if (args.length != 3 || !args[1].matches("leak|none")) {
      System.err.println("Usage: PROGRAM leak|none SECONDS");
      System.exit(2);
    }
    Path folder = Files.createTempDirectory("rockpool-study-");
    try {
      work = work(args[0], folder);
      System.out.println(
          "program="
              + args[0]
              + " mode="
              + args[1]
              + run(work, args[1].equals("leak"), Integer.parseInt(args[2])));
      while (System.in.read() >= 0) {
        // somebody still looks at the process
      }
    } finally {
      delete(folder);
    }
    System.exit(0); // also if a library left threads
  }

  /** Returns the work of a name, given an empty folder for its files. */
  private static Work work(String name, Path folder) throws Exception {
    return switch (name) {
      case "zstd" -> new ZstdStreams();
      case "deflate" -> new Deflaters();
      case "jna" -> new JnaBlocks();
      case "rocksdb" -> new RocksIterators(folder);
      case "sqlite" -> new SqliteDatabases();
      case "duckdb" -> new DuckResults();
      case "onnx" -> new OnnxTensors();
      case "conscrypt" -> new ConscryptEngines();
      case "netty" -> new NettyMessages();
      case "lucene" -> new LuceneReaders(folder);
      case "jetty" -> new JettyBodies();
      case "plain" -> new PlainArrays();
      default -> throw new IllegalArgumentException("no program \"" + name + "\"");
    };
  }

  private static String run(Work work, boolean isLeaking, int seconds) throws Exception {
    work.round(0, false); // loads what later rounds use
    long before = Truth.Malloc.now().used();
    long start = System.nanoTime();
    long late = 0;
    for (int i = 1; i <= ROUNDS; i++) {
      work.round(i, isLeaking);
      long wait = start + i * 1_000_000_000L * seconds / ROUNDS - System.nanoTime();
      if (wait > 0) {
        Thread.sleep(wait / 1_000_000);
      } else {
        late++;
      }
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    for (int i = 0; i < 2; i++) { // cleaners free what is not kept, and what finalizers kept
      System.gc();
      Thread.sleep(500);
    }
    Truth.Malloc malloc = Truth.Malloc.now();
    return String.join(
        " ",
        "",
        "leakMethod=" + work.getClass().getSimpleName() + ".leak",
        "leaks=" + work.leaks(),
        "leakedBytes=" + work.leakedBytes(),
        "mallocGrowth=" + (malloc.used() - before),
        "mallocUsed=" + malloc.used(),
        "mallocFree=" + malloc.free(),
        "vmRss=" + Truth.status("VmRSS"),
        "vmHwm=" + Truth.status("VmHWM"),
        "rssAnon=" + Truth.status("RssAnon"),
        "rssFile=" + Truth.status("RssFile"),
        "millis=" + millis,
        "lateRounds=" + late);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
