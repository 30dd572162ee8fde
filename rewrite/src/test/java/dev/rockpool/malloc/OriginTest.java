package dev.rockpool.malloc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.malloc.Origin.Category;
import dev.rockpool.malloc.Origin.Frame;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** From the frames of a malloc to the line, the library and the category. */
class OriginTest {
  private static Frame c(String library, String function) {
    return new Frame(false, library, function, 0);
  }

  private static Frame java(String owner, String method, int line) {
    return new Frame(true, owner, method, line);
  }

  private static Origin of(Frame... frames) {
    return Origin.of(Arrays.asList(frames), "pool-1-thread-7", name -> name.startsWith("io.netty"));
  }

  @Test
  void theLineIsThatOfTheFirstFrameOutsideTheJdkAndLibraries() {
    Origin origin =
        of(
            c("libasyncProfiler.so", "malloc_hook"),
            c("libstdc++.so.6", "operator new(unsigned long)"),
            c("librocksdbjni.so", "rocksdb::Block"),
            java("org.rocksdb.RocksDB", "iterator", 0),
            java("io.netty.Any", "any", 3),
            java("java.lang.Runnable", "run", 4),
            java("com.acme.Store", "scan", 42),
            java("com.acme.Main", "main", 1));

    assertThat(origin)
        .isEqualTo(
            new Origin(
                Category.C,
                "com.acme.Store.scan:42",
                "librocksdbjni.so",
                """
                libstdc++.so.6!operator new(unsigned long)
                librocksdbjni.so!rocksdb::Block
                org.rocksdb.RocksDB.iterator
                io.netty.Any.any:3
                java.lang.Runnable.run:4
                com.acme.Store.scan:42
                com.acme.Main.main:1\
                """));
  }

  @Test
  void withoutSuchAFrameTheLineSaysWhatThereIs() {
    Frame code = c("libx.so", "f");
    assertThat(of(code, java("java.util.zip.Deflater", "init", 5), java("org.rocksdb.A", "a", 6)))
        .extracting(Origin::line)
        .isEqualTo("org.rocksdb.A.a:6");
    assertThat(of(code, java("java.util.zip.Deflater", "init", 5)).line())
        .isEqualTo("(the JDK) java.util.zip.Deflater.init:5");
    assertThat(of(code).line()).isEqualTo("(no Java frame, thread pool-#-thread-#)");
    assertThat(of()).isEqualTo(new Origin(Category.C, of(code).line(), "", ""));
  }

  @Test
  void memoryOfTheJvmOfJavaCodeAndOfTheProfilerIsNotThatOfCCode() {
    Frame hook = c("libasyncProfiler.so", "malloc_hook");
    Frame jvm = c("libjvm.so", "os::malloc");
    Frame main = java("com.acme.Main", "main", 1);
    List<Category> categories =
        List.of(
            of(hook, jvm, main).category(),
            of(hook, jvm, java("jdk.internal.misc.Unsafe", "allocateMemory0", 0), main).category(),
            of(hook, jvm, c("libjvm.so", "Unsafe_AllocateMemory0"), main).category(),
            of(hook, c("libasyncProfiler.so", "Dictionary::add"), main).category(),
            of(hook, c("libc.so.6", "strdup"), main, jvm).category());

    assertThat(categories)
        .containsExactly(Category.JVM, Category.JAVA, Category.JAVA, Category.PROFILER, Category.C);
  }
}
