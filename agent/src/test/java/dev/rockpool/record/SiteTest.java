package dev.rockpool.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.record.HolderEvents.NativeMemoryEvent;
import dev.rockpool.record.Site.Kind;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SiteTest {
  private String name;

  @BeforeEach
  void newName(TestInfo test) {
    name = "SiteTest " + test.getDisplayName();
  }

  private int number(Kind kind) {
    return Site.of(name, kind);
  }

  private Site site(Kind kind) {
    return Site.get(number(kind));
  }

  private NativeMemoryEvent figures(Kind kind) {
    Map<Kind, NativeMemoryEvent> kinds = new EnumMap<>(Kind.class);
    site(kind).addTo(kinds, Recorder.read());
    return kinds.getOrDefault(kind, new NativeMemoryEvent(kind));
  }

  private long growing(Kind kind, boolean isAfterCollection) {
    return site(kind).look(Recorder.read(), isAfterCollection);
  }

  /** A look comes each second; seconds without a change do not count, nor do small falls. */
  @Test
  void growthIsCountedUntilLiveBytesFallHalfTheWay() {
    try (Arena kept = HoldingArena.of(Arena.ofShared(), number(Kind.SHARED))) {
      for (int second = 1; second <= 3; second++) {
        kept.allocate(100);
        assertThat(growing(Kind.SHARED, false)).isEqualTo(second);
      }
      assertThat(growing(Kind.SHARED, false)).isEqualTo(3);
      try (Arena brief = HoldingArena.of(Arena.ofShared(), number(Kind.SHARED))) {
        brief.allocate(100);
        assertThat(growing(Kind.SHARED, false)).isEqualTo(4);
      }
      assertThat(growing(Kind.SHARED, false)).isEqualTo(4);
    }
    assertThat(growing(Kind.SHARED, false)).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"AUTOMATIC", "DIRECT", "MAPPED"})
  void memoryThatACollectionFreesDoesNotGrowBeforeOneHasRun(Kind kind) {
    List<Object> kept = new ArrayList<>();
    for (int second = 0; second < 3; second++) {
      Object opened = ByteBuffer.allocateDirect(1000);
      if (kind == Kind.AUTOMATIC) {
        opened = HoldingArena.of(Arena.ofAuto(), number(kind));
        ((Arena) opened).allocate(1000);
      } else {
        Holding.ofBuffer((ByteBuffer) opened, number(kind));
      }
      kept.add(opened);
      assertThat(growing(kind, false)).isZero();
    }
    assertThat(growing(kind, true)).isEqualTo(1);
    assertThat(figures(kind).live).isEqualTo(kept.size());
  }

  @Test
  void aBufferIsFreedWhoeverFreesIt() {
    List<ByteBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      buffers.add(ByteBuffer.allocateDirect(1000));
      Holding.ofBuffer(buffers.getLast(), number(Kind.DIRECT));
    }
    Holding.freed(buffers.get(1).position(10));
    Holding.freed(buffers.get(1));
    Holding.freed(ByteBuffer.allocateDirect(1));
    assertThat(figures(Kind.DIRECT).live).isEqualTo(2);
    assertThat(figures(Kind.DIRECT).liveBytes).isEqualTo(2000);

    Holding.ofBuffer(buffers.get(2), number(Kind.DIRECT)); // its address is in use again
    assertThat(figures(Kind.DIRECT).live).isEqualTo(2);
    assertThat(figures(Kind.DIRECT).opened).isEqualTo(4);
  }
}
