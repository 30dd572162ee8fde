package dev.rockpool.agent;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options in force.
 *
 * @param values the value of each option
 */
record AgentOptions(Map<Option, Object> values) {
  /** Most letters in which an unknown option may differ from the one that is suggested. */
  private static final int MOST_TYPOS = 2;

  private static final int MOST_FRAMES = 64;
  private static final int SAMPLED = 8192;
  private static final List<String> ON_OR_OFF = List.of("on", "off");

  /**
   * Parses the text after {@code -javaagent:rockpool-agent.jar=}.
   *
   * @throws IllegalArgumentException with a message for the user, if an option is unknown, a value
   *     is not accepted, or option uninstall is not alone
   */
  static AgentOptions parse(@Nullable String text) {
    // Only option record needs the process id, and asking for it takes milliseconds at the start.
    boolean isNone = text == null || text.isBlank();
    return parse(text, Path.of(""), isNone ? 0 : ProcessHandle.current().pid());
  }

  /**
   * Parses the options for any JVM; {@code ./rockpool} calls this, too, before an attach.
   *
   * @param folder the JVM's working directory
   * @param pid its process id
   */
  static AgentOptions parse(@Nullable String text, Path folder, long pid) {
    Map<Option, Object> values = new EnumMap<>(Option.class);
    for (Option option : Option.values()) {
      boolean isList = option.kind == Kind.CLASSES;
      values.put(option, isList ? List.of() : value(option, option.defaultValue, folder, pid));
    }
    String[] parts = text == null || text.isBlank() ? new String[0] : text.split(",", -1);
    for (String part : parts) {
      int equals = part.indexOf('=');
      Option option = named((equals < 0 ? part : part.substring(0, equals)).strip());
      String implied = option.kind == Kind.CLASSES ? "" : "on";
      String given = equals < 0 ? implied : part.substring(equals + 1).strip();
      Object value = value(option, given, folder, pid);
      if (values.get(option) instanceof List<?> before) {
        List<Object> all = new ArrayList<>(before);
        all.add(value);
        value = all;
      }
      values.put(option, value);
    }
    AgentOptions options = new AgentOptions(values);
    if (options.has(Option.UNINSTALL) && parts.length > 1) {
      throw new IllegalArgumentException(
          "Agent option uninstall must be given alone: \"" + text + "\"");
    }
    return options;
  }

  private static Object value(Option option, String text, Path folder, long pid) {
    Object value =
        switch (option.kind) {
          case SWITCH -> ON_OR_OFF.contains(text) ? text : null;
          case FILE ->
              ON_OR_OFF.contains(text)
                  ? text
                  : file(text.replace("%p", Long.toString(pid)), folder);
          case LEAKS -> List.of("off", "sampled", "all").contains(text) ? text : null;
          case FRAMES -> frames(text);
          case CLASSES -> Glob.isValid(text) ? text : null;
        };
    if (value == null) {
      throw notAccepted(option, text);
    }
    return value;
  }

  private static @Nullable Integer frames(String text) {
    try {
      int frames = Integer.parseInt(text);
      return frames >= 0 && frames <= MOST_FRAMES ? frames : null;
    } catch (NumberFormatException none) {
      return null;
    }
  }

  private static @Nullable Path file(String name, Path folder) {
    try {
      Path file = Path.of(name);
      return !name.isEmpty() && canBeWritten(folder.resolve(file)) ? file : null;
    } catch (InvalidPathException none) {
      return null;
    }
  }

  /** No pipe: opening one that nobody reads would keep the program from starting. */
  private static boolean canBeWritten(Path file) {
    if (Files.exists(file)) {
      return Files.isRegularFile(file) && Files.isWritable(file);
    }
    Path folder = file.toAbsolutePath().getParent();
    return folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
  }

  static IllegalArgumentException notAccepted(Option option, String value) {
    return new IllegalArgumentException(
        "Agent option "
            + option.key()
            + " must be "
            + option.kind.accepted
            + ": \""
            + value
            + "\"");
  }

  private Object value(Option option) {
    return Objects.requireNonNull(values.get(option));
  }

  /** Whether a switch is on, or native memory is recorded. */
  boolean has(Option option) {
    return !value(option).toString().equals("off");
  }

  /**
   * Returns the file that the user named for option {@code record}; null for the running recording,
   * or a file of our choice.
   */
  @Nullable Path recordFile() {
    return value(Option.RECORD) instanceof Path file ? file : null;
  }

  /** Returns of how many confined arenas one is followed; 0 for none. */
  int leaksEvery() {
    Object leaks = value(Option.RECORD_LEAKS);
    return leaks.equals("off") ? 0 : leaks.equals("all") ? 1 : SAMPLED;
  }

  /** Returns how many frames of a stack are recorded at most. */
  int recordStack() {
    return (Integer) value(Option.RECORD_STACK);
  }

  @SuppressWarnings("unchecked")
  private List<String> patterns(Option option) {
    return (List<String>) value(option);
  }

  private static Option named(String key) {
    String suggestion = "";
    for (Option option : Option.values()) {
      if (option.key().equals(key)) {
        return option;
      }
      if (suggestion.isEmpty()
          && distance(key.toLowerCase(Locale.ROOT), option.key()) <= MOST_TYPOS) {
        suggestion = "; did you mean " + option.key() + "?";
      }
    }
    throw new IllegalArgumentException(
        "Agent options are "
            + Option.keys()
            + ", separated by commas: \""
            + key
            + "\""
            + suggestion);
  }

