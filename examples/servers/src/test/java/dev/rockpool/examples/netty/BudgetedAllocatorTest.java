package dev.rockpool.examples.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.direct.DirectMemory;
import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Buffers by the library, alone and in a server with real clients. */
class BudgetedAllocatorTest {
  private static final int LIMIT = 8 << 20;

  private final DirectMemory memory = DirectMemory.ofLimit(LIMIT);
  private final BudgetedAllocator allocator = new BudgetedAllocator(memory);

  @BeforeAll
  static void followEachBuffer() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
  }

  @Test
  void buffersKeepTheirBytesWhileTheyGrowAndShrink() {
    ByteBuf buffer = allocator.directBuffer(10);
    assertThat(buffer.isDirect()).isTrue();
    assertThat(buffer.readableBytes()).isZero();
    for (int i = 0; i < 10_000; i++) {
      buffer.writeInt(i);
    }
    buffer.capacity(20_000);
    for (int i = 0; i < 5_000; i++) {
      assertThat(buffer.readInt()).isEqualTo(i);
    }
    assertThat(memory.reserved() - allocator.idleBytes()).isEqualTo(32 << 10);
    assertThat(buffer.release()).isTrue();
    assertThat(memory.reserved()).isEqualTo(allocator.idleBytes()).isPositive();
    allocator.trim();
    assertThat(memory.reserved()).isZero();
  }

  @Test
  void bufferWithinItsMaximumOnly() {
    ByteBuf buffer = allocator.directBuffer(0, 300);
    buffer.writeZero(300);
    assertThatThrownBy(() -> buffer.writeByte(0)).isInstanceOf(IndexOutOfBoundsException.class);
    buffer.release();
  }

  @Test
  void releasedChunksServeTheNextBufferAndMakeRoomForOthers() {
    allocator.directBuffer(3 << 20).release();
    assertThat(allocator.idleBytes()).isEqualTo(4 << 20);
    allocator.directBuffer(4 << 20).release();
    assertThat(memory.reserved()).isEqualTo(4 << 20);
    ByteBuf all = allocator.directBuffer(LIMIT);
    assertThat(memory.reserved()).isEqualTo(LIMIT);
    assertThatThrownBy(() -> allocator.directBuffer(1)).isInstanceOf(OutOfMemoryError.class);
    all.release();
    assertThat(memory.reserved()).as("more than half the limit").isZero();
  }

  @Test
  void clientsAreServedAndMemoryGoesBack() throws Exception {
    try (EchoServer server = new EchoServer(allocator);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Boolean>> clients = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Random random = new Random(i);
        clients.add(() -> converse(server.port(), random));
      }
      for (Future<Boolean> client : threads.invokeAll(clients)) {
        assertThat(client.get()).isTrue();
      }
      assertThat(memory.reserved()).isPositive();
      assertThat(server.refused()).isZero();
    }
    assertThat(memory.reserved()).as("no buffer is live").isEqualTo(allocator.idleBytes());
    allocator.trim();
    assertThat(memory.reserved()).isZero();
  }

  private static boolean converse(int port, Random random) throws IOException {
    try (EchoClient client = new EchoClient(port)) {
      boolean same = true;
      for (int i = 0; i < 50; i++) {
        same &= client.echoes(random, 1 + random.nextInt(50_000));
      }
      return same;
    }
  }

  @Test
  void refusedFrameClosesItsConnectionOnly() throws Exception {
    Random random = new Random(42);
    try (EchoServer server = new EchoServer(allocator);
        EchoClient modest = new EchoClient(server.port());
        EchoClient greedy = new EchoClient(server.port())) {
      assertThat(modest.echoes(random, 1000)).isTrue();
      assertThat(greedy.isRefused(2 * LIMIT)).isTrue();
      assertThat(server.refused()).isEqualTo(1);
      assertThat(memory.reserved()).isLessThanOrEqualTo(LIMIT);

      assertThat(modest.echoes(random, 1000)).isTrue();
      try (EchoClient next = new EchoClient(server.port())) {
        assertThat(next.echoes(random, 1 << 20)).isTrue();
      }
    }
    assertThat(memory.reserved()).isEqualTo(allocator.idleBytes());
  }
}
