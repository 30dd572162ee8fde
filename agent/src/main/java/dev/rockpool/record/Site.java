package dev.rockpool.record;

import dev.rockpool.internal.Account;
import dev.rockpool.malloc.Origin;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One line of the program that holds native memory. There is one registry of sites, by number: a
 * limit charges a site, {@link RecordedSite} has what a recording adds, and meters read both.
 */
public final class Site implements Account {
  public enum Kind {
    CONFINED,
    SHARED,
    AUTOMATIC,
    GLOBAL,
    DIRECT,
    MAPPED,
    UNSAFE,
    MALLOC,
    TEMPORARY,
    POOL,

    /** Objects that own C memory until they are closed, as the next two. Bytes are not known. */
    OWNER,

    /** The collector frees the memory of those that are not closed. */
    OWNER_COLLECTED,

    /** Their class only looks like one of those. */
    OWNER_GUESSED;

    /** Returns the name as events and messages have it. */
    String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether objects are counted, and no bytes. */
    boolean isOwner() {
      return this == OWNER || this == OWNER_COLLECTED || this == OWNER_GUESSED;
    }
  }

  /** Number of sites that have a number to themselves; all others of a kind share one. */
  static final int MOST = 4000; // see Recorder.INDEX_BITS

  /** Room for those, and for the others of each kind. */
  public static final int CAPACITY = MOST + Kind.values().length;

  static final String OTHERS = "(others)";

  /** Has all temporary buffers: each thread needs one, so their stacks say more than a line. */
  private static final String CHANNELS = "(channels)";

  /** What one site takes on the heap, with its names and entries. */
  private static final long TABLE_BYTES = 300;

  /** Sites that a message names. */
  private static final int NAMED = 3;

  /** By kind and name; guarded by this map. */
  private static final Map<String, Site> BY_NAME = new HashMap<>();

  private static final List<Site> ALL = new CopyOnWriteArrayList<>();

  /** What all sites together are charged to, while native memory is limited. */
  private static volatile Account budget = Account.NONE;

  /** Looks at each charge; null unless somebody asked for that. */
  private static volatile @Nullable Watch watch;

  static {
    for (Kind kind : Kind.values()) {
      find(kind == Kind.TEMPORARY ? CHANNELS : OTHERS, kind);
    }
  }

  final String name;
  final Kind kind;
  public final int number;

  /** Whether the line allocates for others, so that their lines are the sites. */
  private final boolean isOfLibrary;

  /** Bytes that are charged; or if the kind has none, open objects. */
  private final StripedSum charged = new StripedSum();

  private Site(String name, Kind kind, int number) {
    this.name = name;
    this.kind = kind;
    this.number = number;
    isOfLibrary = Callers.isOfLibrary(name);
  }

  /** Returns the same site for equal arguments. */
  public static Site find(String name, Kind kind) {
    String shown = Origin.shortened(name);
    String key = kind.text() + " " + shown;
    synchronized (BY_NAME) {
      Site known = BY_NAME.get(key);
      if (known == null && BY_NAME.size() == CAPACITY) {
        known = BY_NAME.get(kind.text() + " " + OTHERS);
      }
      if (known == null) {
        known = new Site(shown, kind, ALL.size());
        ALL.add(known);
        BY_NAME.put(key, known);
      }
      return known;
    }
  }

  public static Site get(int number) {
    return ALL.get(number);
  }

  static Site ofChannels() {
    return find(CHANNELS, Kind.TEMPORARY);
  }

  /** Returns this site; or if it is a library's, that of the line which uses the library now. */
  public Site ofProgram() {
    return isOfLibrary ? find(Callers.taker(), kind) : this;
  }

  static List<Site> all() {
    return ALL;
  }

  /** Has all sites charge a budget from now on. */
  public static void limitBy(Account newBudget) {
    budget = newBudget;
  }

  static boolean areLimited() {
    return !budget.equals(Account.NONE);
  }

  @Override
  public void charge(long byteSize) {
    budget.charge(byteSize);
    try {
      charged.add(byteSize);
      look();
    } catch (StackOverflowError uncounted) {
      return; // the budget is right all the same
    }
  }

  @Override
  public boolean tryCharge(long byteSize) {
    boolean isCharged = budget.tryCharge(byteSize);
    if (isCharged) {
      charged.add(byteSize);
      look();
    }
    return isCharged;
  }

