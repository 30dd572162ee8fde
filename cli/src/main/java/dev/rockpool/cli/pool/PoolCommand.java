package dev.rockpool.cli.pool;

import static dev.rockpool.cli.page.Table.printable;

import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.CommandFailure.Misuse;
import dev.rockpool.pool.PoolResult;
import dev.rockpool.pool.Pooler;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "pool",
    header = "Rewrite a jar, so that its arenas are pooled without the agent.",
    description = {
      "",
      "Redirects Arena.ofConfined() to the library, in a jar, a folder of classes or a class file;"
          + " jars in BOOT-INF/lib and WEB-INF/lib, too. All other contents stay. The program then"
          + " needs rockpool.jar on its class path; docs/build-time.md says more.",
      "",
    })
public final class PoolCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "PATH", description = "A jar, a folder or a class file.")
  private Path path = Path.of("");

  @ArgGroup(multiplicity = "1")
  private Place place = new Place();

  private static final class Place {
    @Option(
        names = {"-o", "--output"},
        paramLabel = "OUT",
        description = "The jar, folder or class file to write. A folder must not exist.")
    private @Nullable Path output;

    @Option(names = "--in-place", description = "Rewrite PATH itself.")
    private boolean inPlace;
  }

  @Option(
      names = "--drop-signatures",
      description = "Remove the signatures of signed jars, which are refused otherwise.")
  private boolean dropSignatures;

  @Option(
      names = "--include",
      paramLabel = "PATTERN",
      description =
          "Rewrite only classes whose names match: * for any characters, ? for one; may be"
              + " repeated.")
  private List<String> include = new ArrayList<>();

  @Option(
      names = "--exclude",
      paramLabel = "PATTERN",
      description = "Leave alone classes whose names match, even if included.")
  private List<String> exclude = new ArrayList<>();

  @Override
  public Integer call() {
    Pooler pooler;
    try {
      pooler = new Pooler(include, exclude, dropSignatures);
    } catch (IllegalArgumentException e) {
      throw new Misuse("--" + e.getMessage());
    }
    Path written = place.output == null ? path : place.output;
    PoolResult result;
    try {
      result = place.inPlace ? pooler.rewrite(path) : pooler.rewrite(path, written);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    } catch (AccessDeniedException e) {
      throw new CommandFailure(
          e.getFile() != null && Files.exists(Path.of(e.getFile()))
              ? "All files of the jar or folder must be readable: " + e.getFile()
              : "The result must be in a folder that is writable: " + written,
          e);
    } catch (IOException e) {
      throw new CommandFailure("Cannot rewrite " + path + ": " + e, e);
    }
    System.out.print(text(result, written));
    return 0;
  }

  private static String text(PoolResult result, Path written) {
    StringBuilder text = new StringBuilder(written + ": " + result.summary() + " rewritten\n");
    result.notes().forEach(note -> text.append("  ").append(printable(note)).append('\n'));
    result.skipped().forEach(each -> text.append("  ").append(printable(each)).append('\n'));
    if (result.classes() > 0 && !result.hasLibrary()) {
      text.append("It needs rockpool.jar on its class path, and Java 25 or newer.\n")
          .append("'java -jar' ignores -cp: name rockpool.jar in the manifest's Class-Path, or put")
          .append(" it into the jar's BOOT-INF/lib or WEB-INF/lib.\n");
    }
    return text.toString();
  }
}
