package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Option {@code limit}: what is refused, and what the message says of it. */
class LimitIT {
  /**
   * For each kind, holds all but 9,999 bytes of the limit; asks for 10,000, which is refused; and
   * for 9,999, which is not. Prints the messages.
   */
  private static final String EACH_KIND =
      """
      import static java.lang.foreign.ValueLayout.JAVA_LONG;
      import sun.misc.Unsafe;

      static final MethodHandle MALLOC = Book.link("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
      static final MethodHandle REALLOC = Book.link("realloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
      static final MethodHandle FREE = Book.link("free", FunctionDescriptor.ofVoid(JAVA_LONG));
      static final long LIMIT = 64 << 20;

      static void main(String[] args) throws Throwable {
        warmUp();
        confined();
        shared();
        unsafe();
        malloc();
        switch (args[0]) {
          case "automatic" -> automatic();
          case "direct" -> direct();
          default -> fill("global", Arena.global());
        }
        System.out.println("done");
      }

      static void warmUp() {
        for (int i = 0; i < 100; i++) {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(100);
          }
        }
      }

      static void same(long expected) {
        if (Book.inUse() != expected) {
          throw new AssertionError(Book.inUse() + " instead of " + expected);
        }
      }

      static void ask(SegmentAllocator allocator, long byteSize) {
        allocator.allocate(byteSize).fill((byte) 1);
      }

      static void fill(String kind, SegmentAllocator allocator) {
        long before = Book.inUse();
        ask(allocator, LIMIT - before - 9_999);
        try {
          ask(allocator, 10_000);
          throw new AssertionError("not refused");
        } catch (OutOfMemoryError refused) {
          System.out.println(kind + ": " + refused.getMessage());
        }
        ask(allocator, 9_999);
        same(LIMIT);
      }

      static void confined() {
        long before = Book.inUse();
        try (Arena arena = Arena.ofConfined()) {
          fill("confined", arena);
        }
        same(before);
      }

      static void shared() {
        long before = Book.inUse();
        try (Arena arena = Arena.ofShared()) {
          fill("shared", arena);
        }
        same(before);
      }

      static void automatic() {
        fill("automatic", Arena.ofAuto());
      }

      static void direct() {
        List<ByteBuffer> buffers = new ArrayList<>();
        fill("direct", (byteSize, alignment) -> {
          ByteBuffer buffer = ByteBuffer.allocateDirect((int) byteSize);
          buffers.add(buffer);
          return MemorySegment.ofBuffer(buffer);
        });
      }

      static void unsafe() throws Exception {
        Unsafe unsafe = Book.unsafe();
        long before = Book.inUse();
        List<Long> taken = new ArrayList<>();
        fill("unsafe", (byteSize, alignment) -> {
          taken.add(unsafe.allocateMemory(byteSize));
          return MemorySegment.ofAddress(taken.getLast()).reinterpret(byteSize);
        });
        taken.set(0, unsafe.reallocateMemory(taken.getFirst(), 1000));
        taken.forEach(unsafe::freeMemory);
        same(before);
      }

      static void malloc() throws Throwable {
        long before = Book.inUse();
        List<Long> taken = new ArrayList<>();
        fill("malloc", (byteSize, alignment) -> {
          try {
            taken.add((long) MALLOC.invokeExact(byteSize));
          } catch (RuntimeException | Error failure) {
            throw failure;
          } catch (Throwable impossible) {
            throw new AssertionError(impossible);
          }
          return MemorySegment.ofAddress(taken.getLast()).reinterpret(byteSize);
        });
        try {
          taken.add((long) REALLOC.invokeExact((long) taken.get(1), 10_000L));
          throw new AssertionError("not refused");
        } catch (OutOfMemoryError refused) {
          same(LIMIT);
        }
        taken.set(1, (long) REALLOC.invokeExact((long) taken.get(1), 9_000L));
        taken.set(1, (long) REALLOC.invokeExact((long) taken.get(1), 9_900L));
        same(LIMIT - 99);
        for (long each : taken) {
          FREE.invokeExact(each);
        }
        same(before);
      }
      """;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limit=64m | direct",
        "limit=67108864,record=recorded.jfr | automatic",
        "limit=64m,arenas=off | global",
        "limit=64m,record=recorded.jfr,arenas=off | direct"
      })
  void eachKindIsRefusedAtTheByteAndGoesOn(String options, String last) throws Exception {
    List<String> lines =
        LimitProgram.run(
            ChildJvm.withAgent(options.replace("record=", "record=" + directory + "/")),
            EACH_KIND,
            last);

    assertThat(lines).hasSize(6).endsWith("done");
    for (String line : lines.subList(0, 5)) {
      String kind = line.substring(0, line.indexOf(':'));
      String method = kind.equals("global") ? "ask" : kind;
      String note =
          kind.equals("malloc") ? " Memory that C code frees is not seen as freed\\." : "";
      assertThat(line)
          .matches(
              kind
                  + ": Native memory must stay within its limit: asked for 10000 bytes, in use"
                  + " 67098865, limit 67108864\\. Most is held by Main\\.(lambda\\$)?"
                  + method
                  + "(\\$\\d+)?:\\d+ \\("
                  + kind
                  + ", 6\\d+ bytes\\).* Free memory sooner, or raise the limit: agent option"
                  + " limit\\."
                  + note);
    }
  }

  private static final String LINKED =
      """
      import static java.lang.foreign.ValueLayout.JAVA_LONG;

      static class Library {
        static MethodHandle link(String name, FunctionDescriptor type) {
          Linker linker = Linker.nativeLinker();
          return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
        }
      }

      static final MethodHandle MALLOC = Library.link("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));

      static void main() throws Throwable {
        allocate();
        System.out.println("for C to free");
        Library.link("free", FunctionDescriptor.ofVoid(JAVA_LONG));
        try {
          allocate();
          System.out.println("not refused");
        } catch (OutOfMemoryError refused) {
          System.out.println(refused.getMessage());
        }
      }

      static void allocate() throws Throwable {
        for (int i = 0; i < 60; i++) {
          long unused = (long) MALLOC.invokeExact(100_000L);
        }
      }
      """;

  /** A program that does not link free may have C free its memory, as one may that is excluded. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limit=1m                                 | Native memory .* Main\\.allocate:\\d+"
            + " \\(malloc, 1000000 bytes\\).* limit\\. Memory that C code frees is not seen as"
            + " freed\\.",
        "limit=1m,exclude=Main$Library            | not refused",
      })
  void mallocCountsOnceTheProgramHasLinkedFree(String options, String expected) throws Exception {
    List<String> lines =
        ChildJvm.withAgent(options)
            .with("--enable-native-access=ALL-UNNAMED")
            .program(LINKED)
            .lines();

    assertThat(lines).hasSize(2).startsWith("for C to free");
    assertThat(lines.getLast()).matches(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"limit=1m", "limit=1m,record=recorded.jfr"})
  void globalArenaIsOneObjectAndTheLineThatAllocatesItsHolder(String options) throws Exception {
    String program =
        """
        static Arena arena() {
          return Arena.global();
        }

        static Arena other() {
          return Arena.global();
        }

        static void main() {
          System.out.println(arena() == other() && arena().scope() == Arena.global().scope());
          arena().allocate(1000);
          other().allocate(600_000);
          try {
            other().allocate(600_000);
          } catch (OutOfMemoryError refused) {
            System.out.println(refused.getMessage());
          }
        }
        """;

    List<String> lines =
        ChildJvm.withAgent(options.replace("record=", "record=" + directory + "/"))
            .program(program)
            .lines();

    assertThat(lines).hasSize(2).startsWith("true");
    assertThat(lines.getLast())
        .contains(
            "Most is held by Main.main:12 (global, 600000 bytes), Main.main:11 (global, 1000 ");
  }

  /** A library's caller is the site; without a caller, two frames of the library are. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          limit=1m                         | com.acme.buf.Buffers.of:7
          limit=1m,sites.skip=com.acme.*   | Main.main:5
          limit=1m,sites.skip=com.acme.*,sites.skip=Ma* | com.acme.buf.Buffers.of:7, called by Main.main:5
          """)
  void sitesAreThoseWhoUseALibrary(String options, String site) {
    List<String> lines =
        ChildJvm.withAgent(options)
            .program(
                """
                package com.acme.buf;

                import java.lang.foreign.*;

                public class Buffers {
                  public static MemorySegment of(long byteSize) {
                    return Arena.ofShared().allocate(byteSize);
                  }
                }
                """,
                """
                import com.acme.buf.Buffers;

                static void main() {
                  try {
                    Buffers.of(1_000_000);
                    Buffers.of(1_000_000);
                  } catch (OutOfMemoryError refused) {
                    System.out.println(refused.getMessage());
                  }
                }
                """)
            .lines();

    assertThat(lines.getFirst()).contains("Most is held by " + site + " (shared, 1000000 bytes).");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limit=1m                   | Native memory must stay within its limit: asked for 2000000"
            + " bytes",
        "limit=1m,limit.action=warn | done",
      })
  void actionDecidesOnARequestBeyondTheLimit(String options, String expected) throws Exception {
    String program =
        """
        static void main() {
          try (Arena arena = Arena.ofShared()) {
            for (int i = 0; i < 5; i++) {
              arena.allocate(2_000_000);
            }
            System.out.println("done");
          } catch (OutOfMemoryError refused) {
            System.out.println(refused.getMessage());
          }
        }
        """;

    var outcome = ChildJvm.withAgent(options).program(program).run("Main");

    assertThat(outcome.outText()).startsWith(expected);
    assertThat(outcome.err().stream().filter(line -> line.contains("must stay within")))
        .hasSize(options.contains("warn") ? 1 : 0);
  }

  /** As some versions of Netty do without native access; 4.2.7 by the name of the class. */
  @ParameterizedTest
  @ValueSource(strings = {"Arena.class", "Class.forName(\"java.lang.foreign.Arena\")"})
  void lookUpsOfArenasAreNotCountedAndThatIsSaid(String type) {
    String program =
        """
        static void main() throws Throwable {
          Class<?> type = Arena.class;
          MethodHandle open =
              MethodHandles.lookup().findStatic(type, "ofShared", MethodType.methodType(type));
          try (Arena arena = (Arena) open.invoke()) {
            System.out.println(arena.allocate(2_000_000).byteSize());
          }
        }
        """;

    ChildJvm.Exit exit =
        ChildJvm.withAgent("limit=1m").program(program.replace("Arena.class", type)).run("Main");

    assertThat(exit.out()).containsExactly("2000000");
    assertThat(exit.err())
        .containsExactly(
            "[rockpool] Main looks up methods of Arena by name, whose memory is not counted.");
  }

  /** Netty takes its memory by malloc, where it has native access. */
  @ParameterizedTest
  @ValueSource(strings = {"adaptive", "pooled", "unpooled"})
  void nettyIsRefusedAndGoesOn(String allocator) {
    List<String> lines =
        ClientPrograms.on(
                ChildJvm.withAgent("limit=50m").with("--enable-native-access=ALL-UNNAMED"))
            .run(ClientPrograms.named("NettyHolder"), allocator)
            .output();

    assertThat(lines.getFirst())
        .matches(
            "Native memory must stay within its limit: asked for \\d+ bytes, in use \\d+, limit"
                + " 52428800\\. Most is held by dev\\.rockpool\\.clients\\.NettyHolder\\.hold:\\d+"
                + " \\(malloc, \\d{8} bytes\\).*");
    assertThat(lines.getLast()).matches("goes on after \\d+");
  }

  /** Mapped files do not count, whatever the arena. */
  @Test
  void luceneMapsMoreThanTheLimit() {
    Path index = directory.resolve("index");

    List<String> lines =
        ClientPrograms.on(ChildJvm.withAgent("limit=1m"))
            .run(ClientPrograms.named("LuceneIndex"), index.toString(), "20000")
            .output();

    assertThat(index)
        .isDirectoryContaining(file -> file.toFile().length() > 1 << 20)
        .as("a file larger than the limit");
    assertThat(lines.getFirst())
        .matches(
            "Native memory must stay within its limit: asked for 600000 bytes, in use \\d+, limit"
                + " 1048576\\. Most is held by dev\\.rockpool\\.clients\\.LuceneIndex\\.beside:\\d+"
                + " \\(shared, 600000 bytes\\).*");
    assertThat(lines.getLast()).isEqualTo("10000 hits");
  }
}
