package dev.rockpool.examples.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.examples.ServerJvm;
import dev.rockpool.examples.webapp.LengthServlet;
import dev.rockpool.examples.webapp.OwnPoolServlet;
import dev.rockpool.testing.Jvm.Exit;
import dev.rockpool.testing.Jvm.Running;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application in Tomcat, deployed anew again and again, leaves nothing behind. */
class TomcatIT {
  private static final int DEPLOYMENTS = 10;
  private static final int REQUESTS = 50;
  private static final Path HOME = Path.of(System.getProperty("rockpool.home"));

  @TempDir private Path folder;

  /** As {@code catalina.sh} gives, for Tomcat's search for leaks. */
  private static final String[] OPENS = {
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED"
  };

  private enum Options {
    /** As in the unit, by {@code catalina.sh}. */
    UNIT,
    /** From the environment of the JVM. */
    TOOL,
    /** Without the agent. */
    NONE
  }

  @ParameterizedTest
  @CsvSource({
    "LengthServlet,  UNIT",
    "LengthServlet,  TOOL",
    "OwnPoolServlet, UNIT",
    "OwnPoolServlet, NONE"
  })
  void applicationsAreCollected(String servlet, Options options) throws Exception {
    writeApplication(servlet);
    try (Running server = start(options);
        HttpClient client = HttpClient.newHttpClient()) {
      URI address =
          URI.create("http://127.0.0.1:" + server.answer() + "/app/length?text=rock%20pool");
      List<String> threads = threads(server);
      for (int i = 0; i < DEPLOYMENTS; i++) {
        deployAndUse(server, client, address);
      }
      assertThat(server.ask("leaks")).isEqualTo("1 loaders []");
      assertThat(server.ask("undeploy")).isEqualTo("undeployed");
      assertThat(server.ask("leaks")).isEqualTo("0 loaders []");
      if (options != Options.NONE) {
        threads.add("rockpool-housekeeper");
      }
      awaitThreads(server, threads);
      Exit exit = server.end();
      assertThat(exit.code()).as(exit.toString()).isZero();
      assertThat(exit.errText())
          .as("Tomcat warns of threads and thread locals that an application leaves")
          .doesNotContain("SEVERE", "memory leak", "[rockpool]");
    }
  }

  private static List<String> threads(Running server) throws Exception {
    return new ArrayList<>(List.of(server.ask("threads").split(",")));
  }

  /** Waits for threads of Rockpool, which end a second or two after their last work. */
  private static void awaitThreads(Running server, List<String> expected) throws Exception {
    List<String> more = List.of();
    for (int i = 0; i < 600; i++) {
      more = threads(server);
      expected.forEach(more::remove);
      if (more.isEmpty()) {
        return;
      }
      Thread.sleep(100);
    }
    assertThat(more).isEmpty();
  }

  private static void deployAndUse(Running server, HttpClient client, URI address)
      throws Exception {
    assertThat(server.ask("deploy")).as(server.soFar()).isEqualTo("STARTED");
    HttpRequest request = HttpRequest.newBuilder(address).build();
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      answers.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
    }
    for (CompletableFuture<HttpResponse<String>> answer : answers) {
      assertThat(answer.get().statusCode()).as(answer.get().body()).isEqualTo(200);
      assertThat(answer.get().body()).isEqualTo("9");
    }
  }

  private Running start(Options options) throws Exception {
    String agent = "-javaagent:" + ServerJvm.AGENT + " --enable-native-access=ALL-UNNAMED";
    ServerJvm jvm = new ServerJvm().with(OPENS);
    switch (options) {
      case UNIT -> jvm.with(unitOptions().split(" "));
      case TOOL -> jvm.environment("JAVA_TOOL_OPTIONS", agent);
      case NONE -> jvm.with("--enable-native-access=ALL-UNNAMED");
    }
    return jvm.start(TomcatServer.class.getName(), folder.toString());
  }

  private static String unitOptions() throws Exception {
    return Files.readAllLines(HOME.resolve("examples/servers/tomcat.service")).stream()
        .filter(line -> line.startsWith("Environment=\"CATALINA_OPTS="))
        .map(line -> line.substring(line.indexOf('-'), line.length() - 1))
        .findAny()
        .orElseThrow()
        .replace("/opt/rockpool/rockpool-agent.jar", ServerJvm.AGENT);
  }

  private void writeApplication(String servlet) throws Exception {
    Path information = folder.resolve("application/WEB-INF");
    for (Class<?> type : List.of(LengthServlet.class, OwnPoolServlet.class)) {
      String name = type.getName().replace('.', '/') + ".class";
      Path file = information.resolve("classes").resolve(name);
      Files.createDirectories(file.getParent());
      Files.write(file, type.getResourceAsStream("/" + name).readAllBytes());
    }
    if (servlet.equals("OwnPoolServlet")) {
      Files.createDirectories(information.resolve("lib"));
      Files.copy(
          Path.of(System.getProperty("rockpool.jar")), information.resolve("lib/rockpool.jar"));
    }
    Files.writeString(
        information.resolve("web.xml"),
        """
        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1" metadata-complete="true">
          <servlet>
            <servlet-name>length</servlet-name>
            <servlet-class>dev.rockpool.examples.webapp.%s</servlet-class>
          </servlet>
          <servlet-mapping>
            <servlet-name>length</servlet-name>
            <url-pattern>/length</url-pattern>
          </servlet-mapping>
        </web-app>
        """
            .formatted(servlet));
  }
}
