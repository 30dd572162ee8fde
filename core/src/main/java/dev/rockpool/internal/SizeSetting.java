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
   * Bytes in a block. One of the default size serves every arena up to half a kibibyte, and costs
   * no more time than a smaller one, because only the bytes used are zeroed.
   */
  BLOCK_SIZE("rockpool.block.size", "bytes in a block", 512, 64, 1 << 20, true),

  /** Blocks kept for each thread that uses confined arenas: as many can be open at once. */
  BLOCKS_PER_THREAD("rockpool.blocks.per.thread", "blocks kept for a thread", 8, 1, 64, false),

  /**
   * Arenas that a program opens under the agent before the agent starts the pool. Fewer than it
   * takes to have C2 compile their callers, because a later start makes C2 compile these again.
   */
  START_AFTER(
      "rockpool.start.after",
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

  public static final int START_AFTER_DEFAULT = 4000;

  /** Properties of earlier versions, each with what the user should know. */
  private static final String[][] FORMER = {
    {"rockpool.slab.size", "is rockpool.block.size now"},
    {"rockpool.slabs.per.thread", "is rockpool.blocks.per.thread now"},
    {"rockpool.shared.slots", "is gone, since threads share no blocks but a few"},
    {"rockpool.first.arenas", "is gone, since a thread's first arenas cost no more than the JDK's"}
  };

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

  /** Reports properties of earlier versions, which have no effect. Called once. */
  public static void reportFormer() {
    for (String[] former : FORMER) {
      if (System.getProperty(former[0]) != null) {
        Notices.print("System property " + former[0] + " " + former[1] + "; it is ignored.");
      }
    }
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
