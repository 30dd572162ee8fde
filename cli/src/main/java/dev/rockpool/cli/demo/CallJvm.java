package dev.rockpool.cli.demo;

import dev.rockpool.cli.support.ChildProcess;
import dev.rockpool.cli.support.CommandFailure;
import dev.rockpool.cli.support.Installation;
import dev.rockpool.cli.support.ScratchFolder;
import dev.rockpool.cli.support.Side;
import dev.rockpool.demo.Call;
import dev.rockpool.demo.Measurement;
import dev.rockpool.demo.Program;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts the JVMs that measure: the Java of this process with its default settings. */
final class CallJvm {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final Path agentJar = Installation.agentJar();
  private final ScratchFolder folder;
  private final boolean quick;

  CallJvm(ScratchFolder folder, boolean quick) {
    this.folder = folder;
    this.quick = quick;
  }

  Measurement measure(Call call, Side side) {
    ProcessBuilder builder = new ProcessBuilder(commandLine(call, side));
    ChildProcess process =
        ChildProcess.run(builder, folder.path(), call.name(), LIMIT)
            .requireSuccess(call.function(), side);
    return Measurement.find(process.outLines())
        .orElseThrow(
            () ->
                new CommandFailure(
                    call.function()
                        + " gave no figures "
                        + side
                        + ".\n"
                        + process.errForMessage()));
  }

  private List<String> commandLine(Call call, Side side) {
    List<String> command = new ArrayList<>();
    command.add(Installation.java().toString());
    if (side == Side.WITH) {
      command.add("-javaagent:" + agentJar);
    }
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", Installation.ownClasses().toString()));
    command.addAll(List.of(Program.class.getName(), call.name(), quick ? "QUICK" : "FULL"));
    return command;
  }
}
