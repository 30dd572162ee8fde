package dev.rockpool.internal;

import org.jspecify.annotations.Nullable;

/**
 * The table of settings: the agent's options, and the system properties of library and agent. Each
 * name, default, range and meaning is stated here once. The parsers, the agent's help, {@code
 * ./rockpool status}, and the tests of the documentation read this table.
 *
 * <p>A property is read at the first use of what it sets. A refused value is reported on standard
 * error, and the default used. A refused option ends the JVM, or refuses the attach.
 *
 * <p>Numbers may have the suffix {@code k}, {@code m} or {@code g} (1024, 1024² and 1024³). What
 * the value 0 means is stated with each of them: off, at once, or the JVM's own.
 */
public enum Setting {
  ARENAS(
      "arenas", Kind.SWITCH, "on", "serve Arena.ofConfined() of application classes from the pool"),
  LINKER(
      "linker",
      Kind.SWITCH,
      "on",
      "take the linker's buffers for structs passed or returned by value from the pool"),
  DIRECT(
      "direct",
      Kind.SWITCH,
      "off",
      "take direct buffers of application classes from DirectMemory.global()"),
  LIMIT("limit", Kind.LIMIT, "off", "bound the native memory that the program's Java code holds"),
  LIMIT_ACTION(
      "limit.action",
      Kind.ACTION,
      "refuse",
      "whether a request beyond the limit gets an OutOfMemoryError, or a line once a minute; with"
          + " exit, the JVM exits after some of these errors"),
  LIMIT_WAIT(
      "limit.wait",
      Kind.DURATION,
      "500ms",
      "how long a request that does not fit the limit waits; 0 for event loops"),
  LIMIT_EXIT(
      "limit.exit",
      "10",
      "never",
      1,
      1_000_000,
      "refused requests within a minute after which limit.action=exit exits"),
  LIMIT_PROCESS(
      "limit.process",
      Kind.LIMIT,
      "off",
      "bound the resident memory of the whole process, files aside, by refusing what Java code"
          + " asks for beyond it"),
  EVIDENCE(
      "evidence",
      Kind.EVIDENCE,
      "auto",
      "append what the process holds to a file when its memory gets short: at 66, 75 and 90% of"
          + " the container's, and after refusals"),
  COUNT(
      "count",
      Kind.SWITCH,
      "off",
      "count what limit would bound, by line, and refuse nothing; arenas and linker are off then,"
          + " unless named"),
  COUNT_LOG(
      "count.log",
      Kind.LOG,
      "off",
      "write what is in use, and the ten lines that hold most, as a line of JSON; with count or"
          + " limit"),
  COUNT_EVERY("count.every", Kind.PERIOD, "60s", "how often to write that line"),
  SITES_SKIP(
      "sites.skip",
      Kind.CLASSES,
      "",
      "classes that allocate for others: limit and count name their callers instead"),
  RECORD(
      "record",
      Kind.FILE,
      "off",
      "count arenas, buffers and other native memory by line, for JDK Flight Recorder"),
  RECORD_LEAKS(
      "record.leaks",
      Kind.LEAKS,
      "sampled",
      "follow confined arenas one by one, to find leaks: none, a sample, or all"),
  RECORD_STACK(
      "record.stack",
      "32",
      "off",
      1,
      64,
      "record up to that many frames of the opening call, for some arenas, or for all with"
          + " record.leaks=all"),
  RECORD_OWNERS(
      "record.owners",
      Kind.OWNERS,
      "on",
      "count objects that own C memory: of known classes and of similar ones, of known ones only,"
          + " or also of a class that you name with its closing methods"),
  RECORD_INLINING(
      "record.inlining",
      Kind.SWITCH,
      "off",
      "record what the JVM's compilers inline; takes processor time while they compile"),
  RECORD_C(
      "record.c",
      Kind.INTERVAL,
      "off",
      "record the live memory of C code by line, with async-profiler; on samples each 64k"),
  RECORD_C_FAULTS(
      "record.c.faults",
      Kind.SWITCH,
      "off",
      "with record.c, record the pages, too, that C code touches, for libraries that map memory"
          + " themselves"),
  CHECK_ARENAS(
      "check",
      Kind.SWITCH,
      "off",
      "guard bytes around allocations of arenas, to find overruns of native code"),
  INCLUDE("include", Kind.CLASSES, "*", "rewrite only classes whose names match"),
  EXCLUDE("exclude", Kind.CLASSES, "", "leave alone classes whose names match, even if included"),
  VERBOSE(
      "verbose",
      Kind.SWITCH,
      "off",
      "print version, options, each class that is rewritten, and each that can't be"),
  UNINSTALL(
      "uninstall",
      Kind.SWITCH,
      "off",
      "take the agent out again; allowed only alone and at an attach"),

