package dev.rockpool.agent;

import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A limit of which nothing is asked, but what a subclass has. */
abstract class UncalledLimit implements MemoryLimit {
  @Override
  public void start(
      long byteSize,
      boolean warns,
      long waitNanos,
      boolean poolsArenas,
      Predicate<String> covers,
      Predicate<String> skipped) {
    throw new AssertionError();
  }

  @Override
  public long inUse() {
    throw new AssertionError();
  }

  @Override
  public long limit() {
    throw new AssertionError();
  }

  @Override
  public long refused() {
    throw new AssertionError();
  }

  @Override
  public Map<String, Long> openOwners(int most) {
    throw new AssertionError();
  }

  @Override
  public void watch(long byteSize) {
    throw new AssertionError();
  }

  @Override
  public Map<String, Long> watchedSites() {
    throw new AssertionError();
  }

  @Override
  public void changeLimit(long byteSize) {
    throw new AssertionError();
  }

  @Override
  public void setCeiling(long byteSize) {
    throw new AssertionError();
  }

  @Override
  public void askForCollection() {
    throw new AssertionError();
  }

  @Override
  public void attachWatch(Supplier<String> figures, Runnable toldOfRefusals) {
    throw new AssertionError();
  }

  @Override
  public void stop() {
    throw new AssertionError();
  }
}
