package dev.rockpool.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a slow path that C2 must not inline, because the code of its callers then exceeds 2500
 * bytes, and is itself inlined nowhere. As {@link ForceInline}, it has an effect under the agent
 * only.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface DontInline {}
