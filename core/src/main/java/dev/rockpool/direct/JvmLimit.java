package dev.rockpool.direct;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** The limit that the JVM itself has for {@code ByteBuffer.allocateDirect}. */
final class JvmLimit {
  private JvmLimit() {}

  /**
   * The value of {@code -XX:MaxDirectMemorySize}; the largest size of the heap, which the JVM
   * takes, too, where that flag was not given, or where there is no way to ask for it.
   *
   * @return bytes
   */
  static long find() {
    long flag = flag();
    return flag > 0 ? flag : Runtime.getRuntime().maxMemory();
  }

  private static long flag() {
    try {
      HotSpotDiagnosticMXBean jvm =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return jvm == null ? 0 : Long.parseLong(jvm.getVMOption("MaxDirectMemorySize").getValue());
    } catch (LinkageError | RuntimeException notToBeHad) {
      return 0;
    }
  }
}
