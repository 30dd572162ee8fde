package dev.rockpool.cli.scan;

import dev.rockpool.scan.Condition;
import java.util.Arrays;
import java.util.ListResourceBundle;
import java.util.stream.Collectors;

/** Text of the help about {@code --fail-on}, from the table of conditions. Picocli loads it. */
public final class ConditionHelp extends ListResourceBundle {
  static final String KEY = "fail-on";

  @Override
  protected Object[][] getContents() {
    String conditions =
        Arrays.stream(Condition.values())
            .map(condition -> "%n" + condition.label() + ": " + condition.description())
            .collect(Collectors.joining());
    return new Object[][] {{KEY, "Exit with code 3 if a place meets a condition:" + conditions}};
  }
}
