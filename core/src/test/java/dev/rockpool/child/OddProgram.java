package dev.rockpool.child;

import dev.rockpool.arena.ArenaPool;
import dev.rockpool.arena.Arenas;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A program whose standard error, or whose table of properties, does what nobody expects while
 * Rockpool starts.
 */
final class OddProgram {
  /** Longer than Rockpool may wait, and shorter than a test. */
  private static final long LIMIT_MILLIS = 20_000;

  private static final CountDownLatch TOLD = new CountDownLatch(1);

  private OddProgram() {}

  private static boolean hasNeighbours() {
    try (Arena arena = Arenas.ofConfined()) {
      return arena.allocate(16).address() + 16 == arena.allocate(16).address();
    }
  }

  private static PrintStream standardError(String kind, PrintStream regular) {
    return new PrintStream(regular) {
      @Override
      public void println(String line) {
        if (kind.equals("hangs")) {
          hang();
        }
        hasNeighbours();
        super.println(line);
        TOLD.countDown();
      }
    };
  }

  private static void hang() {
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException early) {
      throw new AssertionError(early);
    }
  }

  @SuppressWarnings("serial")
  private static final class OddProperties extends Properties {
    @Override
    public String getProperty(String key) {
      if (key.startsWith("rockpool.")) {
        hasNeighbours();
        ArenaPool.shared().take().close();
      }
      return super.getProperty(key);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    if (args[0].equals("properties")) {
      Properties odd = new OddProperties();
      odd.putAll(System.getProperties());
      System.setProperties(odd);
    } else {
      System.setErr(standardError(args[0], System.err));
    }
    Thread program =
        new Thread(() -> System.out.println("pooled=" + (hasNeighbours() && hasNeighbours())));
    program.setDaemon(true);
    program.start();
    program.join(LIMIT_MILLIS);
    if (args[0].equals("opens")) {
      TOLD.await(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }
  }
}
