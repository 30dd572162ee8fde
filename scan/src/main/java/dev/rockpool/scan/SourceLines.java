package dev.rockpool.scan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.objectweb.asm.tree.ClassNode;

/**
 * The source lines behind line numbers of a class file. Kotlin gives numbers beyond the end of the
 * file to code that it inlined from another one, and tells the file and line in a {@code
 * SourceDebugExtension} (JSR 45).
 *
 * @param own the source file of the class
 * @param ranges of lines that are from elsewhere, or from the file itself
 */
record SourceLines(Line own, List<Range> ranges) {
  /** A file: its number and its name, and in the next line a class in it. */
  private static final Pattern FILE = Pattern.compile("\\+ (\\d+) (.+)\n(.+)");

  /** Lines: the first one in the file, the file, how many, and the first one in the class. */
  private static final Pattern RANGE =
      Pattern.compile("(\\d{1,9})#(\\d+)(?:,(\\d{1,9}))?:(\\d{1,9})");

  /**
   * A line of a source file.
   *
   * @param folder of the package, with a slash at the end unless it is empty
   * @param source the name of the file, if it is known
   * @param number -1 if it is not known
   */
  record Line(String folder, Optional<String> source, int number) {
    Line at(int number) {
      return new Line(folder, source, number);
    }
  }

  private record Range(int start, int count, Line first) {}

  static SourceLines of(ClassNode type) {
    Line own = new Line(folder(type.name), Optional.ofNullable(type.sourceFile), -1);
    List<Range> ranges = new ArrayList<>();
    if (type.sourceDebug != null) {
      // A second part tells where code was inlined.
      String origins = type.sourceDebug.split("\\*S KotlinDebug", 2)[0];
      Map<String, Line> files = new HashMap<>();
      for (Matcher file = FILE.matcher(origins); file.find(); ) {
        files.put(file.group(1), new Line(folder(file.group(3)), Optional.of(file.group(2)), -1));
      }
      for (Matcher range = RANGE.matcher(origins); range.find(); ) {
        int count = range.group(3) == null ? 1 : Integer.parseInt(range.group(3));
        Line file = files.getOrDefault(range.group(2), own);
        ranges.add(
            new Range(
                Integer.parseInt(range.group(4)),
                count,
                file.at(Integer.parseInt(range.group(1)))));
      }
    }
    return new SourceLines(own, ranges);
  }

  private static String folder(String path) {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }

  /** The line that people know, for a line number of the class file. */
  Line of(int number) {
    for (Range range : ranges) {
      if (number >= range.start && number - range.start < range.count) {
        return range.first.at(range.first.number + number - range.start);
      }
    }
    return own.at(number);
  }
}
