package dev.rockpool.child;

import dev.rockpool.call.CallState;
import dev.rockpool.call.NativeCallException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A program whose system properties take a lock of its own, held by one of two failing threads. */
@SuppressWarnings("restricted")
final class ForeignLockProbe {
  private static final Object LOCK = new Object();
  private static final CountDownLatch ASKED = new CountDownLatch(1);

  private ForeignLockProbe() {}

  private static final class Locking extends Properties {
    private static final long serialVersionUID = 1;

    @Override
    public String getProperty(String key, String other) {
      if (key.equals("native.encoding")) {
        ASKED.countDown();
        synchronized (LOCK) {
          return super.getProperty(key, other);
        }
      }
      return super.getProperty(key, other);
    }
  }

  public static void main(String[] args) throws Exception {
    Linker linker = Linker.nativeLinker();
    MethodHandle close =
        CallState.ERRNO.check(
            linker.downcallHandle(
                linker.defaultLookup().findOrThrow("close"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
                CallState.ERRNO.option()),
            "close");
    fail(close);
    Properties locking = new Locking();
    locking.putAll(System.getProperties());
    System.setProperties(locking);
    CountDownLatch done = new CountDownLatch(1);
    synchronized (LOCK) {
      Thread.ofPlatform().daemon().start(() -> fail(close));
      ASKED.await();
      Thread.ofPlatform().daemon().start(() -> haltUnless(done));
      fail(close);
      done.countDown();
    }
    System.out.println("done=true");
    System.exit(0);
  }

  private static void haltUnless(CountDownLatch done) {
    try {
      if (!done.await(20, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(3);
      }
    } catch (InterruptedException nobodyDoes) {
      throw new AssertionError(nobodyDoes);
    }
  }

  private static void fail(MethodHandle close) {
    try {
      int result = (int) close.invokeExact(-1);
      throw new AssertionError(result);
    } catch (NativeCallException failure) {
      if (failure.text().isEmpty()) {
        throw new AssertionError(failure);
      }
    } catch (Throwable other) {
      throw new AssertionError(other);
    }
  }
}
