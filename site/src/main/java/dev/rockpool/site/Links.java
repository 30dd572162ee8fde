package dev.rockpool.site;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** Checks links between the pages of a folder; those to other hosts are not followed. */
final class Links {
  private final Path folder;
  private final Map<Path, Set<String>> anchors = new HashMap<>();

  private Links(Path folder) {
    this.folder = folder;
  }

  /** Returns the links that lead to no file or no anchor, each with its page. */
  static List<String> broken(Path folder) throws IOException {
    return new Links(folder).find();
  }

  private List<String> find() throws IOException {
    Map<Path, Set<String>> links = new HashMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path page : files.filter(file -> file.toString().endsWith(".html")).toList()) {
        read(page, links);
      }
    }
    List<String> broken = new ArrayList<>();
    links.forEach(
        (page, targets) ->
            targets.stream()
                .filter(target -> !leadsSomewhere(page, target))
                .forEach(target -> broken.add(folder.relativize(page) + ": " + target)));
    return broken.stream().sorted().toList();
  }

  private void read(Path page, Map<Path, Set<String>> links) throws IOException {
    Document document = Jsoup.parse(page, "UTF-8");
    Set<String> here = new HashSet<>(document.select("[id]").eachAttr("id"));
    here.addAll(document.select("a[name]").eachAttr("name"));
    anchors.put(page, here);
    Set<String> targets = links.computeIfAbsent(page, any -> new TreeSet<>());
    targets.addAll(document.select("[href]").eachAttr("href"));
    targets.addAll(document.select("[src]").eachAttr("src"));
  }

  private boolean leadsSomewhere(Path page, String target) {
    if (URI.create(target).getScheme() != null) {
      return true;
    }
    int hash = target.indexOf('#');
    String path = decoded(hash < 0 ? target : target.substring(0, hash));
    Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
    if (!file.startsWith(folder) || !Files.isRegularFile(file)) {
      return false;
    }
    String anchor = hash < 0 ? "" : decoded(target.substring(hash + 1));
    Set<String> there = anchors.get(file);
    return anchor.isEmpty() || (there != null && there.contains(anchor));
  }

  private static String decoded(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
