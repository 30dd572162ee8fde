package dev.rockpool.agent;

import dev.rockpool.internal.Setting;
import dev.rockpool.internal.Setting.Kind;
import dev.rockpool.rewrite.ClassPatterns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The options in force. {@link Setting} is their table.
 *
 * @param values the value of each option
 */
record AgentOptions(Map<Setting, Object> values) {
  private static final int SAMPLED = 8192;

  /** The interval of option {@code record.c=on}. */
  private static final int C_INTERVAL = 64 << 10;

  private static final long MOST_INTERVAL = 1 << 30;

  /** Options that mean nothing without option {@code limit}. */
  private static final List<Setting> OF_LIMIT =
      List.of(Setting.LIMIT_ACTION, Setting.LIMIT_WAIT, Setting.LIMIT_EXIT, Setting.LIMIT_PROCESS);

  /** What Kubernetes shows of a container that has ended. */
  private static final Path TERMINATION_LOG = Path.of("/dev/termination-log");

  private static final Path HOST = Path.of("/proc/sys/kernel/hostname");

  /**
   * Parses the text after {@code -javaagent:rockpool-agent.jar=}.
   *
   * @throws IllegalArgumentException with a message for the user, if an option is unknown, a value
   *     is not accepted, or option uninstall is not alone
   */
  static AgentOptions parse(@Nullable String text) {
    // Asking for the process id takes milliseconds at the start.
    boolean namesId = text != null && text.contains("%p");
    return parse(text, Path.of(""), namesId ? ProcessHandle.current().pid() : 0);
  }

  /** Parses the options for any JVM, and returns them as text; see {@link AgentTool}. */
  static String accepted(@Nullable String text, String folder, long pid) {
    return parse(text, Path.of(folder), pid).toString();
  }

  /** Returns the table as text; see {@link AgentTool}. */
  static String help() {
    return Setting.help();
  }

  /**
   * Parses the options for any JVM.
   *
   * @param folder the JVM's working directory
   * @param pid its process id
   */
  static AgentOptions parse(@Nullable String text, Path folder, long pid) {
    Map<Setting, Object> values = new EnumMap<>(Setting.class);
    for (Setting option : Setting.values()) {
      if (isList(option.kind())) {
        values.put(option, List.of());
      } else if (!option.isProperty()) {
        values.put(option, value(option, option.defaultText(), folder, pid));
      }
    }
    Set<Setting> named = EnumSet.noneOf(Setting.class);
    String[] parts = text == null || text.isBlank() ? new String[0] : text.split(",", -1);
    for (String part : parts) {
      int equals = part.indexOf('=');
      Setting option = named((equals < 0 ? part : part.substring(0, equals)).strip());
      String implied = option.kind() == Kind.CLASSES ? "" : "on";
      String given = equals < 0 ? implied : part.substring(equals + 1).strip();
      Object value = value(option, given, folder, pid);
      if (values.get(option) instanceof List<?> before) {
        List<Object> all = new ArrayList<>(before);
        all.add(value);
        value = all;
      } else if (named.contains(option)) {
        throw new IllegalArgumentException(
            "Agent option " + option.key() + " must be given once: \"" + text + "\"");
      }
      values.put(option, value);
      named.add(option);
    }
    if (values.get(Setting.COUNT) instanceof String count && count.equals("on")) {
      for (Setting pooling : List.of(Setting.ARENAS, Setting.LINKER)) {
        if (!named.contains(pooling)) {
          values.put(pooling, "off");
        }
      }
    }
    AgentOptions options = new AgentOptions(values);
    options.refuseContradictions(named, text);
    if (options.has(Setting.UNINSTALL) && parts.length > 1) {
      throw new IllegalArgumentException(
          "Agent option uninstall must be given alone: \"" + text + "\"");
    }
    return options;
  }

