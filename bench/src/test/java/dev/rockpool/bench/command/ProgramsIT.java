package dev.rockpool.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.bench.command.Programs.Program;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs as users have them measured, but few of them. */
class ProgramsIT {
  @TempDir private Path folder;

  private void run(String name, List<Program> programs) throws Exception {
    new Programs(Path.of(System.getProperty("java.home")), 2, folder).run(name, programs);
  }

  @Test
  void programsAreMeasuredInEachKindOfJvm() throws Exception {
    List<String> chosen = List.of("no arena", "binding, 1,000 calls", "binding, 3,000 calls");
    run("start", Program.ofStart().stream().filter(p -> chosen.contains(p.label())).toList());

    assertThat(folder.resolve("start.txt"))
        .content()
        .containsPattern("no arena +plain +[0-9.]+ s\n")
        .containsPattern("no arena +Rockpool +[0-9.]+ s +[+-][0-9.]+ s")
        .containsPattern("binding, 3,000 calls +empty agent +[0-9.]+ s\n");
    assertThat(ReportTest.polylines(folder.resolve("start.svg"))).isEqualTo(6);
  }

  @Test
  void serversSayHowTheyServe() throws Exception {
    run("load", List.of(new Program("a few", "Server", List.of("waiting", "40", "1", "10"), 0)));

    for (String variant : new String[] {"plain", "empty agent", "Rockpool"}) {
      assertThat(folder.resolve("load.txt"))
          .content()
          .containsPattern("a few +" + variant + " +[0-9.]+ s( +[0-9.,]+){5}");
    }
    assertThat(folder.resolve("load.svg")).doesNotExist();
  }
}
