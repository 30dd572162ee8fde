package dev.rockpool.micrometer;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Lets Spring Boot bind {@link RockpoolMeters#ofJvm} to the registries of an application. Only
 * Spring Boot uses this class.
 */
@AutoConfiguration
public final class RockpoolMetersAutoConfiguration {
  /** Makes the configuration. */
  public RockpoolMetersAutoConfiguration() {}

  @Bean
  MeterBinder rockpoolMeters() {
    return RockpoolMeters.ofJvm();
  }
}
