package dev.rockpool.rewrite;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/** The target of redirected methods of the JDK in tests. Counts the calls. */
public final class Redirected {
  /** The name to give to {@code CallSites}. */
  static final String TARGET = "dev/rockpool/rewrite/Redirected";

  private static int calls;
  private static int buffers;

  private Redirected() {}

  /**
   * A class with its arenas redirected to here.
   *
   * @param count how many calls and method references there are
   */
  record Rewritten(byte[] bytes, int count) {}

  /** Null if there are none, or they have to stay as they are. */
  static Rewritten rewrite(byte[] classFile) {
    CallSites sites = CallSites.in(classFile, EnumSet.of(RedirectedMethod.OF_CONFINED));
    return sites.methods.isEmpty()
        ? null
        : new Rewritten(allToHere(sites), sites.count(RedirectedMethod.OF_CONFINED));
  }

  /** The class file with all that was found redirected to here. */
  static byte[] allToHere(CallSites sites) {
    Map<RedirectedMethod, String> targets = new EnumMap<>(RedirectedMethod.class);
    sites.methods.forEach(method -> targets.put(method, TARGET));
    return sites.redirectedTo(targets);
  }

  /** Opens an arena, as the method does that was called. */
  public static Arena ofConfined() {
    calls++;
    return Arena.ofConfined();
  }

  /** Allocates a buffer, as the method does that was called. */
  public static ByteBuffer allocateDirect(int capacity) {
    buffers++;
    return ByteBuffer.allocateDirect(capacity);
  }

  /** The number of arenas opened since the last call. */
  static int callsSinceLastAsked() {
    int since = calls;
    calls = 0;
    return since;
  }

  /** The number of buffers allocated since the last call. */
  static int buffersSinceLastAsked() {
    int since = buffers;
    buffers = 0;
    return since;
  }
}
