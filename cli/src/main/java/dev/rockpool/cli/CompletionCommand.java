package dev.rockpool.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./rockpool completion}. */
@Command(
    name = "completion",
    header = "Print a script that completes commands in bash and zsh.",
    description = {"", "For this shell: source <(./rockpool completion)", ""})
final class CompletionCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    if (spec != null) {
      System.out.print(AutoComplete.bash("rockpool", spec.root().commandLine()));
    }
    return 0;
  }
}
