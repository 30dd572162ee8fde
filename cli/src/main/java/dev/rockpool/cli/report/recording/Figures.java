package dev.rockpool.cli.report.recording;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** All that was read: of one recording, or the sum of many. */
public final class Figures {
  /** The arenas that are summed up together. */
  record Group(ThreadKind threadKind, Served served) {}

  private final Map<Group, ArenaFigures> groups = new HashMap<>();
  private final Map<String, SiteFigures> sites = new HashMap<>();
  private final Set<String> jvms = new HashSet<>();
  private final Map<Setting, Long> settings = new TreeMap<>();
  private final Holders holders = new Holders();
  private final Map<String, String> facts = new HashMap<>();
  private long blocks;
  private long recordedNanos;
  private long processorNanos;
  private long threads;
  private long openSamples;
  private long openOnVirtual;

  ArenaFigures group(ThreadKind threadKind, Served served) {
    return groups.computeIfAbsent(new Group(threadKind, served), group -> new ArenaFigures());
  }

  void addBlock() {
    blocks++;
  }

  void addSite(String name, SiteFigures more) {
    sites.merge(name, more, SiteFigures::plus);
  }

  void addJvm(String jvm) {
    jvms.add(jvm);
  }

  /** A fact of one recording, see {@link Source}; sums have none. */
  void addFact(String name, String value) {
    facts.put(name, value);
  }

  Map<String, String> facts() {
    return facts;
  }

  void addSetting(Setting setting) {
    settings.merge(setting, 1L, Long::sum);
  }

  void addRecordedNanos(long more) {
    recordedNanos = Math.addExact(recordedNanos, more);
  }

  void addUsage(long processorNanos, long threads) {
    this.processorNanos = Math.addExact(this.processorNanos, Histogram.checked(processorNanos));
    this.threads = Math.addExact(this.threads, Histogram.checked(threads));
  }

  /** Idle moments do not count. */
  void addOpenOnVirtual(long threads) {
    openOnVirtual = Math.addExact(openOnVirtual, Histogram.checked(threads));
    openSamples += threads > 0 ? 1 : 0;
  }

  void add(Figures other) {
    other.groups.forEach((key, more) -> group(key.threadKind(), key.served()).add(more));
    other.sites.forEach(this::addSite);
    holders.add(other.holders);
    jvms.addAll(other.jvms);
    other.settings.forEach((setting, count) -> settings.merge(setting, count, Long::sum));
    blocks += other.blocks;
    recordedNanos = Math.addExact(recordedNanos, other.recordedNanos);
    addUsage(other.processorNanos, other.threads);
    openOnVirtual = Math.addExact(openOnVirtual, other.openOnVirtual);
    openSamples += other.openSamples;
  }

  /** Whether a recorder of arenas wrote any of it. */
  boolean fromRecorder() {
    return blocks > 0 || !sites.isEmpty() || !settings.isEmpty();
  }

  /** Figures of all arenas. */
  public ArenaFigures all() {
    ArenaFigures sum = new ArenaFigures();
    groups.values().forEach(sum::add);
    return sum;
  }

  /** Figures of the arenas confined to threads of this kind. */
  public ArenaFigures of(ThreadKind kind) {
    ArenaFigures sum = new ArenaFigures();
    for (Served served : Served.values()) {
      sum.add(of(kind, served));
    }
    return sum;
  }

  /** Figures of the arenas confined to threads of this kind that were served like this. */
  public ArenaFigures of(ThreadKind kind, Served served) {
    return groups.getOrDefault(new Group(kind, served), new ArenaFigures());
  }

  /** Confined arenas, by the call site that opened them. */
  public Map<String, SiteFigures> sites() {
    return Collections.unmodifiableMap(sites);
  }

  /** The call sites that hold native memory. */
  public Holders holders() {
    return holders;
  }

  /** Settings of the recorded JVMs, and how often each was told. */
  public Map<Setting, Long> settings() {
    return Collections.unmodifiableMap(settings);
  }

  /** Returns the number of JVMs. */
  public int jvms() {
    return jvms.size();
  }

  /** Returns the number of histograms that were added up. */
  public long blocks() {
    return blocks;
  }

  /** How long was recorded, in nanoseconds, added over JVMs. */
  public long recordedNanos() {
    return recordedNanos;
  }

  /** Processor time of the JVMs while arenas were recorded, in nanoseconds; 0 if not known. */
  public long processorNanos() {
    return processorNanos;
  }

  /** Returns the number of threads, of both kinds, that were made meanwhile. */
  public long threads() {
    return threads;
  }

  /** The most processors that a JVM had. */
  public int processors() {
    return settings.keySet().stream().mapToInt(Setting::processors).max().orElse(1);
  }

  /**
   * Returns the number of virtual threads with open arenas, while there were any: the mean of all
   * moments.
   */
  public double openAtOnce() {
    return openSamples == 0 ? 0 : (double) openOnVirtual / openSamples;
  }
}
