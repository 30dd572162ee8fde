package dev.rockpool.cli.support;

import static java.util.stream.Collectors.joining;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file for results, which the user may not want.
 *
 * @param path null if not wanted: writing does nothing then
 */
public record OutputFile(@Nullable Path path) {
  private static final Pattern STEERING = Pattern.compile("[\\p{Cc}\\p{Cf}&&[^\n]]");

  /** Enum constants, also as keys, stand in small letters. */
  private static final Gson GSON =
      new GsonBuilder()
          .setPrettyPrinting()
          .disableHtmlEscaping()
          .serializeNulls()
          .enableComplexMapKeySerialization()
          .registerTypeHierarchyAdapter(
              Enum.class,
              (JsonSerializer<Enum<?>>)
                  (constant, _, _) -> new JsonPrimitive(constant.name().toLowerCase(Locale.ROOT)))
          .create();

  /**
   * Fails if the file can't be written, so that no work is lost.
   *
   * @param format of the content, as messages name it
   */
  public static OutputFile checked(@Nullable Path path, String format) {
    if (path != null) {
      Path folder = path.toAbsolutePath().getParent();
      Path mustBeWritable = Files.exists(path) ? path : folder;
      if (Files.isDirectory(path) || mustBeWritable == null || !Files.isWritable(mustBeWritable)) {
        throw new CommandFailure(
            "The file for %s must be in a folder that exists, and writable: it is %s%s"
                .formatted(format, path, Files.isDirectory(path) ? ", a folder" : ""));
      }
    }
    return new OutputFile(path);
  }

  /** Writes {@code content} in place of what was there. */
  public void write(String content) {
    if (path != null) {
      boolean isNew = Files.notExists(path);
      try {
        Files.writeString(path, content);
      } catch (IOException e) {
        if (isNew) {
          boolean _ = path.toFile().delete(); // the message to come names the file
        }
        throw new CommandFailure("Cannot write " + path + ": " + e.getMessage(), e);
      }
    }
  }

  /** Writes a map, a record or Gson's own elements. */
  public void writeJson(Object content) {
    write(json(content));
  }

  /** The text of a file of JSON, without control characters: also those that Gson leaves. */
  public static String json(Object content) {
    return STEERING.matcher(GSON.toJson(content)).replaceAll(OutputFile::escaped) + "\n";
  }

  private static String escaped(MatchResult match) {
    return match.group().chars().mapToObj("\\\\u%04x"::formatted).collect(joining());
  }
}
