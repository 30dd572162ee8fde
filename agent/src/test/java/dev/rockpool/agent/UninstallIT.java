package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent leaves a program that goes on. */
class UninstallIT {
  private static final String[] WAYS = {"call", "reference", "lambda", "loop"};

  @TempDir private Path directory;

  @BeforeEach
  void compile() {
    Sources.compileTo(directory, Programs.CONVERSATION);
  }

  @Test
  void theNextArenasAreTheJdks() throws Exception {
    try (ChildJvm.Running program = start()) {
      for (String way : WAYS) {
        assertThat(program.ask(way)).as(way).isEqualTo(POOLED);
      }

      Attachment.uninstall(program);

      for (String way : WAYS) {
        assertThat(program.ask(way)).as(way).isEqualTo(REGULAR);
      }
      program.end().quietOutput();
    }
  }

  @Test
  void classesLoadedAfterwardsKeepTheArenasOfTheJdk() throws Exception {
    try (ChildJvm.Running program = start()) {
      Attachment.uninstall(program);

      assertThat(program.ask("late")).isEqualTo(REGULAR);
      program.end().quietOutput();
    }
  }

  @Test
  void pooledArenasThatAreOpenWorkOnAndClose() throws Exception {
    try (ChildJvm.Running program = start()) {
      assertThat(program.ask("hold")).isEqualTo(POOLED);

      Attachment.uninstall(program);

      assertThat(program.ask("use held")).isEqualTo("kept 8 true");
      assertThat(program.ask("close held")).isEqualTo("Already closed");
      assertThat(program.ask("old reference")).isEqualTo(POOLED);
      program.end().quietOutput();
    }
  }

  /** The slab of an arena that was open in between comes back zeroed. */
  @Test
  void theAgentMayComeAgain() throws Exception {
    try (ChildJvm.Running program = start()) {
      program.ask("hold");
      Attachment.uninstall(program);
      program.ask("close held");
      assertThat(program.ask("call")).isEqualTo(REGULAR);

      Attachment.attach(program, "");

      assertThat(program.ask("call")).isEqualTo(POOLED);
      assertThat(program.ask("zero")).isEqualTo("-1");
      assertThat(program.ask("hold")).isEqualTo(POOLED);
      program.end().quietOutput();
    }
  }

  @Test
  void toUninstallTwiceDoesNothing() throws Exception {
    try (ChildJvm.Running program = start()) {
      Attachment.uninstall(program);
      Attachment.uninstall(program);

      assertThat(program.ask("call")).isEqualTo(REGULAR);
      program.end().quietOutput();
    }
  }

  /** What counts is what was rewritten, not what lies on the class path by now. */
  @Test
  void classFilesReplacedInTheMeantimeDoNotMatter() throws Exception {
    try (ChildJvm.Running program = start()) {
      assertThat(program.ask("call")).isEqualTo(POOLED);
      Files.write(directory.resolve("Main.class"), new byte[] {1, 2, 3});

      Attachment.uninstall(program);

      assertThat(program.ask("call")).isEqualTo(REGULAR);
      program.end().quietOutput();
    }
  }

  private ChildJvm.Running start() {
    ChildJvm.Running program =
        ChildJvm.withAgent().with(Attachment.ALLOW).classPath(directory).start("Main");
    assertThat(program.answer()).isEqualTo("ready");
    return program;
  }
}
