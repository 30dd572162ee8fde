package dev.rockpool.examples.tomcat;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;
import java.util.stream.Collectors;
import org.apache.catalina.Context;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.Tomcat;

/**
 * A Tomcat in a JVM of its own. Commands on standard input: {@code deploy} an application in place
 * of the former one; {@code leaks} after a collection; {@code threads} by name, those that serve
 * requests apart.
 */
final class TomcatServer {
  private final Tomcat tomcat = new Tomcat();
  private final Path application;
  private final List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
  private Context context;

  private TomcatServer(Path folder) throws Exception {
    application = folder.resolve("application");
    tomcat.setBaseDir(folder.toString());
    tomcat.getHost();
    tomcat.setPort(0);
    tomcat.setAddDefaultWebXmlToWebapp(false); // Names a servlet for JSP, which is not here.
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.start();
  }

  public static void main(String[] args) throws Exception {
    TomcatServer server = new TomcatServer(Path.of(args[0]));
    System.out.println(server.tomcat.getConnector().getLocalPort());
    try (Scanner lines = new Scanner(System.in)) {
      while (lines.hasNextLine()) {
        System.out.println(server.run(lines.nextLine()));
      }
    }
    server.tomcat.stop();
    server.tomcat.destroy();
  }

  private String run(String command) throws Exception {
    return switch (command) {
      case "deploy" -> deploy();
      case "undeploy" -> undeploy();
      case "leaks" -> leaks();
      case "threads" -> threads();
      default -> throw new IllegalArgumentException(command);
    };
  }

  private String deploy() {
    undeploy();
    context = tomcat.addWebapp("/app", application.toString());
    loaders.add(new WeakReference<>(context.getLoader().getClassLoader()));
    return context.getState().toString();
  }

  private String undeploy() {
    if (context != null) {
      tomcat.getHost().removeChild(context);
      context = null;
    }
    return "undeployed";
  }

  /** Loaders that are left of dropped applications, and what Tomcat's own search finds. */
  private String leaks() throws InterruptedException {
    String found = "";
    for (int i = 0; i < 150; i++) {
      String[] contexts = ((StandardHost) tomcat.getHost()).findReloadedContextMemoryLeaks();
      long left = loaders.stream().filter(loader -> !loader.refersTo(null)).count();
      found = left + " loaders " + Arrays.toString(contexts);
      if (left == (context == null ? 0 : 1) && contexts.length == 0) {
        return found;
      }
      Thread.sleep(200);
    }
    return found;
  }

  private static String threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> !name.contains("-exec-"))
        .sorted()
        .collect(Collectors.joining(","));
  }
}
