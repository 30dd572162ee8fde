package dev.rockpool.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentRouteTest {
  private static final Path JAR = Path.of("my folder", "agent.jar");

  @Test
  void isTheFirstArgumentOfJava() {
    AgentRoute route = new AgentRoute(List.of("/opt/jdk/bin/java", "-cp", "x", "Main"), JAR);
    assertThat(route.with("").command())
        .containsExactly("/opt/jdk/bin/java", "-javaagent:" + JAR, "-cp", "x", "Main");
    assertThat(route.without().command()).isEqualTo(route.command());
    assertThat(route.with("").environment()).isEqualTo(System.getenv());
    assertThat(route.with("verbose").command()).contains("-javaagent:" + JAR + "=verbose");
    assertThat(route.explanation()).isEqualTo("the agent goes in as an argument of java");
  }

  @Test
  void isInTheEnvironmentOfAnythingElse() {
    AgentRoute route = new AgentRoute(List.of("./gradlew", "java"), JAR);
    assertThat(route.with("").command()).containsExactly("./gradlew", "java");
    assertThat(route.with("").environment().get("JDK_JAVA_OPTIONS"))
        .endsWith("\"-javaagent:" + JAR + "\"");
    assertThat(route.without().environment()).isEqualTo(System.getenv());
    assertThat(route.explanation())
        .isEqualTo(
            "./gradlew is not java: the agent goes in through the environment variable"
                + " JDK_JAVA_OPTIONS");
  }

  @Test
  void quotesAsTheLauncherReads() {
    assertThat(AgentRoute.quoted("C:\\a \"b\"'c'")).isEqualTo("\"C:\\a \"'\"'\"b\"'\"'\"'c'\"");
  }
}
