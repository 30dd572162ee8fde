package dev.rockpool.agent;

import org.jspecify.annotations.Nullable;

/** Settings that switch the agent off or on in a JVM. The first one given counts. */
enum Switch {
  PROPERTY("System property", "rockpool.agent"),
  VARIABLE("Environment variable", "ROCKPOOL_AGENT");

  /** The kind of setting, as messages name it. */
  final String kind;

  /** The name as the user writes it. */
  final String key;

  Switch(String kind, String key) {
    this.kind = kind;
    this.key = key;
  }

  private @Nullable String value() {
    return this == PROPERTY ? System.getProperty(key) : System.getenv(key);
  }

  /** Whether the agent is switched off. Reports and ignores a value that is neither on nor off. */
  static boolean isOff() {
    for (Switch each : values()) {
      String value = each.value();
      if ("off".equals(value)) {
        return true;
      }
      if ("on".equals(value)) {
        return false;
      }
      if (value != null) {
        Console.print(
            each.kind + " " + each.key + " must be on or off, and is ignored: \"" + value + "\"");
      }
    }
    return false;
  }
}
