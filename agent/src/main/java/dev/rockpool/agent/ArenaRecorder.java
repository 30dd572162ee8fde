package dev.rockpool.agent;

import dev.rockpool.agent.AgentTransformer.Targets;
import dev.rockpool.internal.Notices;
import dev.rockpool.internal.Setting;
import dev.rockpool.record.ArenaEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops the recording of arenas. Module jdk.jfr may be missing, so classes that need it
 * are used only in methods that are called if the module is there.
 */
final class ArenaRecorder {
  static final String WITHOUT =
      "arenas can't be recorded, and the program runs on without Rockpool";

  private ArenaRecorder() {}

  /**
   * Registers the events, and starts a recording if none is running.
   *
   * @return the targets of redirected classes, or null if arenas can't be recorded
   * @throws IllegalArgumentException with a message for the user, if the file that the options name
   *     can't be written
   */
  static @Nullable Targets start(AgentReport report, LibraryInJavaBase library) {
    AgentOptions options = report.options;
    if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
      Notices.print(WITHOUT + ": module jdk.jfr is not there; try --add-modules jdk.jfr");
      return null;
    }
    try {
      ArenaEvents.register(
          report.version, report.poolsArenas, options.leaksEvery(), options.recordStack());
      RecordedSites sites = new RecordedSites(library, report);
      ArenaRecording.start(options.recordFile(), sites.used);
      return sites;
    } catch (IllegalArgumentException refused) {
      throw refused;
    } catch (Throwable failure) {
      Notices.print(WITHOUT, failure);
      return null;
    }
  }

  /** Ends the recording that the agent started, if there is one, and writes its file. */
  static void stop() {
    try {
      ArenaRecording.stop();
    } catch (Throwable failure) {
      Notices.print("the recording could not be written", failure);
    }
  }

  /**
   * A recording of Rockpool's events, which the agent starts if no other recording is running. The
   * recorder's shutdown hook writes the file, so also at {@code System.exit} and SIGTERM.
   *
   * <p>The JVM starts a recording of the command line after the agent. So our recording starts
   * first, and gives way if another one starts before any class was redirected: until then ours is
   * empty.
   */
  private static final class ArenaRecording implements FlightRecorderListener {
    /**
     * The recording that is running, or null. The thread that removes it from here ends it. No lock
     * is held, because the flight recorder calls listeners of the program.
     */
    private static final AtomicReference<@Nullable ArenaRecording> CURRENT =
        new AtomicReference<>();

    private static final String[] EVENTS = {
      "RecorderSettings", "ArenaHistogram", "ArenaSite", "HolderSite", "HolderStack", "NativeMemory"
    };

    private final Recording recording;
    private final Path file;

    /** Whether arenas may have been recorded. A flag only, because a static field leads here. */
    private final AtomicBoolean used;

    private ArenaRecording(Recording recording, Path file, AtomicBoolean used) {
      this.recording = recording;
      this.file = file;
      this.used = used;
    }

    /**
     * Starts a recording, unless one is running and no file is named.
     *
     * @throws IllegalArgumentException if the file that is named can't be written
     */
    static void start(@Nullable Path named, AtomicBoolean used) {
      if (named == null && anyIsRunning()) {
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
        return; // other recordings have the events
      }
      recording.setName("rockpool");
      for (String event : EVENTS) {
        recording.enable("dev.rockpool." + event);
      }
      recording.start();
      ArenaRecording started = new ArenaRecording(recording, file.toAbsolutePath(), used);
      CURRENT.set(started);
      if (named == null) {
        FlightRecorder.addListener(started);
      }
    }

    private static boolean anyIsRunning() {
      return FlightRecorder.getFlightRecorder().getRecordings().stream()
          .anyMatch(recording -> recording.getState() == RecordingState.RUNNING);
    }

    @Override
    public void recordingStateChanged(Recording other) {
      if (CURRENT.get() != this || used.get()) {
        FlightRecorder.removeListener(this);
      } else if (other.getState() == RecordingState.RUNNING && other.getId() != recording.getId()) {
        FlightRecorder.removeListener(this);
        if (CURRENT.compareAndSet(this, null)) {
          giveWay();
        }
      }
    }

    /** Closes the recording, and deletes its file, which setDestination has created empty. */
    private void giveWay() {
      try {
        recording.setDestination(null); // otherwise close writes the file
        recording.close();
        if (Files.size(file) == 0) {
          Files.delete(file);
        }
      } catch (IOException left) {
        Notices.print("left an empty file behind", left);
      }
    }

    /** Ends the recording, if one is running, and writes its file. */
    static void stop() {
      ArenaRecording ending = CURRENT.getAndSet(null);
      if (ending != null) {
        ending.recording.stop();
        ending.recording.close();
      }
    }
  }
}
