package dev.rockpool.site;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Static pages of README.md and of each file that its links lead to, in the same folders. Markdown
 * becomes {@code .html}, and source code a page; other files are copied. The Javadoc of core and
 * scan goes into {@code api}.
 */
public final class Site {
  private static final String HOME = "README.md";
  private static final List<String> DOCUMENTED = List.of("core", "scan");
  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer RENDERER =
      HtmlRenderer.builder().extensions(EXTENSIONS).build();

  private final Path root;
  private final Path out;
  private final Deque<Path> left = new ArrayDeque<>();
  private final Set<Path> known = new HashSet<>();

  private Site(Path root, Path out) {
    this.root = root.toAbsolutePath().normalize();
    this.out = out.toAbsolutePath().normalize();
  }

  /**
   * Makes the site, and ends with code 1 if a link of a page leads nowhere.
   *
   * @param args the project's folder, and the folder to write
   */
  public static void main(String[] args) throws IOException {
    List<String> broken = make(Path.of(args[0]), Path.of(args[1]));
    if (!broken.isEmpty()) {
      System.err.println("Links must lead to a file or an anchor:");
      broken.forEach(link -> System.err.println("  " + link));
      System.exit(1);
    }
    System.out.println("Site: " + Path.of(args[1]).resolve("index.html").normalize());
  }

  /** Makes the site. Returns the broken links, each with its page. */
  static List<String> make(Path root, Path out) throws IOException {
    Site site = new Site(root, out);
    clear(site.out);
    site.copyJavadoc();
    site.add(site.root.resolve(HOME));
    while (!site.left.isEmpty()) {
      site.write(site.left.remove());
    }
    return Links.broken(site.out);
  }

  private static void clear(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private void copyJavadoc() throws IOException {
    for (String module : DOCUMENTED) {
      Path from = root.resolve(module).resolve("target/apidocs");
      if (Files.isDirectory(from)) {
        try (Stream<Path> files = Files.walk(from)) {
          for (Path file : files.filter(Files::isRegularFile).toList()) {
            copy(file, out.resolve("api").resolve(module).resolve(from.relativize(file)));
          }
        }
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to);
  }

  private void add(Path file) {
    if (known.add(file)) {
      left.add(file);
    }
  }

  private void write(Path file) throws IOException {
    Path inside = root.relativize(file);
    Path to = out.resolve(inside).resolveSibling(pageName(inside));
    String name = inside.toString().replace('\\', '/');
    if (name.endsWith(".md")) {
      Node document = PARSER.parse(Files.readString(file));
      document.accept(new Rewriting(file));
      writePage(to, name, RENDERER.render(document));
    } else if (name.endsWith(".java")) {
      writePage(to, name, "<pre>" + escape(Files.readString(file)) + "</pre>");
    } else {
      copy(file, to);
    }
  }

  private void writePage(Path to, String name, String body) throws IOException {
    String up = "../".repeat(out.relativize(to).getNameCount() - 1);
    StringBuilder api = new StringBuilder();
    for (String module : DOCUMENTED) {
      if (Files.exists(out.resolve("api").resolve(module))) {
        api.append(" · <a href=\"%sapi/%s/index.html\">Javadoc: %2$s</a>".formatted(up, module));
      }
    }
    Files.createDirectories(to.getParent());
    Files.writeString(
        to,
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Rockpool: %s</title>
        <style>
        :root { color-scheme: light dark; }
        body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem; }
        pre, table { overflow-x: auto; display: block; }
        pre, code { font-size: 14px; background: #8882; }
        pre { padding: .5rem; }
        pre code { background: none; }
        th, td { border: 1px solid #8886; padding: .2rem .5rem; text-align: left; }
        table { border-collapse: collapse; }
        img { max-width: 100%%; }
        </style>
        </head>
        <body>
        <nav><a href="%sindex.html">Rockpool</a>%s</nav>
        <main>
        %s
        </main>
        </body>
        </html>
        """
            .formatted(escape(name), up, api, body));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** The name of the file that stands for {@code inside} in the site. */
  private static String pageName(Path inside) {
    String name = inside.getFileName().toString();
    if (inside.toString().equals(HOME)) {
      return "index.html";
    }
    return name.endsWith(".md")
        ? name.substring(0, name.length() - 2) + "html"
        : name.endsWith(".java") ? name + ".html" : name;
  }

  /** Leads links of a file to pages, and adds their files to the site. */
  private final class Rewriting extends AbstractVisitor {
    private final Path file;

    Rewriting(Path file) {
      this.file = file;
    }

    @Override
    public void visit(Link link) {
      link.setDestination(rewritten(link.getDestination()));
      visitChildren(link);
    }

    @Override
    public void visit(Image image) {
      image.setDestination(rewritten(image.getDestination()));
      visitChildren(image);
    }

    /** Leaves alone what leads nowhere, which {@link Links} finds. */
    private String rewritten(String destination) {
      URI uri = URI.create(destination);
      if (uri.getScheme() != null || uri.getPath().isEmpty()) {
        return destination;
      }
      Path target = file.resolveSibling(uri.getPath()).normalize();
      if (!target.startsWith(root) || !Files.isRegularFile(target)) {
        return destination;
      }
      add(target);
      String path = uri.getRawPath();
      String folder = path.substring(0, path.lastIndexOf('/') + 1);
      String fragment = uri.getRawFragment() == null ? "" : "#" + uri.getRawFragment();
      return folder + pageName(root.relativize(target)) + fragment;
    }
  }
}
