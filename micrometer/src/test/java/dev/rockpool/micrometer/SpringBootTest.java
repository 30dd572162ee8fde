package dev.rockpool.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** An application of Spring Boot with metrics, and nothing about Rockpool but the dependency. */
class SpringBootTest {
  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Application {}

  @Test
  void applicationHasTheMeters() {
    try (ConfigurableApplicationContext context = start()) {
      MeterRegistry registry = context.getBean(MeterRegistry.class);

      assertThat(registry.find("rockpool.arenas").tag("pool", "shared").meters()).hasSize(1);
      assertThat(registry.find("rockpool.direct.memory.used").gauge()).isNotNull();
      assertThat(registry.find("rockpool.sites").gauge()).isNull();
    }
  }

  /** Each line is a series of its own, so nobody gets them unasked. */
  @Test
  void applicationCanAskForTheLinesThatHoldMost() {
    try (ConfigurableApplicationContext context =
        start("--management.rockpool.largest-sites=true")) {
      assertThat(context.getBean(MeterRegistry.class).find("rockpool.sites").gauge()).isNotNull();
    }
  }

  @Test
  void applicationCanLeaveThemOut() {
    try (ConfigurableApplicationContext context =
        start("--management.metrics.enable.rockpool=false")) {
      assertThat(context.getBeansOfType(MeterBinder.class)).containsKey("rockpoolMeters");
      assertThat(context.getBean(MeterRegistry.class).getMeters())
          .extracting(each -> each.getId().getName())
          .isNotEmpty()
          .noneMatch(each -> each.startsWith("rockpool"));
    }
  }

  private static ConfigurableApplicationContext start(String... arguments) {
    return SpringApplication.run(Application.class, arguments);
  }
}
