package dev.rockpool.direct;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** The limit that the JVM itself was given for {@code ByteBuffer.allocateDirect}. */
final class JvmLimit {
  private JvmLimit() {}

  /**
   * The value of {@code -XX:MaxDirectMemorySize}.
   *
   * @return bytes; 0 if that flag was not given, or there is no way to ask for it
   */
  static long flag() {
    try {
      HotSpotDiagnosticMXBean jvm =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return jvm == null ? 0 : Long.parseLong(jvm.getVMOption("MaxDirectMemorySize").getValue());
    } catch (LinkageError | RuntimeException notToBeHad) {
      return 0;
    }
  }
}
