package dev.rockpool.cli.report;

import java.lang.foreign.Arena;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A program that leaks native memory in five ways. Knows nothing of Rockpool. */
final class FiveLeaks {
  private static final List<Arena> OPEN = new ArrayList<>();
  private static final List<ByteBuffer> BUFFERS = new ArrayList<>();
  private static final List<MappedByteBuffer> FILES = new ArrayList<>();
  private static final Arena CACHE = Arena.ofShared();

  private FiveLeaks() {}

  public static void main(String[] args) throws Exception {
    neverClosed();
    for (int i = 0; i < 7; i++) {
      forgotten();
    }
    for (int i = 0; i < 40; i++) {
      growing();
    }
    for (int i = 0; i < 30; i++) {
      buffers();
    }
    for (int i = 0; i < 3; i++) {
      files();
    }
    for (int i = 0; i < 3; i++) {
      collect();
    }
  }

  /** References found by a collection are queued before those found by the next. */
  private static void collect() throws Exception {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    PhantomReference<Object> last = new PhantomReference<>(new Object(), queue);
    System.gc();
    if (queue.remove(60_000) != last) {
      throw new AssertionError("not collected");
    }
  }

  private static void neverClosed() {
    Arena arena = Arena.ofConfined();
    arena.allocate(123_456);
    OPEN.add(arena);
  }

  private static void forgotten() {
    Arena.ofShared().allocate(3_000);
  }

  private static void growing() {
    CACHE.allocate(11_000);
  }

  private static void buffers() {
    BUFFERS.add(ByteBuffer.allocateDirect(7_000));
  }

  private static void files() throws Exception {
    Path file = Files.createTempFile("leak", null);
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
      FILES.add(channel.map(FileChannel.MapMode.READ_WRITE, 0, 50_000));
    }
  }
}
