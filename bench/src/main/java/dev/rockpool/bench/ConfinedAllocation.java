package dev.rockpool.bench;

import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/**
 * One small allocation of {@code size} bytes in one arena, from opening to closing it.
 *
 * <pre>
 * ./rockpool bench --filter ConfinedAllocation
 * ./rockpool bench --filter '^$' --sweep --sweep-virtual     (each size from 0 to 64)
 * java -jar bench/target/benchmarks.jar 'ConfinedAllocation\.OfVirtual' -p size=100,451,1024,4096 -prof gc
 * </pre>
 *
 * <p>Nothing is written to the memory: the cost of handing it out zeroed is in the arena.
 */
public class ConfinedAllocation extends OneAllocation {
  /** Bytes asked for. */
  @Param({"5", "20", "64"})
  public int size;

  @Override
  int size() {
    return size;
  }

  /** The same with the agent. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.AGENT})
  public static class UnderAgent extends ConfinedAllocation {
    @Override
    Conditions conditions() {
      return Conditions.UNDER_AGENT;
    }
  }

  /** The same without a compiler. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.NO_COMPILER})
  public static class Interpreted extends ConfinedAllocation {
    @Override
    Conditions conditions() {
      return Conditions.INTERPRETED;
    }
  }

  /** The same with the first compiler alone. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.C1_ONLY})
  public static class C1 extends ConfinedAllocation {
    @Override
    Conditions conditions() {
      return Conditions.C1;
    }
  }

  /** The same on a virtual thread, by public API only. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL})
  public static class OfVirtual extends ConfinedAllocation {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL;
    }
  }

  /** The same on a virtual thread, with java.lang open to Rockpool. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL, Conditions.OPEN_JAVA_LANG})
  public static class OfVirtualOpened extends ConfinedAllocation {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL_OPENED;
    }
  }

  /** The same on a virtual thread, with the agent. */
  @Fork(
      value = FORKS,
      jvmArgsPrepend = {Conditions.NATIVE_ACCESS, Conditions.VIRTUAL, Conditions.AGENT})
  public static class OfVirtualUnderAgent extends ConfinedAllocation {
    @Override
    Conditions conditions() {
      return Conditions.OF_VIRTUAL_UNDER_AGENT;
    }
  }
}
