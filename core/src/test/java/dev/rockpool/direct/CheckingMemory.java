package dev.rockpool.direct;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Real memory with guards on both sides, which is poisoned when it is freed and kept for a while,
 * so that a second free, a write beyond the end and a write after the end of life are noticed. It
 * counts on its own what is handed out.
 */
@SuppressWarnings("restricted")
final class CheckingMemory implements MemorySource {
  private static final int GUARD = 64;
  private static final byte GUARD_BYTE = 0x5a;
  private static final byte POISON = (byte) 0xde;
  private static final int QUARANTINE = 64;
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private final Map<Long, Long> handedOut = new ConcurrentHashMap<>();
  private final Queue<MemorySegment> quarantine = new ConcurrentLinkedQueue<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong mostBytes = new AtomicLong();
  private final AtomicLong frees = new AtomicLong();

  /** A budget of that many bytes on this memory. */
  DirectMemory ofLimit(long byteSize) {
    return new DirectMemory(new Budget(byteSize, "the test"), this);
  }

  long bytes() {
    return bytes.get();
  }

  /** The largest sum of bytes that there was at any instant. */
  long mostBytes() {
    return mostBytes.get();
  }

  long frees() {
    return frees.get();
  }

  int blocks() {
    return handedOut.size();
  }

  /** The faults so far; looks once more at the memory in quarantine. */
  Queue<String> violations() {
    quarantine.forEach(this::checkPoison);
    return violations;
  }

  @Override
  public long allocateZeroed(long byteSize) {
    mostBytes.accumulateAndGet(bytes.addAndGet(byteSize), Math::max);
    long start = SYSTEM.allocateZeroed(byteSize + 2 * GUARD);
    if (start == 0) {
      bytes.addAndGet(-byteSize);
      return 0;
    }
    ALL.asSlice(start, GUARD).fill(GUARD_BYTE);
    ALL.asSlice(start + GUARD + byteSize, GUARD).fill(GUARD_BYTE);
    if (handedOut.put(start + GUARD, byteSize) != null) {
      violations.add("handed out twice: " + (start + GUARD));
    }
    return start + GUARD;
  }

  @Override
  public void free(long address, long byteSize) {
    Long expected = handedOut.remove(address);
    if (expected == null || expected != byteSize) {
      violations.add("freed " + byteSize + " bytes at " + address + ", handed out " + expected);
      return;
    }
    checkFilled("guard before", ALL.asSlice(address - GUARD, GUARD), GUARD_BYTE);
    checkFilled("guard behind", ALL.asSlice(address + byteSize, GUARD), GUARD_BYTE);
    ALL.asSlice(address, byteSize).fill(POISON);
    bytes.addAndGet(-byteSize);
    frees.incrementAndGet();
    quarantine.add(ALL.asSlice(address, byteSize));
    while (quarantine.size() > QUARANTINE) {
      MemorySegment oldest = quarantine.poll();
      if (oldest != null) {
        checkPoison(oldest);
        SYSTEM.free(oldest.address() - GUARD, oldest.byteSize() + 2 * GUARD);
      }
    }
  }

  private void checkPoison(MemorySegment freed) {
    checkFilled("freed memory", freed, POISON);
  }

  private void checkFilled(String what, MemorySegment memory, byte expected) {
    for (long i = 0; i < memory.byteSize(); i++) {
      byte found = memory.get(ValueLayout.JAVA_BYTE, i);
      if (found != expected) {
        violations.add(what + " was written to at byte " + i + ": " + found);
        return;
      }
    }
  }

  /** Memory whatever its state, as a bug would have it. */
  static MemorySegment raw(long address, long byteSize) {
    return ALL.asSlice(address, byteSize);
  }
}
