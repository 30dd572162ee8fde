package dev.rockpool.cli.page;

import static dev.rockpool.cli.page.Page.escape;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The words of a page and their meanings, for links to them.
 *
 * @param meanings by word, or by several words with commas between
 */
public record Glossary(Map<String, String> meanings) {
  /** An item of a list in Markdown such as {@code - **live, live bytes:** what is open now}. */
  private static final Pattern ITEM =
      Pattern.compile("(?m)^- \\*\\*([^*]+):\\*\\* (.*(?:\n {2}.*)*)");

  /** The words that a page in Markdown explains in its lists. */
  public static Glossary of(String markdown) {
    Map<String, String> meanings = new LinkedHashMap<>();
    Matcher item = ITEM.matcher(markdown);
    while (item.find()) {
      String withoutLinks = item.group(2).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
      meanings.put(item.group(1), withoutLinks.replaceAll("[`*]", "").replaceAll("\\s+", " "));
    }
    return new Glossary(meanings);
  }

  /** The word as HTML, which leads to its meaning if it has one; a colon may follow it. */
  String linked(String word) {
    String id = id(word.replaceFirst(":$", ""));
    boolean isKnown =
        meanings.keySet().stream().flatMap(Glossary::words).anyMatch(w -> id(w).equals(id));
    return isKnown ? "<a href=\"#%s\">%s</a>".formatted(id, escape(word)) : escape(word);
  }

  /** The words that are in a content that {@link #linked} has made, in their order here. */
  Glossary linkedIn(CharSequence content) {
    String text = content.toString();
    Map<String, String> linked = new LinkedHashMap<>();
    meanings.forEach(
        (word, meaning) -> {
          if (words(word).anyMatch(each -> text.contains("\"#" + id(each) + "\""))) {
            linked.put(word, meaning);
          }
        });
    return new Glossary(linked);
  }

  String html() {
    return meanings.entrySet().stream()
        .map(
            entry ->
                "<dt>%s</dt><dd>%s</dd>\n"
                    .formatted(
                        words(entry.getKey())
                            .map(
                                word ->
                                    "<span id=\"%s\">%s</span>".formatted(id(word), escape(word)))
                            .collect(Collectors.joining(", ")),
                        escape(entry.getValue())))
        .collect(Collectors.joining("", "<dl>\n", "</dl>\n"));
  }

  private static Stream<String> words(String key) {
    return Arrays.stream(key.split(", "));
  }

  private static String id(String word) {
    return "meaning-" + word.replaceAll("\\W+", "-");
  }
}
