package dev.rockpool.record;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/** Learns when its object is unreachable, once somebody takes it off the one queue. */
abstract class Watched extends PhantomReference<Object> {
  private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();

  Watched(@Nullable Object object) {
    super(object, QUEUE);
  }

  abstract void unreachable();

  static void takeUnreachable() {
    for (Reference<?> each = QUEUE.poll(); each != null; each = QUEUE.poll()) {
      ((Watched) each).unreachable();
    }
  }
}
