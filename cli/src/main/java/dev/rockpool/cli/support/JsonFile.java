package dev.rockpool.cli.support;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.file.Path;

/** A file for results as JSON. */
public record JsonFile(Path path) {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create();

  /** Fails if the file cannot be written: better known before a measurement than after it. */
  public void check() {
    file().check();
  }

  /** Writes {@code json} in place of what was there. */
  public void write(JsonElement json) {
    file().write(text(json));
  }

  /** The text of such a file, for a map, too. */
  public static String text(Object json) {
    return GSON.toJson(json) + "\n";
  }

  private OutputFile file() {
    return new OutputFile(path, "JSON");
  }

  /** A new object that begins with what the figures in it were measured with. */
  public static JsonObject measuredHere() {
    JsonObject json = new JsonObject();
    json.addProperty("rockpool", Installation.version());
    json.addProperty("jdk", Host.jdk());
    json.addProperty("os", Host.os());
    json.addProperty("cpu", Host.cpu());
    return json;
  }
}
