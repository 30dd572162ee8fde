package dev.rockpool.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Users of an arena besides its own methods: files, libraries, upcalls, other segments. */
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
    assertThatThrownBy(() -> mapped.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Already closed");
  }

  @Test
  void mappingWithAClosedArenaThrowsWhatItThrowsWithTheJdks() throws IOException {
    Path file = Files.writeString(folder.resolve("text"), "mapped");
    try (FileChannel channel = FileChannel.open(file)) {
      assertSameAsJdk("open", arena -> channel.map(MapMode.READ_ONLY, 0, 6, arena));
      assertSameAsJdk("beyond", arena -> channel.map(MapMode.READ_ONLY, -1, 6, arena));
      assertSameAsJdk(
          "closed",
          arena -> {
            arena.close();
            return channel.map(MapMode.READ_ONLY, 0, 6, arena);
          });
    }
  }

  @Test
  void upcallStubLivesUntilTheArenaIsClosed() throws Throwable {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor descriptor =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    MethodHandle negate =
        MethodHandles.lookup()
            .findStatic(Math.class, "negateExact", MethodType.methodType(int.class, int.class));
    MethodHandle call = linker.downcallHandle(descriptor);
    MemorySegment stub;
    try (Arena arena = open()) {
      arena.allocate(8);
      stub = linker.upcallStub(negate, descriptor, arena);
      assertThat(stub.scope()).isEqualTo(arena.scope());
      assertThat((int) call.invokeExact(stub, 42)).isEqualTo(-42);
    }
    assertThat(Outcome.of(() -> (int) call.invokeExact(stub, 42)))
        .isEqualTo("throws java.lang.IllegalStateException: Already closed");
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

  @Test
  void missingLibraryThrowsWhatItThrowsWithTheJdks() {
    assertSameAsJdk("name", arena -> SymbolLookup.libraryLookup("no-such-library", arena));
    assertSameAsJdk("path", arena -> SymbolLookup.libraryLookup(folder.resolve("none"), arena));
    assertSameAsJdk(
        "closed",
        arena -> {
          arena.close();
          return SymbolLookup.libraryLookup(folder.resolve("none"), arena);
        });
  }

  @Test
  void foreignMemoryGetsTheLifetimeOfTheArena() {
    try (Arena owner = Arena.ofConfined()) {
      MemorySegment foreign = owner.allocateFrom("foreign");
      List<Long> cleaned = new ArrayList<>();
      MemorySegment attached;
      try (Arena arena = open()) {
        arena.allocate(8);
        attached =
            MemorySegment.ofAddress(foreign.address())
                .reinterpret(8, arena, segment -> cleaned.add(segment.address()));
        assertThat(attached.getString(0)).isEqualTo("foreign");
        assertThat(attached.scope()).isEqualTo(arena.scope());
        assertThat(cleaned).isEmpty();
      }
      assertThat(attached.scope().isAlive()).isFalse();
      assertThat(cleaned).containsExactly(foreign.address());
      assertThat(foreign.getString(0)).isEqualTo("foreign");
    }
  }

  @Test
  void pooledMemoryGetsTheLifetimeOfAnotherArena() {
    try (Arena arena = open()) {
      MemorySegment memory = arena.allocateFrom("text");
      MemorySegment attached;
      try (Arena other = open()) {
        attached = memory.reinterpret(other, null);
        assertThat(attached.getString(0)).isEqualTo("text");
      }
      assertThat(attached.scope().isAlive()).isFalse();
      assertThat(memory.getString(0)).isEqualTo("text");
    }
  }

  @Test
  void slicesOfTheArenaAreHandedOutUntilTheyAreUsedUp() {
    try (Arena arena = open()) {
      MemorySegment memory = arena.allocate(48, 8);
      SegmentAllocator slices = SegmentAllocator.slicingAllocator(memory);
      MemorySegment text = slices.allocateFrom("0123456789");
      MemorySegment number = slices.allocateFrom(ValueLayout.JAVA_LONG, -1);
      assertThat(number.address()).isEqualTo(memory.address() + 16);
      assertThat(text.getString(0)).isEqualTo("0123456789");
      assertThatThrownBy(() -> slices.allocate(25)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void prefixAllocatorReusesOneSegmentOfTheArena() {
    try (Arena arena = open()) {
      SegmentAllocator prefix = SegmentAllocator.prefixAllocator(arena.allocate(32));
      MemorySegment first = prefix.allocateFrom("the first text");
      MemorySegment second = prefix.allocateFrom("the second");
      assertThat(second.address()).isEqualTo(first.address());
      assertThat(first.getString(0)).isEqualTo("the second");
    }
  }

  @Test
  void byteBufferSharesMemoryAndLifetimeWithTheSegment() {
    ByteBuffer buffer;
    try (Arena arena = open()) {
      MemorySegment memory = arena.allocate(16, 8);
      buffer = memory.asByteBuffer().order(ByteOrder.nativeOrder());
      assertThat(buffer.isDirect()).isTrue();
      assertThat(buffer.capacity()).isEqualTo(16);
      buffer.putLong(8, 42);
      assertThat(memory.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(42);
      assertThat(MemorySegment.ofBuffer(buffer).scope()).isEqualTo(arena.scope());
    }
    assertThatThrownBy(() -> buffer.getLong(8))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Already closed");
  }

  @Test
  void channelsReadIntoAndWriteFromTheMemory() throws IOException {
    Path file = Files.writeString(folder.resolve("text"), "from the file");
    try (Arena arena = open();
        FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment memory = arena.allocate(32);
      assertThat(channel.read(memory.asByteBuffer())).isEqualTo(13);
      assertThat(memory.getString(0)).isEqualTo("from the file");
      channel.write(memory.asSlice(9, 4).asByteBuffer(), 0);
      assertThat(Files.readString(file)).isEqualTo("file the file");
    }
  }

  @Test
  void valuesThroughVarHandlesIncludeAtomicOnes() {
    var counter = ValueLayout.JAVA_LONG.varHandle();
    try (Arena arena = open()) {
      MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG);
      assertThat((long) counter.getAndAdd(memory, 0L, 5L)).isZero();
      assertThat(counter.compareAndSet(memory, 0L, 5L, 6L)).isTrue();
      assertThat((long) counter.getVolatile(memory, 0L)).isEqualTo(6);
    }
  }
}
