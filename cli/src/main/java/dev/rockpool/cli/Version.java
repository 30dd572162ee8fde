package dev.rockpool.cli;

import dev.rockpool.cli.support.Host;
import dev.rockpool.cli.support.Installation;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: ours, and that of the Java we run on. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"rockpool " + Installation.version(), Host.jdk()};
  }
}
