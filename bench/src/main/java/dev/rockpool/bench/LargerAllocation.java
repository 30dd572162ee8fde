package dev.rockpool.bench;

import org.openjdk.jmh.annotations.Param;

/**
 * One larger allocation of {@code size} bytes in one arena: a path, a line of text, a page. The
 * first two fit a block of the usual size; the JDK serves the others.
 */
public class LargerAllocation extends Contestants.OfOneAllocation {
  @Param({"100", "451", "1024", "4096"})
  public int size;

  @Override
  int size() {
    return size;
  }
}
