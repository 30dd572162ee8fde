package dev.rockpool.examples;

import dev.rockpool.testing.Jvm;

/** A server in a JVM of its own, which answers each line of its standard input by a line. */
public final class ServerJvm extends Jvm<ServerJvm> {
  /** The jar, as the build made it. */
  public static final String AGENT = System.getProperty("rockpool.agent.jar");

  /** With the class path of the tests. */
  public ServerJvm() {
    with("-cp", System.getProperty("java.class.path"));
  }

  @Override
  protected ServerJvm self() {
    return this;
  }
}
