package dev.rockpool.record;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import dev.rockpool.record.HolderEvents.NativeMemoryEvent;
import dev.rockpool.record.Site.Kind;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * Looks at the memory of this process: what is resident, and in which parts. At the end of a chunk,
 * every ten seconds, at first more often, and whenever the resident set has grown by much, so that
 * the highest one is not missed. A look takes some milliseconds, and the next one waits until it is
 * a hundredth.
 *
 * <p>A look is one event of the process, and one for each part. The parts overlap where the system
 * can't tell them apart: Java code, C code and the JVM all have blocks of {@code malloc}. The
 * report subtracts.
 */
final class ProcessMemory {
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s*(\\d+) kB");
  private static final Pattern MOST_RESIDENT = Pattern.compile("VmHWM:\\s*(\\d+) kB");
  private static final Pattern RESIDENT_FILES = Pattern.compile("RssFile:\\s*(\\d+) kB");
  private static final Pattern ARENA = Pattern.compile("<heap nr=");
  private static final Pattern FREE =
      Pattern.compile("<total type=\"(?:fast|rest)\" count=\"\\d+\" size=\"(\\d+)\"");
  private static final Pattern OF_SYSTEM =
      Pattern.compile("<system type=\"current\" size=\"(\\d+)\"");
  private static final Pattern MAPPED =
      Pattern.compile("<total type=\"mmap\" count=\"\\d+\" size=\"(\\d+)\"");
  private static final Pattern TRACKED = Pattern.compile("malloc: (\\d+)KB");
  private static final Pattern TRACKED_OTHER =
      Pattern.compile("malloc=(\\d+)KB (?:tag|type)=Other");

  /** Looks are so far apart, or at first a twentieth of the time since the first one. */
  private static final long PAUSE_NANOS = 10_000_000_000L;

  private static final int SHORTER = 20;

  /** A look takes at most this part of the time. */
  private static final int COST = 100;

  /** Growth by this part, and by so many bytes, is worth a look of its own. */
  private static final int PART_GROWN = 16;

  private static final long GROWN = 8 << 20;

  /** Resident sets that differ by this part count as one peak; sites are noted at its last look. */
  private static final int NEARLY = 50;

  private static final Path STATUS = Path.of("/proc/self/status");

  private static final Object LOCK = new Object();

  private static long looks;
  private static long highestSeen;
  private static long firstNanos = System.nanoTime();
  private static long lastNanos = System.nanoTime();
  private static long lastCostNanos;

  private ProcessMemory() {}

  static void startAnew() {
    synchronized (LOCK) {
      highestSeen = 0;
      firstNanos = System.nanoTime();
      lastNanos = firstNanos;
    }
  }

  /** Looks if it is time to; called every second. */
  static void lookAgain() {
    synchronized (LOCK) {
      if (isTime()) {
        lookNow();
      }
    }
  }

  private static boolean isTime() {
    long sinceNanos = System.nanoTime() - lastNanos;
    if (sinceNanos / COST < lastCostNanos || !new ProcessMemoryEvent().isEnabled()) {
      return false;
    }
    return sinceNanos >= Math.min(PAUSE_NANOS, (lastNanos - firstNanos) / SHORTER)
        || figure(RESIDENT, status()) >= highestSeen + Math.max(GROWN, highestSeen / PART_GROWN);
  }

  static void look() {
    synchronized (LOCK) {
      lookNow();
    }
  }

