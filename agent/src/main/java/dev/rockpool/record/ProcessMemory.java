package dev.rockpool.record;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * Figures of this process's memory that Linux and glibc know, and the JVM does not. The flight
 * recorder's own events have the rest.
 */
final class ProcessMemory {
  /** The JVM's commands; the agent opens their package to java.base. */
  private static final String COMMANDS = "com.sun.management.internal.DiagnosticCommandImpl";

  private static final Pattern RESIDENT_FILES = Pattern.compile("RssFile:\\s*(\\d+) kB");
  private static final Pattern ARENA = Pattern.compile("<heap nr=");
  private static final Pattern FREE =
      Pattern.compile("<total type=\"(?:fast|rest)\" count=\"\\d+\" size=\"(\\d+)\"");

  private ProcessMemory() {}

  static void write() {
    String malloc = isTrimmed() ? "" : mallocInfo();
    new ProcessMemoryEvent(residentFiles(), arenas(malloc), free(malloc)).commit();
  }

  private static long residentFiles() {
    try {
      Matcher found = RESIDENT_FILES.matcher(Files.readString(Path.of("/proc/self/status")));
      return found.find() ? Long.parseLong(found.group(1)) << 10 : 0;
    } catch (IOException notLinux) {
      return 0;
    }
  }

  /** Whether the JVM gives memory back that is free in malloc. So the free is not resident then. */
  private static boolean isTrimmed() {
    if (ModuleLayer.boot().findModule("jdk.management").isEmpty()) {
      return false;
    }
    HotSpotDiagnosticMXBean jvm =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    return jvm != null && !jvm.getVMOption("TrimNativeHeapInterval").getValue().equals("0");
  }

  /**
   * Returns what glibc's {@code malloc_info} says, or anything else if there is no glibc. The JVM's
   * command is not called by JMX, because that would start the platform's MBean server.
   */
  private static String mallocInfo() {
    try {
      Class<?> commands = Class.forName(COMMANDS);
      Method instance = commands.getDeclaredMethod("getDiagnosticCommandMBean");
      Method execute = commands.getDeclaredMethod("executeDiagnosticCommand", String.class);
      instance.setAccessible(true);
      execute.setAccessible(true);
      return String.valueOf(execute.invoke(instance.invoke(null), "System.native_heap_info"));
    } catch (InvocationTargetException failed) {
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      return ""; // no such command
    } catch (ReflectiveOperationException | RuntimeException otherJdk) {
      return "";
    }
  }

  static long arenas(String mallocInfo) {
    return ARENA.matcher(mallocInfo).results().count();
  }

  /** Returns the sum over all arenas, which comes after the arenas. */
  static long free(String mallocInfo) {
    return FREE.matcher(mallocInfo.substring(Math.max(0, mallocInfo.lastIndexOf("</heap>"))))
        .results()
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }

  @Name("dev.rockpool.ProcessMemory")
  @Label("Process Memory")
  @Description("What Linux and glibc know of the memory of the process; 0 is not known")
  static final class ProcessMemoryEvent extends RecordedEvent {
    final long run = HolderEvents.run;

    @Description("Resident pages of files: libraries, jars, mapped files")
    @DataAmount
    final long residentFiles;

    @Description("Arenas of glibc's malloc; 0 also if -XX:TrimNativeHeapInterval is set")
    final long mallocArenas;

    @Description("Free in these arenas, and resident at most")
    @DataAmount
    final long mallocFree;

    ProcessMemoryEvent(long residentFiles, long mallocArenas, long mallocFree) {
      this.residentFiles = residentFiles;
      this.mallocArenas = mallocArenas;
      this.mallocFree = mallocFree;
    }
  }
}
