package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Option {@code shared.serial}: who closes a shared arena waits for another who does. */
class SharedSerialIT {
  private static final String PROGRAM =
      """
      import java.lang.foreign.Arena;
      import java.util.concurrent.locks.ReentrantLock;

      public class Main {
        public static void main(String[] args) throws Exception {
          Arena.ofShared().close(); // from now on the class of the lock is there, or never
          ReentrantLock lock = lock();
          if (lock == null) {
            System.out.println("no lock");
            return;
          }
          for (Thread.Builder kind : new Thread.Builder[] {Thread.ofPlatform(), Thread.ofVirtual()}) {
            Arena arena = Arena.ofShared();
            lock.lock();
            Thread closing = kind.start(arena::close);
            while (!lock.hasQueuedThread(closing)) {
              Thread.onSpinWait();
            }
            System.out.println("waits");
            lock.unlock();
            closing.join();
            System.out.println("alive " + arena.scope().isAlive() + ", locked " + lock.isLocked());
          }
        }

        static ReentrantLock lock() throws Exception {
          try {
            var lock = Class.forName("jdk.internal.foreign.RockpoolSharedClose")
                .getDeclaredField("LOCK");
            lock.setAccessible(true);
            return (ReentrantLock) lock.get(null);
          } catch (ClassNotFoundException none) {
            return null;
          }
        }
      }
      """;

  @TempDir private Path folder;

  @BeforeEach
  void compile() {
    Sources.compileTo(folder, PROGRAM);
  }

  private ChildJvm.Exit run(String option) {
    return ChildJvm.withAgent(option)
        .with("--add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED")
        .classPath(folder)
        .run("Main");
  }

  @Test
  void oneThreadAtATimeCloses() {
    assertThat(run("shared.serial").quietOutput())
        .containsExactly(
            "waits", "alive false, locked false", "waits", "alive false, locked false");
  }

  @Test
  void withoutItTheJdkCloses() {
    assertThat(run("shared.serial=off").quietOutput()).containsExactly("no lock");
  }
}