  /** Returns the number of letters to add, drop or change to make one word of the other. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1]; // distances from the letters of "from" seen so far
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }

  /** Whether the class of this binary name, with dots, may be rewritten. */
  boolean covers(String className) {
    return Glob.covers(patterns(Option.INCLUDE), patterns(Option.EXCLUDE), className);
  }

  /** Returns the options as the user could write them; leaves out those that have no effect. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Option option : Option.values()) {
      Object value = value(option);
      boolean isOfRecord = option == Option.RECORD_LEAKS || option == Option.RECORD_STACK;
      if (option != Option.UNINSTALL && (!isOfRecord || has(Option.RECORD))) {
        for (Object each : value instanceof List<?> all ? all : List.of(value)) {
          text.append(text.isEmpty() ? "" : ",").append(option.key()).append('=').append(each);
        }
      }
    }
    return text.toString();
  }

  /** The kinds of values, with their description. */
  enum Kind {
    SWITCH("on or off"),
    FILE("on or off, or a file that can be written"),
    LEAKS("off, sampled or all"),
    FRAMES("a number from 0 (off) to " + MOST_FRAMES),
    CLASSES("a class name, * for any characters, ? for one; may be repeated");

    final String accepted;

    Kind(String accepted) {
      this.accepted = accepted;
    }
  }

  /**
   * The table of options. Parser and help are made from it, and the documentation must agree.
   *
   * <p>Options follow {@code -javaagent:rockpool-agent.jar=}, separated by commas, each as {@code
   * name=value}.
   */
  enum Option {
    ARENAS("on", Kind.SWITCH, "serve Arena.ofConfined() of application classes from the pool"),
    LINKER(
        "on",
        Kind.SWITCH,
        "take the linker's buffers for structs passed or returned by value from the pool"),
    DIRECT(
        "off",
        Kind.SWITCH,
        "take direct buffers of application classes from DirectMemory.global()"),
    RECORD(
        "off",
        Kind.FILE,
        "count arenas, direct buffers and mapped files by line, for JDK Flight Recorder"),
    RECORD_LEAKS(
        "sampled",
        Kind.LEAKS,
        "follow confined arenas one by one, to find leaks: none, one in 8192, or all"),
    RECORD_STACK(
        "8",
        Kind.FRAMES,
        "record up to that many frames of the opening call, of some arenas, or of all with"
            + " record.leaks=all"),
    CHECK(
        "off",
        Kind.SWITCH,
        "guard bytes round what arenas allocate, to find overruns of native code"),
    INCLUDE("*", Kind.CLASSES, "rewrite only classes whose names match"),
    EXCLUDE("", Kind.CLASSES, "leave classes alone whose names match, even if included"),
    VERBOSE(
        "off",
        Kind.SWITCH,
        "print version, options, each class that is rewritten, and each that can't be"),
    UNINSTALL("off", Kind.SWITCH, "take the agent out again; alone, and for attach only");

    /** The value used if the user does not give the option. */
    final String defaultValue;

    final Kind kind;

    /** The effect of the option, in words. */
    final String effect;

    Option(String defaultValue, Kind kind, String effect) {
      this.defaultValue = defaultValue;
      this.kind = kind;
      this.effect = effect;
    }

    /** Returns the name as the user writes it. */
    String key() {
      return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /** Returns all names, as messages list them. */
    static String keys() {
      StringBuilder keys = new StringBuilder();
      for (Option option : values()) {
        keys.append(keys.isEmpty() ? "" : ", ").append(option.key());
      }
      return keys.toString();
    }

    /** Returns the table as text. */
    static String help() {
      StringBuilder help = new StringBuilder("-javaagent:rockpool-agent.jar[=option=value,...]\n");
      for (Option option : values()) {
        help.append(
            String.format(
                "  %-12s  %s%n                values: %s; default: %s%n",
                option.key(),
                option.effect,
                option.kind.accepted,
                option.defaultValue.isEmpty() ? "none" : option.defaultValue));
      }
      return help.toString();
    }
  }

  /**
   * A pattern for class names: {@code *} stands for any characters, dots included, {@code ?} for
   * one.
   *
   * @param pattern the user's text, see {@link #isValid}
   */
  record Glob(String pattern) {
    /**
     * Whether {@code text} could match any class name: parts of names, dots and wild cards only.
     */
    static boolean isValid(String text) {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (!Character.isJavaIdentifierPart(c) && ".-*?".indexOf(c) < 0) {
          return false;
        }
      }
      return !text.isEmpty();
    }

    /** Whether {@code name} matches one of {@code include}, if any, and none of {@code exclude}. */
    static boolean covers(List<String> include, List<String> exclude, String name) {
      return (include.isEmpty() || anyMatches(include, name)) && !anyMatches(exclude, name);
    }

    private static boolean anyMatches(List<String> patterns, String name) {
      for (String pattern : patterns) { // a lambda slows startup
        if (new Glob(pattern).matches(name)) {
          return true;
        }
      }
      return false;
    }

    /** Whether {@code name} as a whole matches. */
    boolean matches(String name) {
      int at = 0;
      int in = 0;
      int star = -1; // the last * seen, and where in name it began to match
      int starIn = 0;
      while (in < name.length()) {
        char wanted = at < pattern.length() ? pattern.charAt(at) : 0;
        if (wanted == '*') {
          star = at++;
          starIn = in;
        } else if (wanted == '?' || wanted == name.charAt(in)) {
          at++;
          in++;
        } else if (star >= 0) {
          at = star + 1;
          in = ++starIn;
        } else {
          return false;
        }
      }
      while (at < pattern.length() && pattern.charAt(at) == '*') {
        at++;
      }
      return at == pattern.length();
    }
  }
}
