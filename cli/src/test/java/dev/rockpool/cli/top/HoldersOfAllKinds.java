package dev.rockpool.cli.top;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A program that holds native memory of each kind, and ever more in direct buffers. */
public final class HoldersOfAllKinds {
  private static final List<Arena> ARENAS = new ArrayList<>();
  private static final List<ByteBuffer> BUFFERS = new ArrayList<>();
  private static final List<MappedByteBuffer> FILES = new ArrayList<>();

  private HoldersOfAllKinds() {}

  public static void main(String[] args) throws Exception {
    ARENAS.add(Arena.ofConfined());
    ARENAS.add(Arena.ofShared());
    ARENAS.add(Arena.ofAuto());
    ARENAS.add(Arena.global());
    ARENAS.forEach(arena -> arena.allocate(3 << 10));
    Path file = Path.of(System.getProperty("java.home"), "release");
    try (FileChannel channel = FileChannel.open(file)) {
      FILES.add(channel.map(MapMode.READ_ONLY, 0, 700));
    }
    Thread.ofPlatform().daemon().start(HoldersOfAllKinds::grow);
    IO.println("ready");
    IO.readln();
  }

  private static void grow() {
    while (true) {
      BUFFERS.add(ByteBuffer.allocateDirect(1 << 10));
      LockSupport.parkNanos(10_000_000);
    }
  }
}
