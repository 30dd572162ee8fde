package dev.rockpool.direct;

import dev.rockpool.internal.Account;
import java.util.concurrent.atomic.LongAdder;

/**
 * One that holds bytes of a {@link DirectMemory}, and how many: a call site of a program under the
 * agent's limit, or all users of the library together.
 */
final class Holder implements Account {
  /** Blocks take up to a share of the limit, because threads can't free what others keep. */
  private static final int SHARE = 8;

  final DirectMemory memory;
  final String kind;
  final String name;
  private final LongAdder bytes = new LongAdder();

  Holder(DirectMemory memory, String kind, String name) {
    this.memory = memory;
    this.kind = kind;
    this.name = name;
  }

  long bytes() {
    return bytes.sum();
  }

  /** Counts bytes that are reserved, or credited if negative. */
  void add(long byteSize) {
    bytes.add(byteSize);
  }

  @Override
  public void reserve(long byteSize) {
    memory.reserve(byteSize);
    add(byteSize);
  }

  @Override
  public boolean tryReserve(long byteSize) {
    boolean reserved =
        bytes() < memory.limit() / SHARE
            && !memory.line().isOccupied()
            && memory.tryReserve(byteSize);
    add(reserved ? byteSize : 0);
    return reserved;
  }

  @Override
  public void credit(long byteSize) {
    add(-byteSize);
    memory.credit(byteSize);
  }
}
