package dev.rockpool.agent;

import java.util.Locale;

/**
 * The options of the agent. Parser, help and documentation are made from this table.
 *
 * <p>Options follow {@code -javaagent:rockpool-agent.jar=}, separated by commas, each as {@code
 * name=value}.
 */
enum AgentOption {
  ARENAS("on", "on or off", "serve Arena.ofConfined() of application classes from the pool"),
  LINKER(
      "on",
      "on or off",
      "take the linker's buffers for structs passed or returned by value from the pool"),
  DIRECT(
      "off", "on or off", "take direct buffers of application classes from DirectMemory.global()"),
  RECORD(
      "off",
      "on or off, or a file that can be written",
      "count arenas as they close, by size and by class, for JDK Flight Recorder"),
  CHECK(
      "off",
      "on or off",
      "guard bytes round what arenas allocate, to find overruns of native code"),
  INCLUDE(
      "*",
      "a class name, * for any characters, ? for one; may be repeated",
      "rewrite only classes whose names match"),
  EXCLUDE(
      "",
      "a class name, * for any characters, ? for one; may be repeated",
      "leave classes alone whose names match, even if included"),
  VERBOSE(
      "off",
      "on or off",
      "print version, options, each class that is rewritten, and each that can't be"),
  UNINSTALL("off", "on or off", "take the agent out again; alone, and for attach only");

  private final String defaultValue;
  private final String accepted;
  private final String effect;

  AgentOption(String defaultValue, String accepted, String effect) {
    this.defaultValue = defaultValue;
    this.accepted = accepted;
    this.effect = effect;
  }

  /** Returns the name as the user writes it. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the value used if the user does not give the option. */
  String defaultValue() {
    return defaultValue;
  }

  /** Returns the accepted values, in words. */
  String accepted() {
    return accepted;
  }

  /** Returns the effect of the option, in words. */
  String effect() {
    return effect;
  }

  /** Whether a bare name means "on". */
  boolean isSwitch() {
    return this != INCLUDE && this != EXCLUDE;
  }

  /** Returns all names, as messages list them. */
  static String keys() {
    StringBuilder keys = new StringBuilder();
    for (AgentOption option : values()) {
      keys.append(keys.isEmpty() ? "" : ", ").append(option.key());
    }
    return keys.toString();
  }

  /** Returns the table as text. */
  static String help() {
    StringBuilder help = new StringBuilder("-javaagent:rockpool-agent.jar[=option=value,...]\n");
    for (AgentOption option : values()) {
      help.append(
          String.format(
              "  %-9s  %s%n             values: %s; default: %s%n",
              option.key(),
              option.effect(),
              option.accepted(),
              option.defaultValue().isEmpty() ? "none" : option.defaultValue()));
    }
    return help.toString();
  }
}
