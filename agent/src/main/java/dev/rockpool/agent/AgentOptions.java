package dev.rockpool.agent;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The options in force.
 *
 * @param arenas whether calls of {@code Arena.ofConfined()} are rewritten
 * @param linker whether the linker's buffers come from the pool
 * @param direct whether calls of {@code ByteBuffer.allocateDirect} are rewritten
 * @param record whether native memory is recorded, and where to
 * @param leaks which confined arenas are recorded one by one
 * @param recordStack most frames of a recorded stack
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
    Leaks leaks,
    int recordStack,
    boolean check,
    List<Glob> include,
    List<Glob> exclude,
    boolean verbose,
    boolean uninstall) {
  /** Most letters in which an unknown option may differ from the one that is suggested. */
  private static final int MOST_TYPOS = 2;

  private static final int MOST_FRAMES = 64;

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
    boolean arenas = isOn(Option.ARENAS, Option.ARENAS.defaultValue());
    boolean linker = isOn(Option.LINKER, Option.LINKER.defaultValue());
    boolean direct = isOn(Option.DIRECT, Option.DIRECT.defaultValue());
    RecordTo record = RecordTo.OFF;
    Leaks leaks = leaks(Option.RECORD_LEAKS.defaultValue());
    int recordStack = frames(Option.RECORD_STACK.defaultValue());
    boolean check = isOn(Option.CHECK, Option.CHECK.defaultValue());
    boolean verbose = isOn(Option.VERBOSE, Option.VERBOSE.defaultValue());
    boolean uninstall = isOn(Option.UNINSTALL, Option.UNINSTALL.defaultValue());
    List<Glob> include = new ArrayList<>();
    List<Glob> exclude = new ArrayList<>();
    String[] parts = text == null || text.isBlank() ? new String[0] : text.split(",", -1);
    for (String part : parts) {
      int equals = part.indexOf('=');
      Option option = named((equals < 0 ? part : part.substring(0, equals)).strip());
      String value = equals < 0 ? impliedValue(option) : part.substring(equals + 1).strip();
      switch (option) {
        case ARENAS -> arenas = isOn(option, value);
        case LINKER -> linker = isOn(option, value);
        case DIRECT -> direct = isOn(option, value);
        case RECORD -> record = recordTo(value, folder, pid);
        case RECORD_LEAKS -> leaks = leaks(value);
        case RECORD_STACK -> recordStack = frames(value);
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
        leaks,
        recordStack,
        check,
        List.copyOf(include),
        List.copyOf(exclude),
        verbose,
        uninstall);
  }

  private static Option named(String key) {
    for (Option option : Option.values()) {
      if (option.key().equals(key)) {
        return option;
      }
    }
    throw new IllegalArgumentException(
        "Agent options are "
            + Option.keys()
            + ", separated by commas: \""
            + key
            + "\""
            + suggestion(key));
  }

  private static String suggestion(String key) {
    for (Option option : Option.values()) {
      if (distance(key.toLowerCase(Locale.ROOT), option.key()) <= MOST_TYPOS) {
        return "; did you mean " + option.key() + "?";
      }
    }
    return "";
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

  private static String impliedValue(Option option) {
    return option == Option.INCLUDE || option == Option.EXCLUDE ? "" : "on";
  }

  private static boolean isOn(Option option, String value) {
    return switch (value) {
      case "on" -> true;
      case "off" -> false;
      default -> throw notAccepted(option, value);
    };
  }

  private static RecordTo recordTo(String value, Path folder, long pid) {
    RecordTo record = RecordTo.of(value, folder, pid);
    if (record == null) {
      throw notAccepted(Option.RECORD, value);
    }
    return record;
  }

  private static Leaks leaks(String value) {
    for (Leaks each : Leaks.values()) {
      if (each.value().equals(value)) {
        return each;
      }
    }
    throw notAccepted(Option.RECORD_LEAKS, value);
  }

  private static int frames(String value) {
    try {
      int frames = Integer.parseInt(value);
      if (frames >= 0 && frames <= MOST_FRAMES) {
        return frames;
      }
    } catch (NumberFormatException none) {
      throw notAccepted(Option.RECORD_STACK, value);
    }
    throw notAccepted(Option.RECORD_STACK, value);
  }

  private static Glob glob(Option option, String value) {
    if (!Glob.isValid(value)) {
      throw notAccepted(option, value);
    }
    return new Glob(value);
  }

  static IllegalArgumentException notAccepted(Option option, String value) {
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
    StringBuilder text = new StringBuilder("arenas=").append(onOrOff(arenas));
    text.append(",linker=").append(onOrOff(linker));
    text.append(",direct=").append(onOrOff(direct));
    text.append(",record=").append(record);
    if (record.on()) {
      text.append(",record.leaks=").append(leaks.value());
      text.append(",record.stack=").append(recordStack);
    }
    text.append(",check=").append(onOrOff(check));
    for (Glob glob : include) { // a lambda slows startup
      text.append(",include=").append(glob.pattern());
    }
    for (Glob glob : exclude) {
      text.append(",exclude=").append(glob.pattern());
    }
    return text.append(",verbose=").append(onOrOff(verbose)).toString();
  }

  private static String onOrOff(boolean value) {
    return value ? "on" : "off";
  }

  /**
   * The table of options. Parser and help are made from it, and the documentation must agree.
   *
   * <p>Options follow {@code -javaagent:rockpool-agent.jar=}, separated by commas, each as {@code
   * name=value}.
   */
  enum Option {
    ARENAS("on", "on or off", "serve Arena.ofConfined() of application classes from the pool"),
    LINKER(
        "on",
        "on or off",
        "take the linker's buffers for structs passed or returned by value from the pool"),
    DIRECT(
        "off",
        "on or off",
        "take direct buffers of application classes from DirectMemory.global()"),
    RECORD(
        "off",
        "on or off, or a file that can be written",
        "count arenas, direct buffers and mapped files by line, for JDK Flight Recorder"),
    RECORD_LEAKS(
        "sampled",
        "off, sampled or all",
        "follow no confined arena by itself, one in 8192, or all, to find leaks"),
    RECORD_STACK(
        "8",
        "a number from 0 (off) to 64",
        "note that many frames of the stack that opened, for a sample or by record.leaks=all"),
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

    Option(String defaultValue, String accepted, String effect) {
      this.defaultValue = defaultValue;
      this.accepted = accepted;
      this.effect = effect;
    }

    /** Returns the name as the user writes it. */
    String key() {
      return name().toLowerCase(Locale.ROOT).replace('_', '.');
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
      return accepted.startsWith("on or off");
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
                option.effect(),
                option.accepted(),
                option.defaultValue().isEmpty() ? "none" : option.defaultValue()));
      }
      return help.toString();
    }
  }

  /** The values of option {@code record.leaks}. */
  enum Leaks {
    OFF(0),
    SAMPLED(8192),
    ALL(1);

    private final int every;

    Leaks(int every) {
      this.every = every;
    }

    /** Returns of how many confined arenas one is followed; 0 for none. */
    int every() {
      return every;
    }

    /** Returns the value as the user writes it. */
    String value() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The value of option {@code record}.
   *
   * @param on whether arenas are recorded
   * @param file the file that the user named; null for the running recording, or a file of our
   *     choice
   */
  record RecordTo(boolean on, @Nullable Path file) {
    static final RecordTo OFF = new RecordTo(false, null);
    private static final RecordTo ANY = new RecordTo(true, null);

    /** Parses a value; returns null if it is not accepted. */
    static @Nullable RecordTo of(String value, Path folder, long pid) {
      return switch (value) {
        case "off" -> OFF;
        case "on" -> ANY;
        default -> ofFile(value.replace("%p", Long.toString(pid)), folder);
      };
    }

    private static @Nullable RecordTo ofFile(String name, Path folder) {
      try {
        Path file = Path.of(name);
        boolean accepted = !name.isEmpty() && canBeWritten(folder.resolve(file));
        return accepted ? new RecordTo(true, file) : null;
      } catch (InvalidPathException none) {
        return null;
      }
    }

    private static boolean canBeWritten(Path file) {
      Path folder = file.toAbsolutePath().getParent();
      return folder != null
          && Files.isDirectory(folder)
          && Files.isWritable(Files.exists(file) ? file : folder)
          && !Files.isDirectory(file);
    }

    /** Returns the value as the user could write it. */
    @Override
    public String toString() {
      return file != null ? file.toString() : on ? "on" : "off";
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