  /** Read by the agent's entry, before any other class. */
  AGENT(
      "rockpool.agent",
      Kind.SWITCH,
      "on",
      "whether the agent acts in this JVM; if absent, environment variable ROCKPOOL_AGENT"),

  /** One of the default size costs no more time than a smaller one: only used bytes are zeroed. */
  BLOCK_SIZE("rockpool.block.size", "512", "off", 64, 1 << 20, "bytes in a block"),

  /** As many arenas can be open at once on a thread without an allocation. */
  BLOCKS_PER_THREAD("rockpool.blocks.per.thread", "8", "off", 1, 64, "blocks kept for a thread"),

  /** Fewer than it takes to have C2 compile the callers, which a later start compiles again. */
  START_AFTER(
      "rockpool.start.after",
      "4000",
      "at once",
      1,
      1_000_000_000,
      "arenas and struct calls that the JDK serves, before the agent starts the pool"),

  /** The JVM's own limit, which only JMX can tell, is looked up at the first request. */
  DIRECT_LIMIT(
      "rockpool.direct.limit",
      "0",
      "the JVM's own limit",
      1,
      Kind.MOST_BYTES,
      "bytes of direct memory handed out at once"),

  CHECK(
      "rockpool.check",
      Kind.SWITCH,
      "off",
      "guard bytes around allocations of arenas, and a quarantine of closed memory, to find"
          + " overruns and late writes of native code");

  /** The kinds of values. */
  public enum Kind {
    SWITCH("on or off"),
    FILE("on or off, or a file that can be written"),
    LEAKS("off, sampled or all"),
    INTERVAL("on, off, or a number of bytes from one sample to the next, 0 to leave none out"),
    LIMIT("off, a number of bytes, or a share of the memory from 1% to 100%"),
    ACTION("refuse, warn or exit"),
    EVIDENCE(
        "auto (with limit or count, /dev/termination-log if that can be written), off, or a file,"
            + " %p for the process id, %h for the host's name"),
    DURATION("0, or a number of milliseconds (ms) or seconds (s), up to a minute"),
    LOG("off, stderr, or a file, %p for the process id, %h for the host's name"),
    PERIOD("a number of seconds (s), minutes (m) or hours (h), from 1s to 24h"),
    CLASSES("a class name, * for any characters, ? for one; may be repeated"),
    OWNERS("on, off, known, or CLASS#METHOD, as in com.acme.*Peer#close+free; may be repeated"),
    NUMBER("a number");

    /** The largest limit. */
    public static final long MOST_BYTES = 1L << 50;

    /** The longest duration. */
    public static final long MOST_SECONDS = 60;

    /** The longest period. */
    public static final long MOST_PERIOD_SECONDS = 24 * 60 * 60;

    final String accepted;

    Kind(String accepted) {
      this.accepted = accepted;
    }
  }

  /** Begins the name of each system property, and of no option. */
  private static final String PROPERTIES = "rockpool.";

  /** Most decimal digits that always fit a {@code long}. */
  private static final int MAX_DIGITS = 18;

  /** The value of {@link #CHECK} in force; null until it is read. */
  private static volatile @Nullable Boolean check;

  private final String key;
  private final Kind kind;
  private final String defaultText;
  private final String meaning;
  private final String zeroText;
  private final long min;
  private final long max;

  Setting(String key, Kind kind, String defaultText, String meaning) {
    this(key, kind, defaultText, "", 0, 0, meaning);
  }

  Setting(String key, String defaultText, String zeroText, long min, long max, String meaning) {
    this(key, Kind.NUMBER, defaultText, zeroText, min, max, meaning);
  }

  Setting(
      String key,
      Kind kind,
      String defaultText,
      String zeroText,
      long min,
      long max,
      String meaning) {
    this.key = key;
    this.kind = kind;
    this.defaultText = defaultText;
    this.meaning = meaning;
    this.zeroText = zeroText;
    this.min = min;
    this.max = max;
  }

  /** Returns the name as the user writes it: of the agent's option, or of the system property. */
  public String key() {
    return key;
  }

  public Kind kind() {
    return kind;
  }

