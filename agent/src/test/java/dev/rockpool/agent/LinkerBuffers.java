package dev.rockpool.agent;

import dev.rockpool.structs.CSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The server of the linker's buffers, in a JVM with a program of {@code dev.rockpool.structs}. */
enum LinkerBuffers {
  THE_JDK(ChildJvm.REGULAR) {
    @Override
    ChildJvm jvm() {
      return ChildJvm.plain();
    }
  },
  ROCKPOOL(ChildJvm.POOLED) {
    @Override
    ChildJvm jvm() {
      return ChildJvm.withAgent();
    }
  };

  private final String arenaClass;

  LinkerBuffers(String arenaClass) {
    this.arenaClass = arenaClass;
  }

  abstract ChildJvm jvm();

  /** The class of the arenas that the program opens. */
  String arenaClass() {
    return arenaClass;
  }

  /** A JVM that finds the library of structs and the programs. */
  ChildJvm withStructs() {
    return jvm()
        .with("--enable-native-access=ALL-UNNAMED")
        .with("-Dstructs.library=" + CLibrary.of("structs", CSource.text()))
        .classPath(programs());
  }

  /** As above, with each malloc counted; virtual threads have one carrier. */
  ChildJvm withStructsAndCounter() {
    Path counter = CLibrary.of("mallocs", counterSource());
    return withStructs()
        .with("-Dmallocs.library=" + counter)
        .with("-Djdk.virtualThreadScheduler.parallelism=1")
        .with("-Djdk.virtualThreadScheduler.maxPoolSize=1")
        .environment("LD_PRELOAD", counter.toString());
  }

  private static String counterSource() {
    try {
      return Files.readString(
          Path.of(System.getProperty("rockpool.home"), "agent/src/test/c/mallocs.c"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Path programs() {
    try {
      return Path.of(CSource.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
