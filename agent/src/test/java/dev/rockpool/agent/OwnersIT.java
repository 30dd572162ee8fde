package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Option {@code record}: Java objects that own C memory, by class and line. */
class OwnersIT {
  /** A library with classes that look as if they owned C memory. */
  private static final String[] LIBRARY = {
    """
    package lib;

    public class Peer implements AutoCloseable {
      protected long nativeHandle = 1;

      public Peer() {}

      public Peer(boolean fails) {
        if (fails) {
          throw new IllegalStateException("mine");
        }
      }

      protected native void free(long handle);

      @Override public void close() {
        nativeHandle = 0;
      }

      @Override public boolean equals(Object other) {
        throw new AssertionError("called");
      }

      @Override public int hashCode() {
        throw new AssertionError("called");
      }
    }
    """,
    """
    package lib;

    /** Looks like one as well, beside its superclass. */
    public class SubPeer extends Peer {
      private long ptr = 2;

      public SubPeer() {
        super(false);
      }

      native void more();

      @Override public void close() {
        super.close();
      }
    }
    """,
    """
    package lib;

    /** Is closed by another method than the one that looks like it. */
    public class Odd {
      private long handle = 3;

      native void nothing();

      public void close() {}

      public void shutdown() {
        handle = 0;
      }
    }
    """,
    """
    package lib;

    /** Does not look like one: only the user knows. */
    public class Named {
      private int number;

      public void shutdown() {
        number = 0;
      }

      public void abort() {
        number = 1;
      }
    }
    """,
    """
    package lib;

    /** Frees what nobody closes. */
    public class Finalized {
      private long handle = 4;

      native void nothing();

      public void close() {
        handle = 0;
      }

      @Override
      @SuppressWarnings("removal")
      protected void finalize() {
        close();
      }
    }
    """,
    """
    package com.sun.jna;

    /** As the real one, by name. */
    public class Memory {
      public Memory(long size) {}

      protected Memory() {}

      public Memory share() {
        return new Memory();
      }

      public void close() {}
    }
    """
  };

  private static final String MAIN =
      """
      import lib.*;

      static final List<Object> HELD = new ArrayList<>();

      static void main(String[] args) throws Exception {
        if (args[0].equals("attached")) {
          new Named().abort(); // loaded before
          new Peer().close();
          new Deflater().end();
          BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
          System.out.println("ready");
          while (in.readLine() != null) {
            Kinds.run();
            System.out.println(HELD.size());
          }
          return;
        }
        switch (args[0]) {
          case "kinds" -> Kinds.run();
          case "many" -> Many.run();
          case "deep" -> Deep.run();
          default -> throw new AssertionError(args[0]);
        }
        System.out.println("done");
      }

      static class Kinds {
        static void run() throws Exception {
          for (int i = 0; i < 30; i++) {
            deflater(i % 3 == 0);
            zipped();
            peer(i % 3 != 0);
            sub(i % 3 == 0);
            thrown();
            twice();
            other();
            odd();
            named(i);
            finalized(i % 3 == 0);
            HELD.add(new Peer());
            new com.sun.jna.Memory(8).share();
          }
          await();
        }

        static void deflater(boolean ends) {
          Deflater deflater = new Deflater();
          if (ends) {
            deflater.end();
          }
        }

        static void zipped() throws Exception {
          try (OutputStream out = new GZIPOutputStream(new ByteArrayOutputStream())) {
            out.write(1);
          }
        }

        static void peer(boolean closes) {
          Peer peer = new Peer();
          if (closes) {
            peer.close();
          }
        }

        static void sub(boolean closes) {
          Peer peer = new SubPeer();
          if (closes) {
            peer.close();
          }
        }

        static void thrown() {
          try {
            new Peer(true);
          } catch (IllegalStateException expected) {
            return;
          }
          throw new AssertionError("not thrown");
        }

        static void twice() {
          Peer peer = new Peer();
          peer.close();
          peer.close();
        }

        static void other() throws Exception {
          Peer peer = new Peer();
          Thread thread = new Thread(peer::close);
          thread.start();
          thread.join();
        }

        static void odd() {
          new Odd().shutdown();
        }

        static void named(int i) {
          Named named = new Named();
          if (i % 3 == 0) {
            named.shutdown();
          } else if (i % 3 == 1) {
            named.abort();
          }
        }

        static void finalized(boolean closes) {
          Finalized finalized = new Finalized();
          if (closes) {
            finalized.close();
          }
        }
      }

      /** Many that are closed at once, and some that are not. */
      static class Many {
        static void run() throws Exception {
          for (int i = 0; i < 100_000; i++) {
            quick();
            if (i % 100 == 7) {
              left();
            }
          }
          await();
        }

        static void quick() {
          new Peer().close();
        }

        static void left() {
          HELD.add(new Peer());
        }
      }

      /** Where the stack ends, nothing else is thrown than the program's own error. */
      static class Deep {
        static int depth;

        static void run() throws Exception {
          for (int i = 0; i < 200; i++) {
            try {
              dive(i % 50);
            } catch (StackOverflowError expected) {
              depth++;
            }
          }
          if (depth != 200) {
            throw new AssertionError(depth);
          }
          for (int i = 0; i < 20; i++) {
            new SubPeer().close();
          }
        }

        static void dive(int padding) {
          if (padding > 0) {
            dive(padding - 1);
            return;
          }
          new Peer().close();
          dive(0);
        }
      }

      /** References found by a collection are queued before those found by the next. */
      static void await() throws Exception {
        for (int i = 0; i < 4; i++) {
          ReferenceQueue<Object> queue = new ReferenceQueue<>();
          PhantomReference<Object> last = new PhantomReference<>(new Object(), queue);
          System.gc();
          System.runFinalization();
          if (queue.remove(60_000) != last) {
            throw new AssertionError("not collected");
          }
        }
      }
      """;

