package dev.rockpool.malloc;

import java.util.List;

/** Classes whose callers are named instead of themselves, because they allocate for others. */
public final class Libraries {
  /** Shaded or not. */
  private static final List<String> NAMES =
      List.of(
          "io.netty.",
          "org.agrona.",
          "org.apache.arrow.memory.",
          "org.apache.cassandra.utils.memory.",
          "org.apache.lucene.store.",
          "org.apache.spark.unsafe.",
          "org.apache.datasketches.memory.",
          "org.ehcache.impl.internal.store.offheap.",
          "org.terracotta.offheapstore.",
          "org.lwjgl.system.",
          "org.neo4j.io.mem.",
          "org.neo4j.internal.unsafe.",
          "com.hazelcast.internal.memory.",
          "net.openhft.chronicle.",
          "reactor.netty.",
          "sun.misc.");

  /** Their own C code allocates. */
  private static final List<String> WITH_C_CODE =
      List.of(
          "ai.onnxruntime.",
          "com.github.luben.zstd.",
          "com.sun.jna.",
          "net.jpountz.",
          "org.bytedeco.",
          "org.conscrypt.",
          "org.duckdb.",
          "org.rocksdb.",
          "org.sqlite.",
          "org.xerial.snappy.");

  /** The packages of the JDK, and those that are nobody's line. */
  private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

  private Libraries() {}

  /** Whether a class allocates for others. */
  public static boolean has(String className) {
    for (String each : NAMES) {
      if (className.contains(each)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a class is of a library whose C code allocates. */
  static boolean hasWithCCode(String className) {
    return !withCCode(className).isEmpty();
  }

  /** Returns the packages of the library of a class whose C code allocates; or nothing. */
  public static String withCCode(String className) {
    for (String each : WITH_C_CODE) {
      int at = className.indexOf(each);
      if (at >= 0) {
        return className.substring(0, at + each.length());
      }
    }
    return "";
  }

  static boolean isJdk(String className) {
    for (String each : JDK) {
      if (className.startsWith(each)) {
        return true;
      }
    }
    return false;
  }
}
