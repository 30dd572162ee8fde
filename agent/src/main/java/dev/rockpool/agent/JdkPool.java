package dev.rockpool.agent;

import dev.rockpool.internal.Setting;
import java.lang.instrument.Instrumentation;

/**
 * The pool of confined arenas that JDK 28 and later have. There the agent leaves confined arenas to
 * the JDK, and makes its pool larger before the first use: by default, each thread has 4 blocks of
 * 64 bytes.
 */
final class JdkPool {
  private static final int FIRST_JDK = 28;

  private static final String CLASS = "jdk.internal.foreign.ConfinedSegmentPool";

  /** System properties with powers of 2: bytes in a block, blocks of a thread. */
  static final String SIZE = "jdk.internal.foreign.native.confined.pool.power.size";

  static final String COUNT = "jdk.internal.foreign.native.confined.pool.power.count";

  private static final String OUR_SIZE = "9";
  private static final String OUR_COUNT = "3";

  static final String OURS = "the JDK's own pool: 8 blocks of 512 bytes a thread";
  static final String USERS = "the JDK's own pool, in the size that system properties give it";
  static final String EARLIER = "the JDK's own pool, which was in use before and keeps its size";

  private JdkPool() {}

  /**
   * Whether the agent leaves confined arenas to the JDK's pool: not if they are checked, because
   * the JDK has no guard bytes.
   *
   * @param release the JDK's feature release
   */
  static boolean serves(int release, AgentOptions options, boolean check) {
    return release >= FIRST_JDK && options.has(Setting.ARENAS) && !check;
  }

  /** Makes the pool larger, unless it is too late; returns how large it is, in words. */
  static String enlarge(Instrumentation instrumentation) {
    String size = System.getProperty(SIZE);
    String count = System.getProperty(COUNT);
    if (OUR_SIZE.equals(size) && OUR_COUNT.equals(count)) {
      return OURS; // by the user, or by the agent before it left
    }
    if (size != null || count != null) {
      return USERS;
    }
    if (LoadedClasses.ofJdk(instrumentation, CLASS) != null) {
      return EARLIER;
    }
    Agent.setProperty(SIZE, OUR_SIZE);
    Agent.setProperty(COUNT, OUR_COUNT);
    return OURS;
  }
}
