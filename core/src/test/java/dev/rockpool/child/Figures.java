package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.PoolStatistics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/** Prints, as {@code name=value}, how much memory there is in use. */
final class Figures {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

  /** The memory of the JDK's own arenas is "Other" to the JVM, which does not see the pool's. */
  private static final Pattern OTHER = Pattern.compile("Other \\(reserved=(\\d+)KB");

  private Figures() {}

  static void print(String name, Object value) {
    System.out.println(name + "=" + value);
  }

  /** Memory of the pool, of the process, and of arenas that the JDK serves; -1 if unknown. */
  static void printMemory(String when) throws IOException, JMException {
    PoolStatistics statistics = ArenaPool.shared().statistics();
    print(when + ": bytes kept", statistics.bytesKept());
    print(when + ": threads", statistics.threads());
    print(when + ": KiB resident", residentKibibytes());
    print(when + ": KiB of regular arenas", find(OTHER, nativeMemory()));
  }

  /** Memory of the process, or -1. */
  static long residentKibibytes() throws IOException {
    return Files.exists(STATUS) ? find(RESIDENT, Files.readString(STATUS)) : -1;
  }

  private static String nativeMemory() throws JMException {
    return (String)
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "vmNativeMemory",
                new Object[] {new String[] {"summary"}},
                new String[] {String[].class.getName()});
  }

  /** The number that {@code pattern} finds, or -1. */
  private static long find(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? Long.parseLong(matcher.group(1)) : -1;
  }
}
