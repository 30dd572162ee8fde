package dev.rockpool.micrometer;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/**
 * Lets Spring Boot bind {@link RockpoolMeters#ofJvm} to the registries of an application; with
 * property {@code management.rockpool.largest-sites=true} also {@link
 * RockpoolMeters#ofLargestSites}. Only Spring Boot uses this class.
 */
@AutoConfiguration
public final class RockpoolMetersAutoConfiguration {
  /** Makes the configuration. */
  public RockpoolMetersAutoConfiguration() {}

  @Bean
  MeterBinder rockpoolMeters() {
    return RockpoolMeters.ofJvm();
  }

  @Bean
  @ConditionalOnBooleanProperty("management.rockpool.largest-sites")
  MeterBinder rockpoolLargestSites() {
    return RockpoolMeters.ofLargestSites();
  }
}
