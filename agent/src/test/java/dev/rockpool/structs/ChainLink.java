package dev.rockpool.structs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;

/** One kind of struct in chains: the C function that it goes down to, and the way back up. */
final class ChainLink {
  /** In a ring. */
  static final List<ChainLink> ALL = Structs.chain().stream().map(ChainLink::new).toList();

  final CStruct struct;
  private final MethodHandle chain;
  private final MethodHandle chainInC;
  private final MethodHandle invert;
  private final MemorySegment up;

  private ChainLink(CStruct struct) {
    this.struct = struct;
    MemoryLayout layout = struct.layout();
    FunctionDescriptor upward = FunctionDescriptor.of(layout, layout, JAVA_INT, JAVA_INT);
    chain = function("chain", upward.appendArgumentLayouts(ADDRESS));
    chainInC = function("chain_in_c", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT));
    invert = function("invert", FunctionDescriptor.of(layout, layout));
    up = Native.pointerTo(MethodHandles.lookup(), this, "up", upward, Arena.global());
  }

  private MethodHandle function(String name, FunctionDescriptor descriptor) {
    return Native.ourFunction(struct.name() + "_" + name, descriptor);
  }

  ChainLink next() {
    return ALL.get((ALL.indexOf(this) + 1) % ALL.size());
  }

  /** Down into C, which calls {@link #up}. */
  MemorySegment down(SegmentAllocator allocator, MemorySegment argument, int depth, int context) {
    try {
      return (MemorySegment) chain.invokeExact(allocator, argument, depth, context, up);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  /**
   * The hash of what {@link #down} returns of a struct made from the seed, if all of it is in C.
   */
  long downInC(long seed, int depth) {
    try {
      return (long) chainInC.invokeExact(seed, depth);
    } catch (Throwable unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  /** A call without an upcall. */
  MemorySegment invert(SegmentAllocator allocator, MemorySegment argument) {
    try {
      return (MemorySegment) invert.invokeExact(allocator, argument);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  @SuppressWarnings("unused") // by C
  private MemorySegment up(MemorySegment argument, int depth, int context) {
    return Chain.in(context).up(this, argument, depth);
  }
}