  @TempDir private Path directory;
  private Path program;
  private Path file;

  @BeforeEach
  void compile() {
    String[] sources = Stream.concat(Stream.of(LIBRARY), Stream.of(MAIN)).toArray(String[]::new);
    program = Sources.compileTo(directory.resolve("program"), sources);
    file = directory.resolve("recorded.jfr");
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct=off", "limit=1g"})
  void eachClassIsCountedByTheLineOfTheProgram(String with) throws Exception {
    run("kinds", with, "record.owners=lib.Named#shutdown+abort");

    Map<String, RecordedEvent> sites = sites();
    assertFigures(
        sites,
        "owner-collected java.util.zip.Deflater at Main$Kinds.deflater",
        "opened=30 closed=10 leaked=20 live=0 bytes=0 liveBytes=0 onVirtual=0");
    assertFigures(
        sites,
        "owner-collected java.util.zip.Deflater at Main$Kinds.zipped",
        "opened=30 closed=30 leaked=0 live=0");
    assertFigures(
        sites,
        "owner-guessed lib.Peer at Main$Kinds.peer",
        "opened=30 closed=20 leaked=10 live=10 byOthers=0");
    assertFigures(
        sites, "owner-guessed lib.Peer at Main$Kinds.run", "opened=30 closed=0 leaked=0 live=30");
    assertFigures(
        sites, "owner-guessed lib.Peer at Main$Kinds.twice", "opened=30 closed=30 leaked=0");
    assertFigures(
        sites,
        "owner-guessed lib.Peer at Main$Kinds.other",
        "opened=30 closed=30 leaked=0 byOthers=30");
    assertFigures(
        sites,
        "owner-guessed lib.SubPeer at Main$Kinds.sub",
        "opened=30 closed=10 leaked=20 live=20");
    assertFigures(sites, "owner-guessed lib.Odd at Main$Kinds.odd", "opened=30 closed=0 leaked=30");
    assertFigures(
        sites, "owner lib.Named at Main$Kinds.named", "opened=30 closed=20 leaked=10 live=10");
    assertFigures(
        sites,
        "owner-collected lib.Finalized at Main$Kinds.finalized",
        "opened=30 closed=10 leaked=20 live=0");
    assertFigures(
        sites,
        "owner-collected com.sun.jna.Memory at Main$Kinds.run",
        "opened=30 closed=0 leaked=30 live=0");
    assertThat(sites.keySet()).noneMatch(name -> name.contains("thrown"));
    assertThat(FigureEvents.read(file, "HolderStack"))
        .anyMatch(
            stack ->
                stack.getString("site").startsWith("lib.Named at Main$Kinds.named:")
                    && stack.getString("stack").contains("lib.Named.<init>"));
  }

  /** What the user says of a class holds for it: here it looks like one, by another method. */
  @Test
  void theUsersClosingMethodsReplaceTheGuessedOnes() throws Exception {
    run("kinds", "record.owners=lib.O?d#shutdown");

    Map<String, RecordedEvent> sites = sites();
    assertFigures(sites, "owner lib.Odd at Main$Kinds.odd", "opened=30 closed=30 leaked=0 live=0");
    assertThat(sites.keySet()).noneMatch(name -> name.contains("lib.Named"));
  }

  @Test
  void ownersCanBeLimitedToKnownOnesOrLeftOut() throws Exception {
    run("kinds", "record.owners=known");
    assertThat(owners())
        .isNotEmpty()
        .allMatch(name -> name.contains(" java.util.zip.") || name.contains(" com.sun.jna."));

    run("kinds", "record.owners=off");
    assertThat(owners()).isEmpty();

    run("kinds", "record.owners=off", "record.owners=lib.Named#abort");
    assertThat(owners()).containsExactly("owner lib.Named at Main$Kinds.named");

    run("kinds", "exclude=lib.*");
    assertThat(owners()).isNotEmpty().noneMatch(name -> name.contains("lib."));
  }

  @Test
  void aClassWithoutTheNamedMethodIsSaidAndNotCounted() throws Exception {
    String output = run("kinds", "record.owners=lib.Named#close");
    assertThat(output)
        .contains(
            "lib.Named has no method close, which option record.owners names, so its objects are"
                + " not counted");
    assertThat(owners()).noneMatch(name -> name.contains("lib.Named"));
  }

  /** Of most objects the line is not noted, but all are counted. */
  @Test
  void manyObjectsAreAllCounted() throws Exception {
    run("many");

    Map<String, RecordedEvent> sites = sites();
    String quick = "owner-guessed lib.Peer at Main$Many.quick";
    String left = "owner-guessed lib.Peer at Main$Many.left";
    String others = "owner-guessed lib.Peer at (lines not noted)";
    assertThat(sum("opened", sites, quick, left, others)).isEqualTo(101_000);
    assertThat(sum("closed", sites, quick, left, others)).isEqualTo(100_000);
    assertThat(sum("live", sites, quick, left, others)).isEqualTo(1000);
    assertFigures(sites, quick, "live=0 leaked=0");
    assertThat(sum("live", sites, left)).isBetween(20L, 1000L);
  }

  @Test
  void allLinesAreNotedIfTheUserWantsThat() throws Exception {
    run("many", "record.leaks=all");

    Map<String, RecordedEvent> sites = sites();
    assertFigures(
        sites, "owner-guessed lib.Peer at Main$Many.quick", "opened=100000 closed=100000 live=0");
    assertFigures(sites, "owner-guessed lib.Peer at Main$Many.left", "opened=1000 live=1000");
  }

  @Test
  void theEndOfTheStackIsTheProgramsOwn() throws Exception {
    run("deep");
    assertFigures(
        sites(), "owner-guessed lib.SubPeer at Main$Deep.run", "opened=20 closed=20 live=0");
  }

  /** Classes that are loaded are rewritten at the attach, and restored at the detach. */
  @Test
  void anAgentThatComesLaterCountsUntilItLeaves() throws Exception {
    try (ChildJvm.Running target =
        ChildJvm.plain().with(Attachment.ALLOW).classPath(program).start("Main", "attached")) {
      assertThat(target.answer()).isEqualTo("ready");
      Attachment.attach(target, "record=" + file + ",record.owners=lib.Named#shutdown+abort");
      assertThat(target.ask("run")).isEqualTo("30");
      Attachment.uninstall(target);
      assertThat(target.ask("run")).isEqualTo("60");
      assertThat(target.end().code()).isZero();
    }
    Map<String, RecordedEvent> sites = sites();
    assertFigures(
        sites, "owner lib.Named at Main$Kinds.named", "opened=30 closed=20 leaked=10 live=10");
    assertFigures(sites, "owner-guessed lib.Peer at Main$Kinds.peer", "opened=30 closed=20");
    assertFigures(
        sites, "owner-collected java.util.zip.Deflater at Main$Kinds.deflater", "opened=30");
  }

  /** Returns what the agent says. */
  private String run(String what, String... more) {
    String[] options =
        Stream.concat(Stream.of("record=" + file), Stream.of(more)).toArray(String[]::new);
    ChildJvm.Exit exit = ChildJvm.withAgent(options).classPath(program).run("Main", what);
    assertThat(exit.output()).containsExactly("done");
    return exit.errText();
  }

  private List<String> owners() throws Exception {
    return sites().keySet().stream().filter(name -> name.startsWith("owner")).toList();
  }

  /** By kind, class and method. */
  private Map<String, RecordedEvent> sites() throws Exception {
    Map<String, RecordedEvent> sites = new TreeMap<>();
    for (RecordedEvent event : FigureEvents.read(file, "HolderSite")) {
      String site = event.getString("site").replaceFirst(":\\d+$", "");
      sites.put(event.getString("kind") + " " + site, event);
    }
    return sites;
  }

  private static long sum(String field, Map<String, RecordedEvent> sites, String... names) {
    return Stream.of(names)
        .map(sites::get)
        .mapToLong(site -> site == null ? 0 : site.getLong(field))
        .sum();
  }

  private static void assertFigures(Map<String, RecordedEvent> sites, String name, String figures) {
    assertThat(sites).containsKey(name);
    FigureEvents.assertFigures(sites.get(name), figures);
  }
}
