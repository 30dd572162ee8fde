package dev.rockpool.cli.support;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file for results as JSON. */
public record JsonFile(Path path) {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create();

  /** Fails if the file cannot be written: better known before a measurement than after it. */
  public void check() {
    Path folder = path.toAbsolutePath().getParent();
    Path mustBeWritable = Files.exists(path) ? path : folder;
    if (Files.isDirectory(path) || mustBeWritable == null || !Files.isWritable(mustBeWritable)) {
      throw new CommandFailure(
          "The file for JSON must be in a folder that exists, and writable: it is " + path);
    }
  }

  /** Writes {@code json} in place of what was there. */
  public void write(JsonElement json) {
    try {
      Files.writeString(path, GSON.toJson(json) + "\n");
    } catch (IOException e) {
      throw new CommandFailure("Cannot write " + path + ": " + e.getMessage(), e);
    }
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
