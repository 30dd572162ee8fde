package dev.rockpool.internal;

/**
 * An arena that knows whether the pool served it. The recorder asks by this interface, because the
 * arena's class is private to its package.
 */
public interface Pooled {
  /** Whether no allocation so far has used the JDK's own arena. */
  boolean isServedByPool();
}