  private void refuseContradictions(Set<Setting> named, @Nullable String text) {
    for (Setting ofLimit : OF_LIMIT) {
      if (named.contains(ofLimit) && !has(Setting.LIMIT)) {
        throw new IllegalArgumentException(
            "Agent option " + ofLimit.key() + " must come with limit: \"" + text + "\"");
      }
    }
    if (named.contains(Setting.LIMIT_EXIT) && !limitExits()) {
      throw new IllegalArgumentException(
          "Agent option limit.exit must come with limit.action=exit: \"" + text + "\"");
    }
    if (has(Setting.LIMIT) && has(Setting.COUNT)) {
      throw new IllegalArgumentException(
          "Agent option count must not come with limit, which counts already: \"" + text + "\"");
    }
    if (has(Setting.COUNT_LOG) && !countsMemory()) {
      throw new IllegalArgumentException(
          "Agent option count.log must come with count or limit: \"" + text + "\"");
    }
    if (named.contains(Setting.COUNT_EVERY) && !has(Setting.COUNT_LOG)) {
      throw new IllegalArgumentException(
          "Agent option count.every must come with count.log: \"" + text + "\"");
    }
    if (has(Setting.COUNT) && has(Setting.DIRECT)) {
      throw new IllegalArgumentException(
          "Agent option direct must not come with count, which counts the JDK's buffers: \""
              + text
              + "\"");
    }
    if (has(Setting.LIMIT) && has(Setting.DIRECT)) {
      throw new IllegalArgumentException(
          "Agent option direct has a limit of its own, rockpool.direct.limit, and must not come"
              + " with limit, which bounds the JDK's buffers: \""
              + text
              + "\"");
    }
  }

  /** Whether native memory is charged to the line that takes it, with or without a limit. */
  boolean countsMemory() {
    return has(Setting.LIMIT) || has(Setting.COUNT);
  }

  private static boolean isList(Kind kind) {
    return kind == Kind.CLASSES || kind == Kind.OWNERS;
  }

  /** Whether a text is a class with its closing methods, {@code com.acme.Foo#close+free}. */
  private static boolean isOwner(String text) {
    int hash = text.indexOf('#');
    if (hash < 0 || !ClassPatterns.isPattern(text.substring(0, hash))) {
      return false;
    }
    for (String method : text.substring(hash + 1).split("\\+", -1)) {
      boolean isName = !method.isEmpty();
      for (int i = 0; i < method.length(); i++) {
        isName &= Character.isJavaIdentifierPart(method.charAt(i));
      }
      if (!isName) {
        return false;
      }
    }
    return true;
  }

  private static Object value(Setting option, String text, Path folder, long pid) {
    Kind kind = option.kind(); // no switch, whose table is one more class at the start
    Object value = null;
    if (kind == Kind.NUMBER) {
      value = option.accepts(Setting.parse(text)) ? Setting.parse(text) : null;
    } else if (kind == Kind.CLASSES) {
      value = ClassPatterns.isPattern(text) ? text : null;
    } else if (kind == Kind.OWNERS) {
      boolean isWord = List.of("on", "off", "known").contains(text);
      value = isWord || isOwner(text) ? text : null;
    } else if (kind == Kind.LEAKS) {
      value = List.of("off", "sampled", "all").contains(text) ? text : null;
    } else if (kind == Kind.ACTION) {
      value = List.of("refuse", "warn", "exit").contains(text) ? text : null;
    } else if (kind == Kind.DURATION) {
      value = nanos(text) >= 0 ? text : null;
    } else if (kind == Kind.PERIOD) {
      value = seconds(text) > 0 ? text : null;
    } else if (kind == Kind.LIMIT) {
      value = text.equals("off") || limit(text, 100) > 0 ? text : null;
    } else if (kind == Kind.EVIDENCE && (text.equals("auto") || text.equals("off"))) {
      value = text;
    } else if (text.equals("on") || text.equals("off")) {
      boolean isOfSwitch = text.equals("off") || (kind != Kind.LOG && kind != Kind.EVIDENCE);
      value = isOfSwitch ? text : null;
    } else if (kind == Kind.INTERVAL) {
      value = isInterval(text) ? text : null;
    } else if (kind == Kind.LOG && text.equals("stderr")) {
      value = text;
    } else if (kind == Kind.LOG || kind == Kind.EVIDENCE) {
      value = named(text, pid); // a volume that is not there must not stop the program
    } else if (kind == Kind.FILE) {
      Path file = named(text, pid);
      value = file != null && canBeWritten(folder.resolve(file)) ? file : null;
    }
    if (value == null) {
      throw notAccepted(option, text);
    }
    return value;
  }

  private static boolean isInterval(String text) {
    long bytes = Setting.parse(text);
    return bytes >= 0 && bytes <= MOST_INTERVAL;
  }

