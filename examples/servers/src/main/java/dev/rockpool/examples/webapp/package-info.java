/** Servlets of a small application, which the tests deploy in Tomcat. */
@NullMarked
package dev.rockpool.examples.webapp;

import org.jspecify.annotations.NullMarked;
