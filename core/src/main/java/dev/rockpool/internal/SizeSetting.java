package dev.rockpool.internal;

/**
 * The system properties of the library: this table is what the parser, the documentation and the
 * tests read, so that a name, a default or a range stands in one place.
 *
 * <p>Each value is a whole number, optionally with the suffix {@code k}, {@code m} or {@code g}
 * (1024, 1024² and 1024³), read once. 0 switches off what it counts, or leaves it to the JVM. A
 * value that is refused is reported once on standard error, and the default used.
 */
public enum SizeSetting {
  /**
   * Bytes in a slab: what one arena can take from the pool. 512 serves every arena up to half a
   * kibibyte, strings of 451 characters included, and costs no more time than a smaller slab,
   * because only the bytes used are zeroed.
   */
  SLAB_SIZE("rockpool.slab.size", "bytes in a slab", 512, 64, 1 << 20, true),

  /**
   * Slabs of each thread that uses confined arenas: how many of its arenas can be served at once.
   * Seven slabs of 512 bytes and the alignment of the first stay within 4 KiB.
   */
  SLABS_PER_THREAD("rockpool.slabs.per.thread", "slabs kept for a thread", 7, 1, 64, false),

  /**
   * Slabs that all threads share, of each of two sizes: that of a slab, for virtual threads, and a
   * larger one. Four for each processor, as that many virtual threads are at work at once, and
   * their ids are spread over the slots without regard to which are. They get native memory when
   * they are first used.
   */
  SHARED_SLOTS(
      "rockpool.shared.slots",
      "slabs that all threads share, and as many larger ones",
      sharedSlots(Runtime.getRuntime().availableProcessors()),
      "4 for each processor, rounded up to a power of two; 16 to 1024",
      1,
      1024,
      true),

  /**
   * Arenas of a platform thread that come before it gets slabs, under the agent: it can't know
   * which threads end after a few, where a program that uses the library does.
   */
  FIRST_ARENAS(
      "rockpool.first.arenas",
      "arenas of a thread that the JDK serves, before the agent gives it slabs",
      16,
      1,
      1000,
      false),

  /**
   * Bytes of direct memory that are handed out at once. 0 stands for the JVM's own limit, which
   * takes JMX to find: not to be looked for before somebody asks for direct memory.
   */
  DIRECT_LIMIT(
      "rockpool.direct.limit",
      "bytes of direct memory handed out at once",
      0,
      "the JVM's own limit for direct memory",
      "the JVM's own limit",
      1,
      1L << 50,
      false);

  /** What a long holds for certain. */
  private static final int MAX_DIGITS = 18;

  private final String property;
  private final String meaning;
  private final int defaultValue;
  private final String defaultText;
  private final String zeroText;
  private final long min;
  private final long max;
  private final boolean powerOfTwo;

  SizeSetting(
      String property, String meaning, int defaultValue, int min, int max, boolean powerOfTwo) {
    this(property, meaning, defaultValue, Integer.toString(defaultValue), min, max, powerOfTwo);
  }

  SizeSetting(
      String property,
      String meaning,
      int defaultValue,
      String defaultText,
      int min,
      int max,
      boolean powerOfTwo) {
    this(property, meaning, defaultValue, defaultText, "off", min, max, powerOfTwo);
  }

  SizeSetting(
      String property,
      String meaning,
      int defaultValue,
      String defaultText,
      String zeroText,
      long min,
      long max,
      boolean powerOfTwo) {
    this.property = property;
    this.meaning = meaning;
    this.defaultValue = defaultValue;
    this.defaultText = defaultText;
    this.zeroText = zeroText;
    this.min = min;
    this.max = max;
    this.powerOfTwo = powerOfTwo;
  }

  /** The default of {@link #SHARED_SLOTS} on a machine with that many processors. */
  static int sharedSlots(int processors) {
    int atLeast = Math.clamp(4L * processors, 16, 1024);
    return Integer.highestOneBit(2 * atLeast - 1);
  }

  /** The name of the system property. */
  public String property() {
    return property;
  }

  /** What the value counts, in a few words. */
  public String meaning() {
    return meaning;
  }

  /** The value used when the property is absent or refused. */
  public int defaultValue() {
    return defaultValue;
  }

  /** The default in words, as help and documentation state it. */
  public String defaultText() {
    return defaultText;
  }

  /** The accepted values in words, as help and messages state them. */
  public String accepted() {
    return "0 ("
        + zeroText
        + ") or "
        + (powerOfTwo ? "a power of two from " : "a number from ")
        + min
        + " to "
        + max;
  }

  /** Whether {@code value} is accepted; 0, which means off or unset, is. */
  public boolean accepts(long value) {
    return value == 0 || isInRange(value);
  }

  /** Whether {@code value} is accepted and not 0. */
  public boolean isInRange(long value) {
    return value >= min && value <= max && (!powerOfTwo || Long.bitCount(value) == 1);
  }

  /** The value in force: that of the system property, or the default where it makes no sense. */
  public int read() {
    return Math.toIntExact(readLong());
  }

  /** The same as {@link #read}, for those that no {@code int} holds. */
  public long readLong() {
    String raw = System.getProperty(property);
    if (raw == null) {
      return defaultValue;
    }
    long value = parse(raw);
    if (accepts(value)) {
      return value;
    }
    Notices.print(
        "System property "
            + property
            + " ("
            + meaning
            + ") must be "
            + accepted()
            + ": it is \""
            + raw
            + "\"; using the default, "
            + (defaultValue == 0 ? defaultText : defaultValue)
            + ".");
    return defaultValue;
  }

  /** The number that {@code raw} states, or -1, which no setting accepts, if it states none. */
  static long parse(String raw) {
    String digits = raw.strip();
    long unit = 1;
    if (!digits.isEmpty()) {
      unit =
          switch (digits.charAt(digits.length() - 1)) {
            case 'k', 'K' -> 1 << 10;
            case 'm', 'M' -> 1 << 20;
            case 'g', 'G' -> 1 << 30;
            default -> 1;
          };
    }
    if (unit != 1) {
      digits = digits.substring(0, digits.length() - 1);
    }
    if (!isNumber(digits) || digits.length() > MAX_DIGITS) {
      return -1;
    }
    long number = Long.parseLong(digits);
    return number <= Long.MAX_VALUE / unit ? number * unit : -1;
  }

  /** Plain loops here and no lambdas: under the agent this runs while the program starts. */
  private static boolean isNumber(String digits) {
    for (int i = 0; i < digits.length(); i++) {
      if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
        return false;
      }
    }
    return !digits.isEmpty();
  }
}
