package dev.rockpool.bench.direct;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/**
 * A buffer from {@link ByteBuffer#allocateDirect} that is written to once and freed by hand, as
 * programs do it that know nothing of Rockpool: by {@code Unsafe.invokeCleaner}.
 *
 * <pre>
 * java -jar bench/target/benchmarks.jar DirectByteBufferClean -prof gc
 * java -jar bench/target/benchmarks.jar DirectByteBufferClean -prof gc \
 *   -jvmArgsAppend -javaagent:agent/target/rockpool-agent.jar=direct
 * </pre>
 */
@Fork(
    value = 3,
    jvmArgsPrepend = {
      "--enable-native-access=ALL-UNNAMED",
      DirectByteBufferClean.UNSAFE,
      DirectBenchmark.JDK_LIMIT
    })
public class DirectByteBufferClean extends DirectBenchmark {
  static final String UNSAFE = "--sun-misc-unsafe-memory-access=allow";

  private static final MethodHandle CLEAN = clean();

  @Param({"64", "4096", "65536", "1048576"})
  public int capacity;

  private static MethodHandle clean() {
    try {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field only = unsafe.getDeclaredField("theUnsafe");
      only.setAccessible(true);
      return MethodHandles.lookup()
          .unreflect(unsafe.getMethod("invokeCleaner", ByteBuffer.class))
          .bindTo(only.get(null));
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** The JVM counts its own buffers, and does not count ours; both are gone when they are freed. */
  @Override
  boolean isCountedWhereItShould(boolean ours) throws Throwable {
    long before = jdksBytes();
    ByteBuffer buffer = ByteBuffer.allocateDirect(capacity);
    long during = jdksBytes();
    CLEAN.invokeExact(buffer);
    return during == before + (isUnderAgent() ? 0 : capacity) && jdksBytes() == before;
  }

  @Benchmark
  public void allocateAndClean() throws Throwable {
    ByteBuffer buffer = ByteBuffer.allocateDirect(capacity);
    buffer.put(0, (byte) 1);
    CLEAN.invokeExact(buffer);
  }
}