  /** Returns a limit in bytes, given those of which a share is taken; -1 if it is none. */
  private static long limit(String text, long whole) {
    if (!text.endsWith("%")) {
      long bytes = Setting.parse(text);
      return bytes > 0 && bytes <= Kind.MOST_BYTES ? bytes : -1;
    }
    long percent = Setting.parse(text.substring(0, text.length() - 1));
    return percent > 0 && percent <= 100 ? Math.max(1, whole * percent / 100) : -1;
  }

  /**
   * Returns the limit in bytes; more than there can be if memory is only counted.
   *
   * @param memory returns the bytes of which the user may have given a share
   */
  long limit(LongSupplier memory) {
    return has(Setting.LIMIT) ? limit(value(Setting.LIMIT).toString(), memory) : MemoryLimit.NONE;
  }

  /** Returns the most bytes that the process may have resident; 0 without such a bound. */
  long limitProcess(LongSupplier memory) {
    return has(Setting.LIMIT_PROCESS) ? limit(value(Setting.LIMIT_PROCESS).toString(), memory) : 0;
  }

  /**
   * Returns a limit in bytes; -1 if the text is none.
   *
   * @param memory returns the bytes of which the text may name a share
   */
  static long limit(String text, LongSupplier memory) {
    return limit(text, text.endsWith("%") ? memory.getAsLong() : 0);
  }

  /** Returns the limit, and what becomes of requests beyond it. */
  String limitText() {
    return has(Setting.LIMIT)
        ? value(Setting.LIMIT)
            + ",limit.action="
            + value(Setting.LIMIT_ACTION)
            + ",limit.wait="
            + value(Setting.LIMIT_WAIT)
        : has(Setting.COUNT) ? "off,count=on" : "off";
  }

  /** Returns a duration in nanoseconds; -1 if it is none. */
  private static long nanos(String text) {
    long unit = text.endsWith("ms") ? 1_000_000 : 1_000_000_000;
    String digits = text.endsWith("ms") || text.endsWith("s") ? text.split("m?s", -1)[0] : "";
    long count = Setting.parse(text.equals("0") ? text : digits);
    return count >= 0 && count <= Kind.MOST_SECONDS * 1_000_000_000 / unit ? count * unit : -1;
  }

  /** Returns how long a request waits that does not fit the limit. */
  long limitWaitNanos() {
    return nanos(value(Setting.LIMIT_WAIT).toString());
  }

  private boolean limitExits() {
    return value(Setting.LIMIT_ACTION).equals("exit");
  }

  /** Returns how many refusals within a minute end the JVM; 0 if none do. */
  long limitExit() {
    return has(Setting.LIMIT) && limitExits() ? (Long) value(Setting.LIMIT_EXIT) : 0;
  }

  /** Returns the file for evidence; null for none. */
  @Nullable Path evidence() {
    Object evidence = value(Setting.EVIDENCE);
    boolean isInPod =
        evidence.equals("auto") && countsMemory() && Files.isWritable(TERMINATION_LOG);
    return isInPod ? TERMINATION_LOG : evidence instanceof Path file ? file : null;
  }

  /** Returns a period in seconds; -1 if it is none. */
  private static long seconds(String text) {
    long unit = text.endsWith("s") ? 1 : text.endsWith("m") ? 60 : text.endsWith("h") ? 3600 : 0;
    long count = unit == 0 ? -1 : Setting.parse(text.substring(0, text.length() - 1));
    return count > 0 && count <= Kind.MOST_PERIOD_SECONDS / unit ? count * unit : -1;
  }

  /** Returns how many seconds pass between two lines of the log. */
  long countEverySeconds() {
    return seconds(value(Setting.COUNT_EVERY).toString());
  }

  /** Returns the file of the log; null for standard error. */
  @Nullable Path countLog() {
    return value(Setting.COUNT_LOG) instanceof Path file ? file : null;
  }

  /** Whether requests beyond the limit pass. */
  boolean limitWarns() {
    return value(Setting.LIMIT_ACTION).equals("warn");
  }

  private static @Nullable Path named(String text, long pid) {
    String name = text.replace("%p", Long.toString(pid));
    name = name.contains("%h") ? name.replace("%h", host()) : name;
    try {
      return name.isEmpty() ? null : Path.of(name);
    } catch (InvalidPathException none) {
      return null;
    }
  }

