package dev.rockpool.arena;

import dev.rockpool.internal.Account;
import dev.rockpool.internal.Lifetime;
import dev.rockpool.internal.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * The JDK's arena behind a pooled one, where a limit bounds native memory. Each allocation is
 * reserved before, and credited by a cleanup action, because a pooled arena has no room for a sum.
 *
 * @param account that of the site which opened the arena
 * @param lifetime that of the pooled arena
 */
record AccountedArena(Account account, Lifetime lifetime) implements Arena {
  @Override
  @SuppressWarnings("restricted") // the segment is not used
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    Arena jdk = lifetime.ofJdk();
    if (Request.isValid(byteSize, byteAlignment) && lifetime.isOpenAndOwned()) {
      long total = Request.total(byteSize, byteAlignment);
      account.reserve(total);
      MemorySegment.NULL.reinterpret(jdk, new Credit(account, total));
    }
    return jdk.allocate(byteSize, byteAlignment);
  }

  /** Registered before the memory, so that it runs once that is freed. */
  private record Credit(Account account, long byteSize) implements Consumer<MemorySegment> {
    @Override
    public void accept(MemorySegment closed) {
      account.credit(byteSize);
    }
  }

  @Override
  public MemorySegment.Scope scope() {
    return lifetime.scope();
  }

  /** Nobody calls it: the pooled arena closes the lifetime. */
  @Override
  public void close() {
    lifetime.close();
  }
}