  private static void look() {
    Watch now = watch;
    if (now != null) {
      now.look();
    }
  }

  @Override
  public void refund(long byteSize, boolean isFound) {
    budget.refund(byteSize, isFound);
    try {
      charged.add(-byteSize);
    } catch (StackOverflowError uncounted) {
      return; // as above
    }
  }

  /** Counts an open object of a kind that has no bytes. */
  void count(int opened) {
    if (kind.isOwner()) {
      charged.add(opened);
    }
  }

  long charged() {
    return Math.max(0, charged.get());
  }

  /** Returns the bytes that are charged to each kind that a limit bounds. */
  public static Map<String, Long> chargedByKind() {
    Map<String, Long> bytes = new TreeMap<>();
    for (Kind kind : Kind.values()) {
      if (kind != Kind.MAPPED && kind != Kind.TEMPORARY && !kind.isOwner()) {
        bytes.put(kind.text(), 0L);
      }
    }
    for (Site each : ALL) {
      bytes.computeIfPresent(each.kind.text(), (_, sum) -> sum + each.charged());
    }
    return bytes;
  }

  /** Returns the charged bytes that only a collection frees, if the program does not. */
  public static long chargedUntilCollected() {
    long sum = 0;
    for (Site each : ALL) {
      sum += each.kind == Kind.DIRECT || each.kind == Kind.AUTOMATIC ? each.charged() : 0;
    }
    return sum;
  }

  /**
   * What a site has: bytes, or open objects that own C memory.
   *
   * @param name the line of the program
   * @param kind the kind as messages have it
   */
  public record Held(String name, String kind, long amount) {}

  /** Returns the sites that hold most, the largest first; those that hold nothing are left out. */
  public static List<Held> holding(int most) {
    return most(each -> !each.kind.isOwner(), most);
  }

  /** Returns the lines with most open objects that own C memory, if these are recorded. */
  public static List<Held> openOwners(int most) {
    return most(each -> each.kind.isOwner() && !each.name.equals(OTHERS), most);
  }

  private static List<Held> most(Predicate<Site> wanted, int most) {
    return ALL.stream()
        .filter(wanted)
        .map(each -> new Held(each.name, each.kind.text(), each.charged())) // once, as it changes
        .filter(each -> each.amount > 0)
        .sorted(Comparator.comparingLong(Held::amount).reversed())
        .limit(Math.max(0, most))
        .toList();
  }

  /** Returns those that hold most, each with its kind and bytes; empty if none does. */
  public static String largest() {
    StringBuilder text = new StringBuilder();
    for (Held each : holding(NAMED)) {
      text.append(text.isEmpty() ? "" : ", ").append(each.name);
      text.append(" (").append(each.kind).append(", ");
      text.append(each.amount).append(" bytes)");
    }
    return text.toString();
  }

  public static Map<String, Long> largest(int most) {
    Map<String, Long> bytes = new LinkedHashMap<>();
    for (Held each : holding(most)) {
      bytes.put(each.kind + " " + each.name, each.amount);
    }
    return bytes;
  }

  public static Map<String, Long> mostOwners(int most) {
    Map<String, Long> open = new LinkedHashMap<>();
    for (Held each : openOwners(most)) {
      open.put(each.name, each.amount);
    }
    return open;
  }

  public static long tableBytes() {
    return ALL.size() * (TABLE_BYTES + StripedSum.heapBytes());
  }

  /** Has the sites noted that hold memory when all of them first hold more than that. */
  public static void watch(long byteSize, LongSupplier ofAll) {
    watch = new Watch(byteSize, ofAll);
  }

  /** Returns the bytes of the sites that were noted, likewise; empty if none were. */
  public static Map<String, Long> watched() {
    Watch now = watch;
    Map<String, Long> noted = now == null ? null : now.noted;
    return noted == null ? Map.of() : noted;
  }

  private static final class Watch {
    private final long byteSize;
    private final LongSupplier ofAll;
    private volatile @Nullable Map<String, Long> noted;

    Watch(long byteSize, LongSupplier ofAll) {
      this.byteSize = byteSize;
      this.ofAll = ofAll;
    }

    void look() {
      if (ofAll.getAsLong() > byteSize && noted == null) {
        noted = largest(Integer.MAX_VALUE);
      }
    }
  }
}
