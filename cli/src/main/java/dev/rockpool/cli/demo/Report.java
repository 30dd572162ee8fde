package dev.rockpool.cli.demo;

import com.google.gson.JsonObject;
import dev.rockpool.cli.support.JsonFile;
import dev.rockpool.cli.support.TextTable;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The outcome of comparisons: tables, what they mean, and the same as JSON. */
record Report(List<TextTable> tables, String explanation, JsonObject json) {
  String toText() {
    return tables.stream().map(TextTable::toString).collect(Collectors.joining("\n")) + explanation;
  }

  String toMarkdown() {
    return tables.stream()
            .map(table -> table.toMarkdown("---") + "\n")
            .collect(Collectors.joining())
        + explanation.stripLeading();
  }

  /** Prints the text, and writes the JSON where somebody wants it. */
  void hand(@Nullable JsonFile file) {
    System.out.print(toText());
    if (file != null) {
      file.write(json);
    }
  }
}
