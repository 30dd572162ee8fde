package dev.rockpool.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks what an arena's life consists of, from {@code ofConfined} to {@code close}.
 *
 * <p>Inlined as a whole, it compiles to some fifty instructions; with one method left out, the
 * arena and its segments become objects. C2 leaves out what it happened to compile alone before, if
 * that took more than 2500 bytes. The agent's build turns this annotation into the JVM's own of the
 * same name, which rules that out, and which the JVM heeds in java.base only. In the library it
 * does nothing but say where to keep methods small.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface ForceInline {}
