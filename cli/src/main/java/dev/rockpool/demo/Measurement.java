package dev.rockpool.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.List;
import java.util.Optional;

/**
 * What one JVM found out, which it hands over as a line on standard output.
 *
 * @param nanosPerCall how long a call took
 * @param bytesPerCall how much garbage a call left on the Java heap (in bytes)
 * @param arenaClass the class of what {@code Arena.ofConfined()} gave
 * @param result what the call returned, in words
 */
public record Measurement(
    double nanosPerCall, double bytesPerCall, String arenaClass, String result) {
  private static final String MARK = "rockpool-demo";

  /** Words separated by spaces, in ASCII whatever the result is. */
  public String toLine() {
    return String.join(
        " ",
        MARK,
        Double.toString(nanosPerCall),
        Double.toString(bytesPerCall),
        URLEncoder.encode(arenaClass, UTF_8),
        URLEncoder.encode(result, UTF_8));
  }

  /** The measurement in what a JVM printed; empty if there is none. */
  public static Optional<Measurement> find(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(MARK + " "))
        .map(Measurement::parse)
        .findFirst();
  }

  private static Measurement parse(String line) {
    List<String> words = List.of(line.split(" ", -1));
    return new Measurement(
        Double.parseDouble(words.get(1)),
        Double.parseDouble(words.get(2)),
        URLDecoder.decode(words.get(3), UTF_8),
        URLDecoder.decode(words.get(4), UTF_8));
  }
}
