/**
 * What tests of several modules need: JVMs to start, programs to compile. Each module compiles
 * these sources with its own tests, so that a module can be built and tested alone.
 */
package dev.rockpool.testing;
