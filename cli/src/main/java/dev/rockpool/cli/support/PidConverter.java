package dev.rockpool.cli.support;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Says what PID must be in words of ours: picocli's would be "not a long". */
public final class PidConverter implements ITypeConverter<Long> {
  @Override
  public Long convert(String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("must be the number of a process: '" + value + "'");
    }
  }
}
