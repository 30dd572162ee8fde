package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.arena.Collected;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The thread that frees: a daemon that nothing stops, least of all a failure. */
class ReclaimerTest {
  private final PrintStream standardError = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  /** Without a block the thread would end, a second after the last one. */
  private final DirectMemory other = DirectMemory.ofLimit(1);

  private final ByteBuffer block = other.allocate(1);

  @BeforeEach
  void captureStandardError() {
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restore() {
    System.setErr(standardError);
    other.free(block);
  }

  /** Real memory, some of which is not taken back. */
  private static final class Failing implements MemorySource {
    final AtomicInteger failures = new AtomicInteger();

    @Override
    public long allocateZeroed(long byteSize) {
      return SYSTEM.allocateZeroed(byteSize);
    }

    @Override
    public void free(long address, long byteSize) {
      SYSTEM.free(address, byteSize);
      if (byteSize == 13) {
        failures.incrementAndGet();
        throw new IllegalStateException("broken on purpose");
      }
    }
  }

  @Test
  void failureToFreeIsReportedAndCostsNothingElse() {
    Failing failing = new Failing();
    DirectMemory memory = new DirectMemory(new Budget(1000, "the test"), failing);
    for (int i = 0; i < 10; i++) {
      memory.allocate(13);
      memory.allocate(14);
    }
    ByteBuffer byHand = memory.allocate(13);
    memory.free(byHand);
    Collected.await("all", () -> memory.reserved() == 0);
    assertThat(failing.failures).hasValue(11);
    // Nobody waits long for a line, so on a busy machine the last ones come later.
    Collected.await("the lines", () -> said.toString(StandardCharsets.UTF_8).lines().count() == 11);
    assertThat(said.toString(StandardCharsets.UTF_8).lines())
        .hasSize(11)
        .containsOnly(
            "[rockpool] Could not free 13 bytes of direct memory: java.lang.IllegalStateException:"
                + " broken on purpose");
    assertThat(reclaimer().isAlive()).isTrue();
  }

  /** Real memory that is first taken back at the third attempt. */
  private static final class Stubborn implements MemorySource {
    final AtomicInteger attempts = new AtomicInteger();

    @Override
    public long allocateZeroed(long byteSize) {
      return SYSTEM.allocateZeroed(byteSize);
    }

    @Override
    public void free(long address, long byteSize) {
      if (attempts.incrementAndGet() < 3) {
        throw new Unspeakable();
      }
      SYSTEM.free(address, byteSize);
    }
  }

  /** As any failure is where the heap is full: to put it in words fails as well. */
  @SuppressWarnings("serial") // never written
  private static final class Unspeakable extends VirtualMachineError {
    @Override
    public String toString() {
      throw new OutOfMemoryError("on purpose");
    }
  }

  @Test
  void failureThatCannotBePutInWordsDoesNotEndIt() {
    Stubborn stubborn = new Stubborn();
    DirectMemory memory = new DirectMemory(new Budget(1000, "the test"), stubborn);
    memory.allocate(13);
    Collected.await("the buffer", () -> memory.reserved() == 0);
    assertThat(stubborn.attempts).hasValue(3);
  }

  @Test
  void threadIsADaemonThatKeepsNothingOfItsStarterReachable() {
    DirectMemory.ofLimit(10).allocate(1);
    Thread thread = reclaimer();
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getContextClassLoader()).isNull();
    assertThat(thread.getThreadGroup().getParent()).isNull();
  }

  @Test
  void interruptDoesNotEndIt() {
    DirectMemory memory = DirectMemory.ofLimit(1000);
    memory.allocate(1);
    reclaimer().interrupt();
    memory.allocate(10);
    Collected.await("after the interrupt", () -> memory.reserved() == 0);
    assertThat(reclaimer().isAlive()).isTrue();
  }

  /** By a thread, a cleaner, or whatever else of the JVM. */
  @Test
  void nothingKeepsTheClassLoaderOnceAllMemoryIsFree() throws Exception {
    WeakReference<ClassLoader> dropped = new WeakReference<>(useInClassLoaderOfItsOwn());
    Collected.await("the class loader", () -> dropped.refersTo(null));
  }

  /** Memory of the JDK's that no collector frees. The program has lost it, and that alone. */
  @Test
  void arenaThatIsNeverClosedDoesNotKeepTheClassLoader() throws Exception {
    WeakReference<ClassLoader> dropped = new WeakReference<>(leaveOpenInClassLoaderOfItsOwn());
    Collected.await("the class loader", () -> dropped.refersTo(null));
  }

  private static ClassLoader leaveOpenInClassLoaderOfItsOwn() throws Exception {
    Class<?> type = loadAnew();
    Object memory = type.getMethod("ofLimit", long.class).invoke(null, 1 << 20);
    for (String kind : new String[] {"ofConfined", "ofShared"}) {
      Arena arena = (Arena) type.getMethod(kind).invoke(memory);
      arena.allocate(100);
    }
    return type.getClassLoader();
  }

  private static Class<?> loadAnew() throws Exception {
    URL rockpool = DirectMemory.class.getProtectionDomain().getCodeSource().getLocation();
    URLClassLoader loader =
        new URLClassLoader(new URL[] {rockpool}, ClassLoader.getPlatformClassLoader());
    Class<?> type = loader.loadClass(DirectMemory.class.getName());
    assertThat(type).isNotSameAs(DirectMemory.class);
    return type;
  }

  /** Memory that is freed by hand, by closing, and by the collector; some of it is kept. */
  private static ClassLoader useInClassLoaderOfItsOwn() throws Exception {
    Class<?> type = loadAnew();
    Object memory = type.getMethod("ofLimit", long.class).invoke(null, 1 << 20);
    Object buffer = type.getMethod("allocate", int.class).invoke(memory, 5000);
    type.getMethod("free", Buffer.class).invoke(memory, buffer);
    for (String kind : new String[] {"ofConfined", "ofShared", "ofAuto"}) {
      Arena arena = (Arena) type.getMethod(kind).invoke(memory);
      arena.allocate(100);
      if (!kind.equals("ofAuto")) {
        arena.close();
      }
    }
    type.getMethod("allocate", int.class).invoke(memory, 5000);
    return type.getClassLoader();
  }

  private static Thread reclaimer() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(Reclaimer.THREAD_NAME))
        .findFirst()
        .orElseThrow();
  }
}
