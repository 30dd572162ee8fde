package dev.rockpool.internal;

/**
 * The system properties of the library that are numbers. The parser, the documentation and the
 * tests read this table, so each name, default and range is stated once.
 *
 * <p>Each value is a whole number, optionally with the suffix {@code k}, {@code m} or {@code g}
 * (1024, 1024² and 1024³). Each is read once. The value 0 switches off the counted thing, or leaves
 * the number to the JVM. A refused value is reported once on standard error, and the default used.
 */
public enum SizeSetting {
  /**
   * Bytes in a slab. One of the default size serves every arena up to half a kibibyte, and costs no
   * more time than a smaller one, because only the bytes used are zeroed.
   */
  SLAB_SIZE("rockpool.slab.size", "bytes in a slab", 512, 64, 1 << 20, true),

  /**
   * Slabs kept for each thread that uses confined arenas: the number of its arenas that can be
   * served at once. Seven slabs of 512 bytes and the alignment of the first stay within 4 KiB.
   */
  SLABS_PER_THREAD("rockpool.slabs.per.thread", "slabs kept for a thread", 7, 1, 64, false),

  /**
   * Slots for slabs that threads share, in each of three sets. As many virtual threads run at once
   * as there are processors. Their ids are spread over the slots regardless of which threads run,
   * hence four slots for each processor. A slot gets native memory when it is first used.
   */
  SHARED_SLOTS(
      "rockpool.shared.slots",
      "slabs of each of three sets that threads share: for virtual threads, for young threads under"
          + " the agent, and larger ones",
      sharedSlots(Runtime.getRuntime().availableProcessors()),
      "4 for each processor, rounded up to a power of two; 16 to 1024",
      "off",
      1,
      1024,
      true),

  /**
   * Arenas of a platform thread under the agent before the thread gets slabs of its own; until then
   * it takes shared ones. Of an arena that finds no shared slab, each allocation counts. The agent
   * can't know which threads end after a few arenas; a program that uses the library can.
   */
  FIRST_ARENAS(
      "rockpool.first.arenas",
      "arenas of a thread before the agent gives it slabs of its own",
      SizeSetting.FIRST_ARENAS_DEFAULT,
      1,
      1000,
      false),

  /**
   * Arenas that a program opens under the agent before the agent starts the pool. Fewer than it
   * takes to have C2 compile their callers, because a later start makes C2 compile these again.
   */
  START_AFTER(
      SizeSetting.START_AFTER_PROPERTY,
      "arenas and struct calls that the JDK serves, before the agent starts the pool",
      SizeSetting.START_AFTER_DEFAULT,
      Integer.toString(SizeSetting.START_AFTER_DEFAULT),
      "at once",
      1,
      1_000_000_000,
      false),

  /**
   * Bytes of direct memory handed out at once. 0 stands for the JVM's own limit, which only JMX can
   * tell; so the limit is looked up at the first request for direct memory.
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

  /** The property of {@link #START_AFTER}: a constant, for code that must not load this class. */
  public static final String START_AFTER_PROPERTY = "rockpool.start.after";

  public static final int START_AFTER_DEFAULT = 4000;

  public static final int FIRST_ARENAS_DEFAULT = 16;

  /** Most decimal digits that always fit a {@code long}. */
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
    String defaultText = Integer.toString(defaultValue);
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

  static int sharedSlots(int processors) {
    int atLeast = Math.clamp(4L * processors, 16, 1024);
    return Integer.highestOneBit(2 * atLeast - 1);
  }

  public String property() {
    return property;
  }

  public String meaning() {
    return meaning;
  }

  /** Returns the value used when the property is absent or refused. */
  public int defaultValue() {
    return defaultValue;
  }

  public String defaultText() {
    return defaultText;
  }

  public String accepted() {
    return "0 ("
        + zeroText
        + ") or "
        + (powerOfTwo ? "a power of two from " : "a number from ")
        + min
        + " to "
        + max;
  }

  /** Whether {@code value} is accepted; 0, which means off or unset, always is. */
  public boolean accepts(long value) {
    return value == 0 || isInRange(value);
  }

  boolean isInRange(long value) {
    return value >= min && value <= max && (!powerOfTwo || Long.bitCount(value) == 1);
  }

  public int read() {
    return Math.toIntExact(readLong());
  }

  /** As {@link #read}, for settings whose range exceeds an {@code int}. */
  public long readLong() {
    String raw = System.getProperty(property);
    if (raw == null) {
      return defaultValue;
    }
    long value = parse(raw);
    if (accepts(value)) {
      return value;
    }
    Object used = defaultValue == 0 ? defaultText : (Object) defaultValue;
    Notices.printRefused(property, meaning, accepted(), raw, used);
    return defaultValue;
  }

  /** Parses {@code raw}; returns -1, which no setting accepts, if it is not a number. */
  static long parse(String raw) {
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
