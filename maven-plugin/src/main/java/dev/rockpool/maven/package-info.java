/**
 * The Maven plugin: goal {@code pool} rewrites a project's classes, goal {@code scan} checks them.
 */
@NullMarked
package dev.rockpool.maven;

import org.jspecify.annotations.NullMarked;
