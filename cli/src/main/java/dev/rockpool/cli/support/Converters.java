package dev.rockpool.cli.support;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
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
        arity = "0..1",
        paramLabel = "PID",
        converter = Pid.class,
        description = "The process; without PID, you choose from a list.")
    private @Nullable Long pid;

    public RunningJvm jvm() {
      return pid == null ? RunningJvm.choose() : new RunningJvm(pid);
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

  /** Durations such as 500ms, 60s, 5m, 2h. */
  public static final class Time implements ITypeConverter<Duration> {
    private static final Duration MOST = Duration.ofDays(10_000);

    @Override
    public Duration convert(String value) {
      try {
        Duration time =
            value.endsWith("ms")
                ? Duration.ofMillis(Long.parseLong(value.substring(0, value.length() - 2)))
                : Duration.parse("PT" + value);
        if (time.isPositive() && time.compareTo(MOST) <= 0) {
          return time;
        }
      } catch (NumberFormatException | DateTimeParseException e) {
        // The message says what it must be.
      }
      throw new TypeConversionException(
          "must be a number above 0 with its unit ms, s, m or h, such as 60s: '" + value + "'");
    }
  }
}
