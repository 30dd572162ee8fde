package dev.rockpool.clients;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Runs out of direct memory while a flight recording is running, and prints what that tells. */
final class DirectFlight {
  private DirectFlight() {}

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    try (Recording recording = new Recording()) {
      recording.enable("dev.rockpool.DirectMemoryWait");
      recording.enable("dev.rockpool.DirectMemoryCollection");
      recording.start();
      ByteBuffer live = ByteBuffer.allocateDirect(600_000);
      try {
        ByteBuffer.allocateDirect(600_000);
      } catch (OutOfMemoryError expected) {
        System.out.println("refused beside " + live.capacity());
      }
      recording.dump(file);
    }
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      String type = event.getEventType().getName();
      if (type.equals("dev.rockpool.DirectMemoryWait")) {
        System.out.println(
            type + " " + event.getLong("bytesAsked") + " " + event.getBoolean("served"));
      } else if (type.equals("dev.rockpool.DirectMemoryCollection")) {
        System.out.println(
            type + " " + event.getInt("waiting") + " " + event.getBoolean("tookPlace"));
      }
    }
  }
}
