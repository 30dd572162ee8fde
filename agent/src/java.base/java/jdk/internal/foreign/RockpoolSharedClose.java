package jdk.internal.foreign;

import java.util.concurrent.locks.ReentrantLock;
import jdk.internal.misc.ScopedMemoryAccess;
import jdk.internal.misc.ScopedMemoryAccess.ScopedAccessError;

/**
 * Lets one thread at a time close a shared arena. Each close has all threads of the JVM answer, and
 * several at once get in each other's way. A fair lock would cost most of the gain where threads
 * work between closes.
 */
final class RockpoolSharedClose {
  private static final ReentrantLock LOCK = new ReentrantLock();

  private RockpoolSharedClose() {}

  static void closeScope(
      ScopedMemoryAccess jdk, MemorySessionImpl session, ScopedAccessError error) {
    LOCK.lock();
    try {
      jdk.closeScope(session, error);
    } finally {
      LOCK.unlock();
    }
  }
}
