package dev.rockpool.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.internal.Account;
import dev.rockpool.record.Site.Kind;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What a limit charges is held by a site, and what it refuses is not. */
class SiteTest {
  private static final long LIMIT = 1 << 20;

  private final Map<String, Long> before = Site.chargedByKind();
  private long inUse;
  private String name;

  @BeforeEach
  void limit(TestInfo test) {
    name = test.getDisplayName();
    Site.limitBy(
        new Account() {
          @Override
          public void charge(long byteSize) {
            if (!tryCharge(byteSize)) {
              throw new OutOfMemoryError("full");
            }
          }

          @Override
          public boolean tryCharge(long byteSize) {
            boolean fits = inUse + byteSize <= LIMIT;
            inUse += fits ? byteSize : 0;
            return fits;
          }

          @Override
          public void refund(long byteSize, boolean isFound) {
            inUse -= byteSize;
          }
        });
  }

  @AfterEach
  void refundAll() {
    for (Site each : Site.all()) {
      each.refund(each.charged());
    }
    assertThat(inUse).isZero();
    Site.limitBy(Account.NONE);
  }

  private Site site(String ofMethod, Kind kind) {
    return Site.find(name + ofMethod, kind);
  }

  @Test
  void whatIsRefusedIsNotHeld() {
    Site site = site("", Kind.SHARED);
    site.charge(LIMIT - 10);

    assertThatThrownBy(() -> site.charge(11)).isInstanceOf(OutOfMemoryError.class);
    assertThat(site.tryCharge(11)).isFalse();
    assertThat(site.charged()).isEqualTo(LIMIT - 10);
    assertThat(site.tryCharge(10)).isTrue();
    assertThat(site.charged()).isEqualTo(LIMIT);
  }

  @Test
  void eachKindHasTheSumOfItsSites() {
    Map<String, Long> expected = new TreeMap<>(before);
    int bytes = 1;
    for (Kind kind : Kind.values()) {
      long two = 0;
      for (String method : new String[] {"one", "other"}) {
        bytes *= 2;
        two += bytes;
        site(method, kind).charge(bytes);
      }
      long sum = two;
      expected.computeIfPresent(kind.text(), (_, others) -> others + sum);
      bytes = bytes > LIMIT / 64 ? 1 : bytes;
    }

    assertThat(Site.chargedByKind()).isEqualTo(expected);
    assertThat(expected)
        .containsOnlyKeys(
            "confined", "shared", "automatic", "global", "direct", "unsafe", "malloc", "pool");
  }

  @Test
  void onlyACollectionFreesBuffersAndAutomaticArenas() {
    long until = Site.chargedUntilCollected();
    site("", Kind.DIRECT).charge(100);
    site("", Kind.AUTOMATIC).charge(20);
    site("", Kind.SHARED).charge(3);

    assertThat(Site.chargedUntilCollected() - until).isEqualTo(120);
  }

  @Test
  void messagesNameTheThreeThatHoldMost() {
    long step = LIMIT / 16;
    site("fourth", Kind.DIRECT).charge(step);
    site("second", Kind.CONFINED).charge(3 * step);
    site("first", Kind.MALLOC).charge(4 * step);
    site("third", Kind.SHARED).charge(2 * step);

    assertThat(Site.largest())
        .isEqualTo(
            "%1$sfirst (malloc, %2$d bytes), %1$ssecond (confined, %3$d bytes), %1$sthird (shared,"
                    .formatted(name, 4 * step, 3 * step)
                + " %d bytes)".formatted(2 * step));
    assertThat(Site.largest(2).values()).containsExactly(4 * step, 3 * step);
  }

  @Test
  void theSitesAreNotedThatHoldMemoryWhenMoreIsFirstInUse() {
    site("one", Kind.SHARED).charge(600);
    Site.watch(1000, () -> inUse);
    site("other", Kind.DIRECT).charge(400);
    assertThat(Site.watched()).isEmpty();

    site("last", Kind.POOL).tryCharge(1);
    site("one", Kind.SHARED).charge(5000);

    assertThat(Site.watched())
        .isEqualTo(
            Map.of(
                "shared " + name + "one", 600L,
                "direct " + name + "other", 400L,
                "pool " + name + "last", 1L));
  }
}
