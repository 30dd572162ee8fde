package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Classes of the JDK that open arenas themselves. */
@Tag("jdk")
class JdkClassesIT {
  @Test
  void classesOfTheJdkInOtherLoadersAreLeftAlone() {
    String program =
        """
        static void main(String[] args) throws Exception {
          for (String name : args) {
            Class<?> jdks = Class.forName(name, false, ClassLoader.getSystemClassLoader());
            System.out.println(jdks.getModule() + " " + (jdks.getClassLoader() != null));
          }
        }
        """;
    List<String> withArenas =
        List.of(
            "jdk.internal.org.jline.terminal.impl.ffm.WindowsAnsiWriter",
            "jdk.internal.org.jline.terminal.impl.ffm.Kernel32");

    ChildJvm.Exit exit =
        ChildJvm.withAgent("verbose")
            .with("--add-modules=jdk.internal.le")
            .program(program)
            .run("Main", withArenas.get(0), withArenas.get(1));

    assertThat(exit.output())
        .containsExactly("module jdk.internal.le true", "module jdk.internal.le true");
    assertThat(exit.err()).filteredOn(line -> line.contains("rewritten")).isEmpty();
  }
}
