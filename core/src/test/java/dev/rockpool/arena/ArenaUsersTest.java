package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Users of an arena besides its own methods: files and libraries. */
@SuppressWarnings("restricted")
class ArenaUsersTest extends ArenaContract {
  @TempDir Path folder;

  @Test
  void fileIsMappedUntilTheArenaIsClosed() throws IOException {
    Path file = Files.writeString(folder.resolve("text"), "mapped");
    MemorySegment mapped;
    try (Arena arena = open();
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment memory = arena.allocateFrom("other");
      mapped = channel.map(MapMode.READ_WRITE, 1, 4, arena);
      mapped.set(ValueLayout.JAVA_BYTE, 0, (byte) 'A');
      mapped.force();
      assertThat(mapped.scope()).isEqualTo(arena.scope());
      assertThat(Files.readString(file)).isEqualTo("mApped");
      assertThat(memory.getString(0)).isEqualTo("other");
    }
    assertThat(Outcome.of(() -> mapped.get(ValueLayout.JAVA_BYTE, 0))).isEqualTo(CLOSED);
  }

  @Test
  void mappingWithAClosedArenaThrowsWhatItThrowsWithTheJdks() throws IOException {
    Path file = Files.writeString(folder.resolve("text"), "mapped");
    try (FileChannel channel = FileChannel.open(file)) {
      assertSameAsJdk("open", arena -> channel.map(MapMode.READ_ONLY, 0, 6, arena));
      assertSameAsJdk("beyond", arena -> channel.map(MapMode.READ_ONLY, -1, 6, arena));
      assertSameAsJdk(
          "closed", arena -> close(arena) + channel.map(MapMode.READ_ONLY, 0, 6, arena));
    }
  }

  @Test
  void libraryIsLoadedUntilTheArenaIsClosed() {
    String libraries = OS.WINDOWS.isCurrentOs() ? "bin" : "lib";
    Path library =
        Path.of(System.getProperty("java.home"), libraries, System.mapLibraryName("zip"));
    MemorySegment symbol;
    try (Arena arena = open()) {
      arena.allocate(8);
      symbol = SymbolLookup.libraryLookup(library, arena).findOrThrow("ZIP_CRC32");
      assertThat(symbol.scope()).isEqualTo(arena.scope());
      SymbolLookup byName = SymbolLookup.libraryLookup(library.toString(), arena);
      assertThat(byName.findOrThrow("ZIP_CRC32").address()).isEqualTo(symbol.address());
    }
    assertThat(symbol.scope().isAlive()).isFalse();
  }
}
