package dev.rockpool.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a field that changes once, from its default value. The agent's build turns this annotation
 * into the JVM's own of the same name, with which C2 takes the changed value for a constant. In the
 * library the annotation has no effect.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Stable {}
