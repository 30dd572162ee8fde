package dev.rockpool.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResidentTest {
  @Test
  void sharedPagesOfNoFileCountAsAnonymous() {
    String status =
        "Name:\tjava\nVmRSS:\t   70000 kB\nRssAnon:\t   40000 kB\nRssFile:\t   25000 kB\n"
            + "RssShmem:\t    5000 kB\nThreads:\t20\n";
    assertThat(Resident.of(status)).isEqualTo(new Resident(45_000 << 10, 25_000 << 10));
  }

  @Test
  void nothingIsKnownWithoutTheFigures() {
    assertThat(Resident.of("Name:\tjava\n")).isEqualTo(new Resident(0, 0));
  }
}
