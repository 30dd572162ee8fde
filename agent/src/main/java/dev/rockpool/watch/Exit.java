package dev.rockpool.watch;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.rockpool.internal.Daemon;
import dev.rockpool.internal.Notices;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Ends the JVM after so many refusals within a minute, as {@code -XX:+ExitOnOutOfMemoryError} does
 * for errors of the JVM's own, and with the same exit code. That flag does not see errors which
 * Java code throws.
 */
final class Exit {
  /** The code of {@code -XX:+ExitOnOutOfMemoryError}. */
  static final int CODE = 3;

  private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** How long shutdown hooks may take. */
  private static final long PATIENCE_SECONDS = 10;

  private record Seen(long nanos, long refused) {}

  private final long most;
  private final Deque<Seen> window = new ArrayDeque<>();

  /** Refusals before the window; -1 before the first look. */
  private long before = -1;

  /** Ends the JVM at so many refusals. */
  Exit(long most) {
    this.most = most;
    try {
      Class.forName("java.lang.Shutdown"); // now, because a full heap has no room for its locks
    } catch (ClassNotFoundException otherJdk) {
      return;
    }
  }

  /** Whether so many requests were refused within the last minute. If so, takes no heap. */
  boolean isDue(long refused, long nanos) {
    while (!window.isEmpty() && nanos - window.getFirst().nanos > WINDOW_NANOS) {
      before = window.removeFirst().refused;
    }
    before = before < 0 ? refused : before;
    if (refused - before >= most) {
      return true;
    }
    if (window.isEmpty() || window.getLast().refused != refused) {
      window.addLast(new Seen(nanos, refused));
    }
    return false;
  }

  /** Ends the JVM. Shutdown hooks run, but not for long, and not if the heap is full. */
  static void exit(long refused) {
    try {
      exitInOrder(refused);
    } finally {
      Runtime.getRuntime().halt(CODE);
    }
  }

  private static void exitInOrder(long refused) {
    Notices.print(
        "limit.action=exit: "
            + refused
            + " requests for native memory were refused, so the JVM exits with code "
            + CODE);
    if (ModuleLayer.boot().findModule("jdk.management").isPresent()) {
      HeapDump.writeIfAsked();
    }
    Daemon.start("rockpool-exit", () -> System.exit(CODE));
    try {
      TimeUnit.SECONDS.sleep(PATIENCE_SECONDS);
    } catch (InterruptedException early) {
      return; // halts at once
    }
  }

  /** Names classes of an optional module. */
  private static final class HeapDump {
    /** As the JVM does at errors of its own: -XX:+HeapDumpOnOutOfMemoryError asks for it. */
    static void writeIfAsked() {
      HotSpotDiagnosticMXBean jvm =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      if (jvm == null || !jvm.getVMOption("HeapDumpOnOutOfMemoryError").getValue().equals("true")) {
        return;
      }
      String name = "java_pid" + ProcessHandle.current().pid() + ".hprof";
      String pid = String.valueOf(ProcessHandle.current().pid());
      String path = jvm.getVMOption("HeapDumpPath").getValue().replace("%p", pid);
      Path file = Path.of(path.isEmpty() ? name : path);
      file = Files.isDirectory(file) ? file.resolve(name) : file;
      if (!file.toString().endsWith(".hprof")) { // the bean demands it, the flag does not
        file = Path.of(file + ".hprof");
      }
      try {
        jvm.dumpHeap(file.toAbsolutePath().toString(), true);
        Notices.print("the heap is dumped to " + file.toAbsolutePath());
      } catch (IOException | RuntimeException impossible) {
        Notices.print("the heap can't be dumped to " + file.toAbsolutePath(), impossible);
      }
    }
  }
}
