package dev.rockpool.cli.support;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as JDK Flight Recorder takes them: 500ms, 60s, 5m, 2h. */
public final class DurationConverter implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  @Override
  public Duration convert(String value) {
    Matcher form = FORM.matcher(value);
    long number = form.matches() ? Long.parseLong(form.group(1)) : 0;
    if (number == 0) {
      throw new TypeConversionException(
          "must be a number above 0 with its unit ms, s, m or h, such as 60s: '" + value + "'");
    }
    return switch (form.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }
}