  /** Returns the name of the host or container; empty if it is not known. */
  static String host() {
    try {
      return Files.readString(HOST).strip();
    } catch (IOException notLinux) {
      return "";
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

  static IllegalArgumentException notAccepted(Setting option, String value) {
    return new IllegalArgumentException(
        "Agent option " + option.key() + " must be " + option.accepted() + ": \"" + value + "\"");
  }

  private Object value(Setting option) {
    return Objects.requireNonNull(values.get(option));
  }

  /** Whether a switch is on, or native memory is recorded. */
  boolean has(Setting option) {
    return !value(option).toString().equals("off");
  }

  /**
   * Returns the file that the user named for option {@code record}; null for the running recording,
   * or a file of our choice.
   */
  @Nullable Path recordFile() {
    return value(Setting.RECORD) instanceof Path file ? file : null;
  }

  /** Returns of how many confined arenas one is followed; 0 for none. */
  int leaksEvery() {
    Object leaks = value(Setting.RECORD_LEAKS);
    return leaks.equals("off") ? 0 : leaks.equals("all") ? 1 : SAMPLED;
  }

  /** Returns what the user says of classes whose objects own C memory. */
  @SuppressWarnings("unchecked")
  List<String> recordOwners() {
    return (List<String>) value(Setting.RECORD_OWNERS);
  }

  /** Whether to count objects of classes that are known to own C memory. */
  boolean countsKnownOwners() {
    return (has(Setting.RECORD) || countsMemory()) && !recordOwners().contains("off");
  }

  /** Whether to look for classes that look as if they did. */
  boolean guessesOwners() {
    return has(Setting.RECORD) && countsKnownOwners() && !recordOwners().contains("known");
  }

  /** Returns the bytes between two samples of C code's memory; 0 if nothing is left out. */
  long cInterval() {
    Object interval = value(Setting.RECORD_C);
    return interval.equals("on") ? C_INTERVAL : Setting.parse(interval.toString());
  }

  /** Returns how many frames of a stack are recorded at most. */
  int recordStack() {
    return Math.toIntExact((Long) value(Setting.RECORD_STACK));
  }

  private static Setting named(String key) {
    StringBuilder keys = new StringBuilder();
    for (Setting option : Setting.values()) {
      if (option.isProperty()) {
        continue;
      }
      if (option.key().equals(key)) {
        return option;
      }
      keys.append(keys.isEmpty() ? "" : ", ").append(option.key());
    }
    throw new IllegalArgumentException(
        "Agent options are " + keys + ", separated by commas: \"" + key + "\"");
  }

  /** Whether the class of this binary name, with dots, may be rewritten. */
  @SuppressWarnings("unchecked")
  boolean covers(String className) {
    return new ClassPatterns(
            (List<String>) value(Setting.INCLUDE), (List<String>) value(Setting.EXCLUDE))
        .covers(className);
  }

  /** Whether a class of this binary name allocates for others, whose lines are named instead. */
  @SuppressWarnings("unchecked")
  boolean skips(String className) {
    return !new ClassPatterns(List.of(), (List<String>) value(Setting.SITES_SKIP))
        .covers(className);
  }

  /** Returns the options as the user could write them; leaves out those that have no effect. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<Setting, Object> each : values.entrySet()) {
      Setting option = each.getKey();
      boolean isOfRecord =
          option == Setting.RECORD_LEAKS
              || (option == Setting.RECORD_OWNERS && !countsMemory())
              || option == Setting.RECORD_STACK
              || option == Setting.RECORD_INLINING
              || option == Setting.RECORD_C
              || option == Setting.RECORD_C_FAULTS;
      boolean isSaidIfOn =
          option == Setting.RECORD_INLINING
              || option == Setting.RECORD_C
              || option == Setting.RECORD_C_FAULTS
              || option == Setting.LIMIT_PROCESS
              || option == Setting.COUNT
              || option == Setting.COUNT_LOG;
      boolean isAbsent =
          (isSaidIfOn && !has(option))
              || (option == Setting.COUNT_EVERY && !has(Setting.COUNT_LOG))
              || (option == Setting.LIMIT_EXIT && !limitExits())
              || each.getValue().equals("auto");
      boolean isOfLimit = option == Setting.LIMIT || OF_LIMIT.contains(option);
      if (option != Setting.UNINSTALL
          && !isAbsent
          && (!isOfRecord || has(Setting.RECORD))
          && (!isOfLimit || has(Setting.LIMIT))) {
        for (Object value :
            each.getValue() instanceof List<?> all ? all : List.of(each.getValue())) {
          text.append(text.isEmpty() ? "" : ",").append(option.key()).append('=').append(value);
        }
      }
    }
    return text.toString();
  }
}
