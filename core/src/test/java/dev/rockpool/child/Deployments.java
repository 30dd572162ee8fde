package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.ArenaPoolMXBean;
import dev.rockpool.arena.Arenas;
import dev.rockpool.arena.Collected;
import dev.rockpool.call.CallState;
import dev.rockpool.direct.DirectMemory;
import dev.rockpool.internal.Housekeeper;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * As a web server: deploys an application that has the library several times, each in a class
 * loader of its own, and drops it. Threads, MBean server and flight recorder outlive it.
 */
final class Deployments {
  private static final int DEPLOYMENTS = 2;
  private static final int THREADS = 4;

  /** Less than any of the applications leaves of direct memory; more than it leaves of blocks. */
  private static final long MOST_LEFT = 2 << 20;

  private Deployments() {}

  public static void main(String[] args) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try (Recording recording = new Recording();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      ((ThreadPoolExecutor) threads).prestartAllCoreThreads(); // they are the server's
      recording.enable("dev.rockpool.PoolStatistics").withPeriod(Duration.ofMillis(100));
      recording.start();
      long before = mallocBytes();
      List<WeakReference<ClassLoader>> dropped = new ArrayList<>();
      for (int i = 0; i < DEPLOYMENTS; i++) {
        dropped.add(new WeakReference<>(deployAndClose(threads)));
      }
      System.out.println("collected=" + isCollected(dropped));
      Collected.await("housekeepers", () -> housekeepers() == 0);
      // Freed by the JDK's cleaner some time after the applications are found unreachable.
      Collected.await("memory", () -> mallocBytes() - before < MOST_LEFT);

      ClassLoader last = deploy(threads);
      ObjectName name = new ObjectName(ArenaPoolMXBean.NAME);
      System.out.println("state=" + server.getAttribute(name, "State"));
      System.out.println("closed=" + server.getAttribute(name, "ArenasClosed"));
      Reference.reachabilityFence(last);
      System.out.println("events=" + events(recording));
    }
  }

  /** Bytes that the C library has handed out, by glibc's {@code mallinfo2}. */
  @SuppressWarnings("restricted")
  private static long mallocBytes() {
    Linker linker = Linker.nativeLinker();
    MemoryLayout figures = MemoryLayout.sequenceLayout(10, ValueLayout.JAVA_LONG);
    MemoryLayout result = MemoryLayout.structLayout(figures);
    MethodHandle mallinfo =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("mallinfo2"), FunctionDescriptor.of(result));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = (MemorySegment) mallinfo.invokeExact((SegmentAllocator) arena);
      return info.getAtIndex(ValueLayout.JAVA_LONG, 4) + info.getAtIndex(ValueLayout.JAVA_LONG, 7);
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static long events(Recording recording) throws IOException {
    Path file = Files.createTempFile("deployments", ".jfr");
    try {
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> event.getEventType().getName().equals("dev.rockpool.PoolStatistics"))
          .count();
    } finally {
      Files.delete(file);
    }
  }

  private static boolean isCollected(List<WeakReference<ClassLoader>> dropped) {
    try {
      Collected.await(
          "applications", () -> dropped.stream().allMatch(loader -> loader.refersTo(null)));
      return true;
    } catch (AssertionError leak) {
      System.out.println("left=" + dropped.stream().filter(l -> !l.refersTo(null)).count());
      return false;
    }
  }

  private static long housekeepers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("rockpool-housekeeper"))
        .count();
  }

  /** As a server does it: threads of ours that still run get no further class. */
  private static ClassLoader deployAndClose(ExecutorService threads) throws Exception {
    URLClassLoader loader = deploy(threads);
    loader.close();
    return loader;
  }

  private static URLClassLoader deploy(ExecutorService threads) throws Exception {
    URL library = Arenas.class.getProtectionDomain().getCodeSource().getLocation();
    URL program = Deployments.class.getProtectionDomain().getCodeSource().getLocation();
    URLClassLoader loader =
        new URLClassLoader(new URL[] {library, program}, ClassLoader.getPlatformClassLoader());
    @SuppressWarnings("unchecked")
    Function<ExecutorService, @Nullable Exception> application =
        (Function<ExecutorService, @Nullable Exception>)
            loader.loadClass(Application.class.getName()).getConstructor().newInstance();
    Thread.currentThread().setContextClassLoader(loader); // as a server does
    Exception failure = application.apply(threads);
    Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
    if (failure != null) {
      throw failure;
    }
    return loader;
  }

  /** A program, which each class loader has a copy of. */
  @SuppressWarnings("restricted")
  public static final class Application implements Function<ExecutorService, Exception> {
    private static final ArenaPool OWN = ArenaPool.builder().blockByteSize(1024).build();

    private static final int DIRECT_BLOCKS = 64;

    private static final long DIRECT_BYTE_SIZE = 250 << 10;

    /** In use until the application is dropped. */
    private static final List<MemorySegment> HELD = new ArrayList<>();

    private final MethodHandle close;

    public Application() {
      Linker linker = Linker.nativeLinker();
      close =
          CallState.ERRNO.adapt(
              linker.downcallHandle(
                  linker.defaultLookup().findOrThrow("close"),
                  FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
                  Linker.Option.captureCallState("errno")));
    }

    @Override
    public @Nullable Exception apply(ExecutorService threads) {
      try {
        useOnEach(threads);
        Thread virtual = Thread.ofVirtual().start(this::use);
        virtual.join();
        if (ArenaPool.shared().statistics().arenasClosed() == 0) {
          return new IllegalStateException("not pooled");
        }
        awaitRounds();
        useDirectMemory();
        return null;
      } catch (Exception failure) {
        return failure;
      }
    }

    private void useOnEach(ExecutorService threads) throws Exception {
      List<Callable<Boolean>> uses = new ArrayList<>();
      CountDownLatch all = new CountDownLatch(THREADS);
      for (int i = 0; i < THREADS; i++) {
        uses.add(
            () -> {
              use();
              all.countDown();
              all.await();
              return true;
            });
      }
      for (Future<Boolean> use : threads.invokeAll(uses)) {
        use.get();
      }
    }

    private void use() {
      try (Arena shared = Arenas.ofConfined();
          Arena own = OWN.take()) {
        shared.allocate(100);
        own.allocate(5000);
        int result = (int) close.invokeExact(-1);
        if (result >= 0) {
          throw new IllegalStateException("close(-1) returned " + result);
        }
      } catch (Throwable failure) {
        throw new IllegalStateException(failure);
      }
    }

    /** An arena is never closed, half of the segments is never freed. */
    private static void useDirectMemory() {
      DirectMemory memory = DirectMemory.ofLimit((DIRECT_BLOCKS + 1) * DIRECT_BYTE_SIZE);
      memory.ofShared().allocate(100);
      for (int i = 0; i < DIRECT_BLOCKS; i++) {
        HELD.add(memory.allocate(DIRECT_BYTE_SIZE, 1));
      }
      HELD.subList(0, DIRECT_BLOCKS / 2).forEach(memory::free);
    }

    /** Two rounds of the housekeeper, after which JMX and the recorder have what they show. */
    private static void awaitRounds() throws InterruptedException {
      CountDownLatch rounds = new CountDownLatch(2);
      Housekeeper.add(
          () -> {
            rounds.countDown();
            return rounds.getCount() > 0;
          });
      rounds.await();
    }
  }
}
