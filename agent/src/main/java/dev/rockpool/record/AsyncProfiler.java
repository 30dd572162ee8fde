package dev.rockpool.record;

import dev.rockpool.malloc.LiveMallocs;
import dev.rockpool.malloc.PageFaults;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ModuleLayer.Controller;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Async-profiler in this JVM, out of its jar beside the agent's. Its one class is in a module and a
 * class loader of its own, which nobody else has, and there is one copy of its library for all
 * recordings.
 *
 * <p>It records into two files by turns. They have no names, so they are gone with the process,
 * however that ends.
 */
final class AsyncProfiler {
  private static final String NAME = "async-profiler";
  private static final String API = "one.profiler.AsyncProfiler";
  private static final String INSTANCE = "getInstance";
  private static final String LIBRARY = "libasyncProfiler.so";

  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  private static final Map<String, String> PLATFORMS =
      Map.of("amd64", "linux-x64", "x86_64", "linux-x64", "aarch64", "linux-arm64");

  /** The one object of its API, once its library is loaded. */
  private static @Nullable Object api;

  private final Object loaded;
  private final String start;
  private Unnamed recorded;
  private Unnamed other;

  private static final class Unnamed {
    final FileChannel channel;

    /** The name that it has nevertheless. */
    final Path path;

    Unnamed() throws IOException {
      Path named = Files.createTempFile("rockpool-", ".jfr");
      try {
        channel = FileChannel.open(named, StandardOpenOption.READ, StandardOpenOption.WRITE);
        path = linkTo(named);
      } finally {
        Files.delete(named);
      }
    }

    private static Path linkTo(Path named) throws IOException {
      try (Stream<Path> all = Files.list(OPEN_FILES)) {
        return all.filter(each -> leadsTo(named, each))
            .findFirst()
            .orElseThrow(
                () -> new IOException("the files of this process can't be found in " + OPEN_FILES));
      }
    }

    private static boolean leadsTo(Path named, Path link) {
      try {
        return Files.readSymbolicLink(link).endsWith(named.getFileName());
      } catch (IOException closedMeanwhile) {
        return false;
      }
    }
  }

  private AsyncProfiler(Object loaded, String events, Unnamed recorded, Unnamed other)
      throws IOException {
    this.loaded = loaded;
    this.recorded = recorded;
    this.other = other;
    start = "start," + events + ",jfr,cstack=vm,loglevel=none,file=";
    try {
      execute(start + recorded.path);
    } catch (IOException refused) {
      stop();
      throw refused;
    }
  }

  /**
   * Loads it if need be, and has it start.
   *
   * @param interval bytes between two samples of {@code malloc}; 0 if nothing is left out
   * @param faultInterval page faults between two samples; 0 if none is recorded
   * @param agent the agent's jar; null if it is gone
   * @throws IOException with a message for the user, if it can't be had here
   */
  static AsyncProfiler start(long interval, long faultInterval, @Nullable String agent)
      throws IOException {
    if (api == null) {
      String system = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
      String platform = PLATFORMS.get(System.getProperty("os.arch"));
      if (platform == null || !System.getProperty("os.name").equals("Linux")) {
        throw new IOException("it needs Linux on x64 or arm64, and this is " + system);
      }
      Path jar = jar(agent == null ? null : Path.of(agent).getParent());
      try {
        api = load(jar, platform + "/" + LIBRARY);
      } catch (ReflectiveOperationException other) {
        throw new IOException(jar + " has another API than expected: " + other, other);
      }
    }
    String faults = faultInterval == 0 ? "" : ",event=page-faults,interval=" + faultInterval;
    Unnamed first = new Unnamed();
    try {
      return new AsyncProfiler(api, "nativemem=" + interval + faults, first, new Unnamed());
    } catch (IOException refused) {
      first.channel.close();
      throw refused;
    }
  }

  private static Path jar(@Nullable Path folder) throws IOException {
    if (folder != null) {
      try (Stream<Path> files = Files.list(folder)) {
        List<Path> found =
            files
                .filter(file -> file.getFileName().toString().matches(NAME + "(-\\d[^/]*)?\\.jar"))
                .sorted()
                .toList();
        if (!found.isEmpty()) {
          return found.getFirst();
        }
      }
    }
    throw new IOException(
        NAME + ".jar must be beside the agent's jar; it is tools.profiler:" + NAME + " in Maven");
  }

  private static Object load(Path jar, String entry)
      throws IOException, ReflectiveOperationException {
    Path folder = Files.createTempDirectory("rockpool-"); // for the owner alone
    Path library = folder.resolve(LIBRARY);
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      ZipEntry packed = zip.getEntry(entry);
      if (packed == null) {
        throw new IOException(jar + " lacks " + entry);
      }
      try (InputStream in = zip.getInputStream(packed)) {
        Files.copy(in, library);
      }
      Method load = module(jar).getClassLoader().loadClass(API).getMethod(INSTANCE, String.class);
      try {
        return load.invoke(null, library.toString());
      } catch (InvocationTargetException failed) {
        throw new IOException("its library can't be loaded: " + failed.getCause(), failed);
      }
    } finally {
      Files.deleteIfExists(library);
      Files.delete(folder);
    }
  }

  /**
   * Makes a module of the jar, so that it has native access and no other code gains any. The
   * unnamed modules of all class loaders have it in common.
   */
  @SuppressWarnings("restricted") // this class is in java.base
  private static Module module(Path jar) {
    ModuleFinder finder = ModuleFinder.of(jar);
    String name = finder.findAll().iterator().next().descriptor().name();
    ModuleLayer boot = ModuleLayer.boot();
    Configuration resolved = boot.configuration().resolve(finder, ModuleFinder.of(), Set.of(name));
    Controller made = ModuleLayer.defineModulesWithOneLoader(resolved, List.of(boot), null);
    Module module = made.layer().findModule(name).orElseThrow();
    made.enableNativeAccess(module);
    return module;
  }

  /** Returns the bytes recorded since the start or the last fold, without those in buffers. */
  long recorded() throws IOException {
    return recorded.channel.size();
  }

  /** Folds what was recorded so far, while the profiler goes on in another file. */
  void fold(LiveMallocs mallocs, @Nullable PageFaults faults) throws IOException {
    execute("stop");
    Unnamed ended = recorded;
    recorded = other;
    other = ended;
    execute(start + recorded.path);
    mallocs.read(ended.path);
    if (faults != null) {
      faults.read(ended.path);
    }
    ended.channel.truncate(0);
  }

  void stop() {
    try (FileChannel _ = recorded.channel;
        FileChannel _ = other.channel) {
      execute("stop");
    } catch (IOException ignored) {
      // Stopped already, or for good.
    }
  }

  private void execute(String text) throws IOException {
    try {
      loaded.getClass().getMethod("execute", String.class).invoke(loaded, text);
    } catch (InvocationTargetException failed) {
      Throwable cause = failed.getCause();
      throw new IOException(NAME + ": " + (cause == null ? failed : cause.getMessage()), failed);
    } catch (ReflectiveOperationException other) {
      throw new IOException(NAME + ": " + other, other);
    }
  }
}
