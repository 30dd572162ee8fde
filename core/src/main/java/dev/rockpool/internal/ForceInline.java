package dev.rockpool.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the methods that make up an arena's life, from {@code ofConfined} to {@code close}.
 *
 * <p>If all of them are inlined, escape analysis removes the arena and its segments; with one
 * method left out, they become objects. C2 does not inline a method that was compiled on its own
 * before to more than 2500 bytes. The agent's build turns this annotation into the JVM's own of the
 * same name, which lifts that limit. The JVM heeds its annotation in java.base only. In the library
 * the annotation has no effect; it only marks the methods to keep small.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface ForceInline {}
