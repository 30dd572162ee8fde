package dev.rockpool.cli.support;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Types of parameters that several commands take. */
public final class Converters {
  private Converters() {}

  /** The parameter PID, to mix in. */
  public static final class Target {
    @Parameters(
        index = "0",
        paramLabel = "PID",
        converter = Pid.class,
        description = "The process; 'jps -l' lists them.")
    private long pid;

    public RunningJvm jvm() {
      return new RunningJvm(pid);
    }
  }

  /** Says what PID must be in words of ours: picocli's would be "not a long". */
  public static final class Pid implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
      try {
        return Long.parseLong(value);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("must be the number of a process: '" + value + "'");
      }
    }
  }

  /** Durations as JDK Flight Recorder takes them: 500ms, 60s, 5m, 2h. */
  public static final class Time implements ITypeConverter<Duration> {
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
}
