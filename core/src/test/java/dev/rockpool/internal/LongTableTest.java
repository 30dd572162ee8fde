package dev.rockpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An entry is found by its key, and nothing else is; also while others add and remove. */
class LongTableTest {
  private final LongTable<Numbered> table = new LongTable<>();

  private static final class Numbered extends LongTable.Entry<Numbered> {
    private final long key;

    Numbered(long key) {
      this.key = key;
    }

    @Override
    protected long key() {
      return key;
    }
  }

  @Test
  void isAsAMapOfTheJdk() {
    Map<Long, Numbered> expected = new HashMap<>();
    Random random = new Random(1);
    for (int i = 0; i < 200_000; i++) {
      long key = random.nextInt(5_000);
      Numbered known = table.find(key);
      assertThat(known).isSameAs(expected.get(key));
      if (known == null) {
        Numbered added = new Numbered(key);
        table.add(added);
        expected.put(key, added);
      } else {
        table.remove(known);
        expected.remove(key);
      }
      assertThat(table.size()).isEqualTo(expected.size());
    }
    List<Numbered> all = new ArrayList<>();
    table.forEach(all::add);
    assertThat(all).containsExactlyInAnyOrderElementsOf(expected.values());
  }

  @Test
  void readersWithoutLockFindTheirOwnOrNothingAndInTheEndAll() throws Exception {
    int kept = 1_000;
    List<Numbered> own = new ArrayList<>();
    AtomicBoolean done = new AtomicBoolean();
    for (int i = 0; i < kept; i++) {
      own.add(new Numbered(i));
      table.add(own.get(i));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Callable<Long> reader =
          () -> {
            long found = 0;
            while (!done.get()) {
              for (Numbered entry : own) {
                Numbered seen = table.find(entry.key);
                assertThat(seen == null || seen == entry).isTrue();
                found += seen == null ? 0 : 1;
              }
            }
            return found;
          };
      List<Future<Long>> readers = List.of(threads.submit(reader), threads.submit(reader));
      for (int round = 1; round <= 20; round++) {
        List<Numbered> others = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
          others.add(new Numbered(round * 1_000_000L + i));
          table.add(others.get(i));
        }
        others.forEach(table::remove);
      }
      done.set(true);
      for (Future<Long> found : readers) {
        assertThat(found.get()).isPositive();
      }
    }
    assertThat(own).allSatisfy(entry -> assertThat(table.find(entry.key)).isSameAs(entry));
    assertThat(table.size()).isEqualTo(kept);
  }
}
