package dev.rockpool.agent;

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
 * A recording of Rockpool's events, which the agent starts if no other recording is running. The
 * recorder's shutdown hook writes the file, so also at {@code System.exit} and SIGTERM.
 *
 * <p>The JVM starts a recording of the command line after the agent. So our recording starts first,
 * and gives way if another one starts before any class was redirected: until then ours is empty.
 */
final class ArenaRecording implements FlightRecorderListener {
  /**
   * The recording that is running, or null. The thread that removes it from here ends it. No lock
   * is held, because the flight recorder calls listeners of the program.
   */
  private static final AtomicReference<@Nullable ArenaRecording> CURRENT = new AtomicReference<>();

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
      cannotWrite(named, file, unwritable);
      return;
    }
    recording.setName("rockpool");
    for (String event : new String[] {"RecorderSettings", "ArenaHistogram", "ArenaSite"}) {
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
    for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
      if (recording.getState() == RecordingState.RUNNING) {
        return true;
      }
    }
    return false;
  }

  /** Throws if the user named the file; otherwise prints, as other recordings have the events. */
  private static void cannotWrite(@Nullable Path named, Path file, IOException unwritable) {
    if (named != null) {
      throw AgentOptions.notAccepted(AgentOptions.Option.RECORD, named.toString());
    }
    Console.print(
        "the recording can't be written to " + file.toAbsolutePath() + ", name a file", unwritable);
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
      Console.print("left an empty file behind", left);
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
