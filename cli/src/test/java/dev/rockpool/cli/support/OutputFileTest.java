package dev.rockpool.cli.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
  @TempDir private Path folder;

  @Test
  void replacesWhatWasThere() throws IOException {
    Path path =
        Files.writeString(folder.resolve("a.json"), "something longer than the new text, by far");
    JsonObject json = new JsonObject();
    json.addProperty("text", "quote \" tab \t <é>");
    OutputFile.checked(path, "JSON").writeJson(json);
    assertThat(JsonParser.parseString(Files.readString(path))).isEqualTo(json);
    assertThat(path).content().contains("<é>").endsWith("}\n");
  }

  @Test
  void refusesBeforehandWhatCannotBeWritten() {
    for (Path path : new Path[] {folder, folder.resolve("no/such/a.json")}) {
      assertThatExceptionOfType(CommandFailure.class)
          .isThrownBy(() -> OutputFile.checked(path, "JSON"))
          .withMessage(
              "The file for JSON must be in a folder that exists, and writable: it is "
                  + path
                  + (path == folder ? ", a folder" : ""));
    }
  }

  @Test
  void writesNothingWhereNobodyWantsAFile() {
    OutputFile.checked(null, "JSON").write("text");
    assertThat(folder).isEmptyDirectory();
  }
}
