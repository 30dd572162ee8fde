package dev.rockpool.cli;

import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import picocli.CommandLine.IVersionProvider;

/** The lines of {@code --version}: Rockpool's version, and that of the running Java. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"rockpool " + Installation.version(), Host.jdk()};
  }
}
