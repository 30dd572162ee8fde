package dev.rockpool.agent;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.rockpool.internal.Daemon;
import dev.rockpool.internal.NativeMemory;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.Setting;
import dev.rockpool.record.ArenaEvents;
import dev.rockpool.record.CCode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops the recording of native memory. Modules jdk.jfr and jdk.management may be
 * missing, so classes that need them are used only in methods that are called if these are there.
 */
final class ArenaRecorder {
  static final String WITHOUT =
      "arenas can't be recorded, and the program runs on without a recording";

  private ArenaRecorder() {}

  /** Whether memory can be counted on this JDK; if not, a line has said why. */
  static boolean canCount() {
    return NativeMemory.canAllocate();
  }

  /**
   * Registers the events, and starts a recording if none is running.
   *
   * @return whether arenas can be recorded
   * @throws IllegalArgumentException with a message for the user, if the file that the options name
   *     can't be written
   */
  static boolean start(AgentReport report, LibraryInJavaBase library) {
    AgentOptions options = report.options;
    if (!isThere("jdk.jfr")) {
      Notices.print(WITHOUT + ": module jdk.jfr is not there; try --add-modules jdk.jfr");
      return false;
    }
    try {
      ArenaEvents.register(
          report.version,
          report.poolsArenas,
          options.leaksEvery(),
          options.recordStack(),
          options.has(Setting.DIRECT) ? library.bytesOfBuffers() : () -> 0);
      if (options.has(Setting.RECORD_C)) {
        CCode.start(options.cInterval(), options.has(Setting.RECORD_C_FAULTS), library.jar);
      }
      OwnRecording.start(options.recordFile(), options.has(Setting.RECORD_INLINING));
      return true;
    } catch (IllegalStateException | SecurityException | LinkageError failure) {
      Notices.print(WITHOUT, failure);
      return false;
    }
  }

  /**
   * Starts to count objects that own C memory, without a recording.
   *
   * @return whether they can be counted: module jdk.jfr has what the counts are written by
   */
  static boolean startOwners() {
    if (isThere("jdk.jfr")) {
      ArenaEvents.startOwners();
      return true;
    }
    return false;
  }

  private static boolean isThere(String module) {
    return ModuleLayer.boot().findModule(module).isPresent();
  }

  /**
   * Has the file of the recording written that the agent started, if there is one. A thread of its
   * own does so, because that may take long, and the bound of the process must not wait for it.
   */
  static void startDump() {
    if (isThere("jdk.jfr")) {
      Daemon.start("rockpool-dump", OwnRecording::dump);
    }
  }

  /** Ends the recording that the agent started, if there is one, and writes its file. */
  static void stop() {
    try {
      if (isThere("jdk.jfr")) {
        OwnRecording.stop();
        CCode.stop();
      }
    } catch (IllegalStateException | LinkageError failure) {
      Notices.print("the recording could not be written", failure);
    }
  }

  /**
   * A recording of Rockpool's events, which the agent starts if no other recording is running. The
   * flight recorder's shutdown hook writes the file, so also at {@code System.exit} and SIGTERM.
   */
  private static final class OwnRecording {
    private static final AtomicReference<@Nullable Recording> CURRENT = new AtomicReference<>();

    /** Written where memory is limited, too; its class may not be there. */
    private static final String LIMIT = "dev.rockpool.Limit";

    /** The JDK's event on threads, at the end of a chunk as are ours. */
    private static final String JDK_THREADS = "jdk.JavaThreadStatistics";

    /**
     * Starts a recording, unless another has the events and no file is named.
     *
     * @throws IllegalArgumentException if the file that is named can't be written
     */
    static void start(@Nullable Path named, boolean inlining) {
      if (named == null && anotherHasTheEvents()) {
        return;
      }
      Path file =
          named != null ? named : Path.of("rockpool-" + ProcessHandle.current().pid() + ".jfr");
      Recording recording = new Recording();
      try {
        recording.setDestination(file);
        recording.setDumpOnExit(true);
      } catch (IOException unwritable) {
        recording.close();
        if (named != null) {
          throw AgentOptions.notAccepted(Setting.RECORD, named.toString());
        }
        Notices.print(
            "the recording can't be written to " + file.toAbsolutePath() + ", name a file",
            unwritable);
        return; // recordings that the user starts have the events
      }
      recording.setName("rockpool");
      for (Class<? extends Event> event : ArenaEvents.types()) {
        recording.enable(event);
      }
      recording.enable(LIMIT);
      recording.enable(JDK_THREADS).with("period", "endChunk");
      if (inlining) {
        recording.enable("jdk.CompilerInlining");
      }
      recording.start();
      CURRENT.set(recording);
    }

    /** The JVM starts a recording of the command line after the agent. */
    private static boolean anotherHasTheEvents() {
      return FlightRecorder.getFlightRecorder().getRecordings().stream()
              .anyMatch(recording -> recording.getState() == RecordingState.RUNNING)
          || (isThere("jdk.management") && isOnCommandLine());
    }

    private static boolean isOnCommandLine() {
      HotSpotDiagnosticMXBean bean =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return bean != null && !bean.getVMOption("StartFlightRecording").getValue().isEmpty();
    }

    static void dump() {
      Recording running = CURRENT.get();
      if (running == null) {
        return;
      }
      Path file = Objects.requireNonNull(running.getDestination());
      Path part = Path.of(file + ".part"); // a dump empties its file before it can fail
      try {
        boolean isWanted = running.getState() == RecordingState.RUNNING; // else the JVM ends
        if (isWanted) {
          running.dump(part);
          Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        }
      } catch (IOException | IllegalStateException impossible) {
        Notices.print("the recording could not be written before its end", impossible);
        boolean _ = part.toFile().delete();
      }
    }

    static void stop() {
      Recording ending = CURRENT.getAndSet(null);
      if (ending != null) {
        ending.stop();
        ending.close();
      }
    }
  }
}
