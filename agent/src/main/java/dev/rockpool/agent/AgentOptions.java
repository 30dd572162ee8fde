package dev.rockpool.agent;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options in force.
 *
 * @param arenas whether calls of {@code Arena.ofConfined()} are rewritten
 * @param linker whether the linker's buffers come from the pool
 * @param direct whether calls of {@code ByteBuffer.allocateDirect} are rewritten
 * @param record whether arenas are recorded, and where to
 * @param check whether arenas are checked
 * @param include patterns of which a class name must match one; empty for any
 * @param exclude patterns of which a class name must match none
 * @param verbose whether to print each step
 * @param uninstall whether to uninstall the agent; then no other option was given
 */
record AgentOptions(
    boolean arenas,
    boolean linker,
    boolean direct,
    RecordTo record,
    boolean check,
    List<Glob> include,
    List<Glob> exclude,
    boolean verbose,
    boolean uninstall) {
  /**
   * Parses the text after {@code -javaagent:rockpool-agent.jar=}.
   *
   * @throws IllegalArgumentException with a message for the user, if an option is unknown, a value
   *     is not accepted, or option uninstall is not alone
   */
  static AgentOptions parse(@Nullable String text) {
    boolean arenas = isOn(AgentOption.ARENAS, AgentOption.ARENAS.defaultValue());
    boolean linker = isOn(AgentOption.LINKER, AgentOption.LINKER.defaultValue());
    boolean direct = isOn(AgentOption.DIRECT, AgentOption.DIRECT.defaultValue());
    RecordTo record = recordTo(AgentOption.RECORD.defaultValue());
    boolean check = isOn(AgentOption.CHECK, AgentOption.CHECK.defaultValue());
    boolean verbose = isOn(AgentOption.VERBOSE, AgentOption.VERBOSE.defaultValue());
    boolean uninstall = isOn(AgentOption.UNINSTALL, AgentOption.UNINSTALL.defaultValue());
    List<Glob> include = new ArrayList<>();
    List<Glob> exclude = new ArrayList<>();
    String[] parts = text == null || text.isBlank() ? new String[0] : text.split(",", -1);
    for (String part : parts) {
      int equals = part.indexOf('=');
      AgentOption option = named((equals < 0 ? part : part.substring(0, equals)).strip());
      String value = equals < 0 ? impliedValue(option) : part.substring(equals + 1).strip();
      switch (option) {
        case ARENAS -> arenas = isOn(option, value);
        case LINKER -> linker = isOn(option, value);
        case DIRECT -> direct = isOn(option, value);
        case RECORD -> record = recordTo(value);
        case CHECK -> check = isOn(option, value);
        case VERBOSE -> verbose = isOn(option, value);
        case UNINSTALL -> uninstall = isOn(option, value);
        case INCLUDE -> include.add(glob(option, value));
        case EXCLUDE -> exclude.add(glob(option, value));
      }
    }
    if (uninstall && parts.length > 1) {
      throw new IllegalArgumentException(
          "Agent option uninstall must be given alone: \"" + text + "\"");
    }
    return new AgentOptions(
        arenas,
        linker,
        direct,
        record,
        check,
        List.copyOf(include),
        List.copyOf(exclude),
        verbose,
        uninstall);
  }

  private static AgentOption named(String key) {
    for (AgentOption option : AgentOption.values()) {
      if (option.key().equals(key)) {
        return option;
      }
    }
    throw new IllegalArgumentException(
        "Agent options are " + AgentOption.keys() + ", separated by commas: \"" + key + "\"");
  }

  private static String impliedValue(AgentOption option) {
    return option.isSwitch() ? "on" : "";
  }

  private static boolean isOn(AgentOption option, String value) {
    return switch (value) {
      case "on" -> true;
      case "off" -> false;
      default -> throw notAccepted(option, value);
    };
  }

  private static RecordTo recordTo(String value) {
    RecordTo record = RecordTo.of(value);
    if (record == null) {
      throw notAccepted(AgentOption.RECORD, value);
    }
    return record;
  }

  private static Glob glob(AgentOption option, String value) {
    if (!Glob.isValid(value)) {
      throw notAccepted(option, value);
    }
    return new Glob(value);
  }

  static IllegalArgumentException notAccepted(AgentOption option, String value) {
    return new IllegalArgumentException(
        "Agent option " + option.key() + " must be " + option.accepted() + ": \"" + value + "\"");
  }

  /** Whether the class of this binary name, with dots, may be rewritten. */
  boolean covers(String className) {
    return (include.isEmpty() || anyMatches(include, className)) && !anyMatches(exclude, className);
  }

  private static boolean anyMatches(List<Glob> globs, String className) {
    for (Glob glob : globs) {
      if (glob.matches(className)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the options as the user could write them. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("arenas=").append(arenas ? "on" : "off");
    text.append(",linker=").append(linker ? "on" : "off");
    text.append(",direct=").append(direct ? "on" : "off");
    text.append(",record=").append(record);
    text.append(check ? ",check=on" : "");
    include.forEach(glob -> text.append(",include=").append(glob.pattern()));
    exclude.forEach(glob -> text.append(",exclude=").append(glob.pattern()));
    return text.append(",verbose=").append(verbose ? "on" : "off").toString();
  }
}
