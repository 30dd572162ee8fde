package dev.rockpool.malloc;

import dev.rockpool.malloc.Origin.Frame;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/**
 * The events of one recording of async-profiler, with their origins. Streams reuse their events; a
 * {@code RecordingFile} makes four times as much garbage.
 */
final class Samples {
  private static final Set<String> JAVA_FRAMES =
      Set.of("Interpreted", "JIT compiled", "C1 compiled", "Inlined");

  private final Path recording;
  private final Predicate<String> isLibrary;
  private final Map<RecordedStackTrace, Origin> known = new HashMap<>();

  /**
   * Nothing is read yet.
   *
   * @param isLibrary whether a class, by its binary name, allocates for others
   */
  Samples(Path recording, Predicate<String> isLibrary) {
    this.recording = recording;
    this.isLibrary = isLibrary;
  }

  /** Reads the events, in any order, for which {@code handlers} sets handlers. */
  void read(Consumer<EventStream> handlers) throws IOException {
    try (EventStream events = EventStream.openFile(recording)) {
      handlers.accept(events);
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      events.onError(each -> failure.compareAndSet(null, each));
      events.setOrdered(false);
      events.setReuse(true);
      events.start();
      if (failure.get() != null) {
        throw new IOException("an event can't be read: " + failure.get(), failure.get());
      }
    }
  }

  /** Returns the number that a setting of the profiler has; {@code otherwise} if it is another. */
  static long setting(RecordedEvent setting, String name, long otherwise) {
    return name.equals(setting.getString("name"))
        ? Math.max(0, Long.parseLong(setting.getString("value")))
        : otherwise;
  }

  Origin origin(RecordedEvent event, @Nullable RecordedThread thread) {
    RecordedStackTrace stack = event.getStackTrace();
    Origin origin = stack == null ? null : known.get(stack);
    if (origin == null) {
      String name = thread == null ? null : thread.getOSName();
      origin = Origin.of(frames(stack), name == null ? "?" : name, isLibrary);
      if (stack != null) {
        known.put(stack, origin);
      }
    }
    return origin;
  }

  private static List<Frame> frames(@Nullable RecordedStackTrace stack) {
    List<Frame> frames = new ArrayList<>();
    for (RecordedFrame frame : stack == null ? List.<RecordedFrame>of() : stack.getFrames()) {
      RecordedMethod method = frame.getMethod();
      if (method != null) {
        String owner = method.getType() == null ? "" : method.getType().getName();
        frames.add(
            new Frame(
                JAVA_FRAMES.contains(frame.getType()),
                owner,
                method.getName(),
                frame.getLineNumber()));
      }
    }
    return frames;
  }
}