  private static void lookNow() {
    long start = System.nanoTime();
    long number = ++looks;
    MemoryMap map = MemoryMap.read();
    String malloc = JvmCommand.run("System.native_heap_info");
    String tracked = map.isTracked() ? JvmCommand.run("VM.native_memory summary") : "";
    String status = status();
    long resident = figure(RESIDENT, status);
    highestSeen = Math.max(highestSeen, resident);
    if (resident >= highestSeen - highestSeen / NEARLY) {
      RecordedSite.noteAtPeak();
    }
    map.sizes()
        .forEach((part, size) -> write(number, part.text, size.resident(), size.committed()));
    if (!map.sizes().isEmpty() && !map.isTracked()) {
      write(number, "metaspace", 0, metaspace());
    }
    long free = sum(FREE, malloc);
    write(number, "malloc: in use in arenas", 0, sum(OF_SYSTEM, malloc) - free);
    write(number, "malloc: free in arenas", 0, free);
    write(number, "malloc: mapped", 0, sum(MAPPED, malloc));
    if (!tracked.isEmpty()) {
      long javas = figure(TRACKED_OTHER, tracked);
      write(number, "malloc: the JVM", 0, figure(TRACKED, tracked) - javas);
      write(number, "malloc: Java code", 0, javas);
    }
    for (Map.Entry<Kind, NativeMemoryEvent> each : RecordedSite.kinds().entrySet()) {
      write(number, "Java code: " + each.getKey().text(), 0, each.getValue().liveBytes);
    }
    ProcessMemoryEvent process = new ProcessMemoryEvent();
    process.look = number;
    process.resident = resident;
    process.mostResident = figure(MOST_RESIDENT, status);
    process.residentFiles = figure(RESIDENT_FILES, status);
    process.available = memory();
    process.mallocArenas = ARENA.matcher(malloc).results().count();
    process.isTrimmed = isTrimmed();
    process.isTracked = map.isTracked();
    GarbageCollections collections = GarbageCollections.now();
    process.collections = collections.all();
    process.fullCollections = collections.full();
    process.commit();
    lastNanos = System.nanoTime();
    lastCostNanos = number == 1 ? 0 : lastNanos - start; // the first one loads classes
  }

  private static void write(long look, String part, long resident, long committed) {
    if (resident > 0 || committed > 0) {
      new ProcessPartEvent(look, part, resident, committed).commit();
    }
  }

  private static String status() {
    try {
      return Files.readString(STATUS);
    } catch (IOException notLinux) {
      return "";
    }
  }

  /** Returns the first such figure in bytes, given in units of 1,024; 0 if there is none. */
  private static long figure(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    return found.find() ? Long.parseLong(found.group(1)) << 10 : 0;
  }

  /** Returns the sum over all arenas of glibc, which comes after the arenas; 0 without glibc. */
  static long sum(Pattern pattern, String mallocInfo) {
    return pattern
        .matcher(mallocInfo.substring(Math.max(0, mallocInfo.lastIndexOf("</heap>"))))
        .results()
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }

  private static boolean hasModule(String name) {
    return ModuleLayer.boot().findModule(name).isPresent();
  }

  private static long metaspace() {
    if (!hasModule("java.management")) {
      return 0;
    }
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getName().equals("Metaspace")) {
        return pool.getUsage().getCommitted();
      }
    }
    return 0;
  }

  /** Whether the JVM gives memory back that is free in malloc. So the free is not resident then. */
  private static boolean isTrimmed() {
    if (!hasModule("jdk.management")) {
      return false;
    }
    HotSpotDiagnosticMXBean jvm =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    return jvm != null && !jvm.getVMOption("TrimNativeHeapInterval").getValue().equals("0");
  }

  /** Returns the bytes that the container has, or without one the machine; 0 if not known. */
  private static long memory() {
    return hasModule("jdk.management")
        ? ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize()
        : 0;
  }

  @Name("dev.rockpool.ProcessMemory")
  @Label("Process Memory")
  @Description("The resident set of the process at one look; 0 is not known")
  static final class ProcessMemoryEvent extends RecordedEvent {
    final long run = HolderEvents.run;

    @Description("Number of the look")
    long look;

    @DataAmount long resident;

    @Description("Highest resident set so far")
    @DataAmount
    long mostResident;

    @Description("Resident pages of files: libraries, jars, mapped files")
    @DataAmount
    long residentFiles;

    @Description("Memory of the container, or of the machine")
    @DataAmount
    long available;

    @Description("Garbage collections of the JVM so far")
    long collections;

    @Description("Those that looked at the whole heap")
    long fullCollections;

    @Description("Arenas of glibc's malloc")
    long mallocArenas;

    @Description("Whether -XX:TrimNativeHeapInterval is set")
    boolean isTrimmed;

    @Description("Whether native memory tracking told which mappings are the JVM's")
    boolean isTracked;
  }

  @Name("dev.rockpool.ProcessPart")
  @Label("Process Memory by Part")
  @Description("A part of the process's memory at one look")
  static final class ProcessPartEvent extends RecordedEvent {
    final long run = HolderEvents.run;
    final long look;
    final String part;

    @Description("Resident bytes; 0 where only the other figure is known")
    @DataAmount
    final long resident;

    @Description("Bytes that are committed or in use, resident or not")
    @DataAmount
    final long committed;

    ProcessPartEvent(long look, String part, long resident, long committed) {
      this.look = look;
      this.part = part;
      this.resident = resident;
      this.committed = committed;
    }
  }
}