  public String meaning() {
    return meaning;
  }

  /** Whether this is a system property; otherwise it is an option of the agent. */
  public boolean isProperty() {
    return key.startsWith(PROPERTIES);
  }

  /** Returns the value that holds if the user gives none, as the user would write it. */
  public String defaultText() {
    return defaultText;
  }

  /** Returns the number that holds if the user gives none, or a refused one. */
  public int defaultValue() {
    return Math.toIntExact(parse(defaultText));
  }

  /** Returns the default for readers: a word where it is a number or a text that says nothing. */
  public String defaultShown() {
    return defaultText.isEmpty() ? "none" : defaultText.equals("0") ? zeroText : defaultText;
  }

  /** Returns the values that are accepted, in words that follow "must be". */
  public String accepted() {
    return kind != Kind.NUMBER
        ? kind.accepted
        : "0 ("
            + zeroText
            + (isPowerOfTwo() ? ") or a power of two from " : ") or a number from ")
            + min
            + " to "
            + max;
  }

  private boolean isPowerOfTwo() {
    return this == BLOCK_SIZE;
  }

  /** Whether {@code value} is accepted; 0, which has a meaning of its own, always is. */
  public boolean accepts(long value) {
    return value == 0
        || (value >= min && value <= max && (!isPowerOfTwo() || Long.bitCount(value) == 1));
  }

  /** Returns the table as text, options first: {@code java -jar rockpool-agent.jar}. */
  public static String help() {
    StringBuilder help = new StringBuilder("-javaagent:rockpool-agent.jar[=option=value,...]\n");
    for (Setting setting : values()) {
      if (setting == AGENT) {
        help.append("\nSystem properties, -Dname=value:\n");
      }
      help.append("  ").append(setting.key).append("\n      ").append(setting.meaning);
      help.append("\n      values: ").append(setting.accepted());
      help.append("; default: ").append(setting.defaultShown()).append('\n');
    }
    return help.toString();
  }

  /** Returns the number that the property has in this JVM. */
  public int read() {
    return Math.toIntExact(readLong());
  }

  /** As {@link #read}, for settings whose range exceeds an {@code int}. */
  public long readLong() {
    String raw = System.getProperty(key);
    long value = parse(raw == null ? defaultText : raw);
    if (raw == null || accepts(value)) {
      return value;
    }
    refuse(raw);
    return parse(defaultText);
  }

  /** Whether {@link #CHECK} is on in this JVM. What is read first holds as long as the JVM. */
  public static boolean isCheckOn() {
    Boolean known = check;
    if (known == null) {
      known = CHECK.parseSwitch(System.getProperty(CHECK.key));
      check = known;
    }
    return known;
  }

  /** Parses the raw value of a switch, null if absent; reports a refused one. */
  boolean parseSwitch(@Nullable String raw) {
    String value = raw == null ? defaultText : raw.strip();
    if (!value.equals("on") && !value.equals("off")) {
      refuse(String.valueOf(raw));
      value = defaultText;
    }
    return value.equals("on");
  }

  /** Returns what {@link #isCheckOn} returns, or null if nobody has asked yet. */
  public static @Nullable Boolean checkInForce() {
    return check;
  }

  private void refuse(String raw) {
    Notices.print(
        "System property "
            + key
            + " ("
            + meaning
            + ") must be "
            + accepted()
            + ": it is \""
            + raw
            + "\"; using the default, "
            + defaultShown()
            + ".");
  }

  /** Parses {@code raw}; returns -1, which no setting accepts, if it is not a number. */
  public static long parse(String raw) {
    String digits = raw.strip();
    long unit =
        switch (digits.isEmpty() ? ' ' : digits.charAt(digits.length() - 1)) {
          case 'k', 'K' -> 1 << 10;
          case 'm', 'M' -> 1 << 20;
          case 'g', 'G' -> 1 << 30;
          default -> 1;
        };
    if (unit != 1) {
      digits = digits.substring(0, digits.length() - 1);
    }
    if (!isNumber(digits) || digits.length() > MAX_DIGITS) {
      return -1;
    }
    long number = Long.parseLong(digits);
    return number <= Long.MAX_VALUE / unit ? number * unit : -1;
  }

  /** Under the agent this runs while the program starts, therefore a loop and no lambda. */
  private static boolean isNumber(String digits) {
    for (int i = 0; i < digits.length(); i++) {
      if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
        return false;
      }
    }
    return !digits.isEmpty();
  }
}
