package dev.rockpool.cli.support;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Takes Ctrl-C and other requests to end until it is closed, so that a command ends in order. */
public final class Signals implements AutoCloseable {
  private static final String[] NAMES = {"INT", "TERM", "HUP"};

  private final Map<String, @Nullable Object> former = new HashMap<>();
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

  public Signals() {
    for (String name : NAMES) {
      former.put(name, org.jline.utils.Signals.register(name, () -> end.complete(null)));
    }
  }

  public boolean came() {
    return end.isDone();
  }

  /** Has {@code task} run when the command must end. */
  public void onCome(Runnable task) {
    CompletableFuture<?> _ = end.thenRun(task);
  }

  /**
   * Waits until the command must end, or {@code other} is complete.
   *
   * @param limit longest time to wait; null for any
   * @return false if the limit came first
   */
  public boolean await(@Nullable Duration limit, CompletableFuture<?> other) {
    CompletableFuture<Boolean> first = CompletableFuture.anyOf(end, other).thenApply(_ -> true);
    return limit == null
        ? first.join()
        : first.completeOnTimeout(false, limit.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  @Override
  public void close() {
    former.forEach(org.jline.utils.Signals::unregister);
  }
}
