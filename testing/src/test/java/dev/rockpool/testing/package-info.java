/**
 * Helpers for the tests of several modules, which start JVMs and compile programs. Each module
 * compiles these sources with its own tests, so that a module can be built and tested alone.
 */
package dev.rockpool.testing;
