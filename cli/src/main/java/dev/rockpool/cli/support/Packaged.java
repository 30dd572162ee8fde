package dev.rockpool.cli.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts in the jar of the command line. */
public final class Packaged {
  private Packaged() {}

  /**
   * A file beside a class, or, with a leading slash, anywhere in the jar.
   *
   * @throws IllegalStateException if the jar lacks it
   */
  public static String text(Class<?> beside, String name) {
    try (InputStream stream = beside.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException(
            "The jar of the command line lacks " + name + ": " + Installation.ownClasses());
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
