package dev.rockpool.cli.attach;

import static dev.rockpool.cli.attach.Beans.number;

import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.support.Converters.Target;
import dev.rockpool.cli.support.OutputFile;
import dev.rockpool.internal.Setting;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "status",
    header = "Show what Rockpool does in a running JVM.",
    description = {
      "",
      "The agent's options, Rockpool's system properties, rewritten classes, skipped classes with"
          + " the reason, what holds memory with options limit and count, how arenas were served,"
          + " and direct memory. Starts the JDK's local management agent in process PID, and"
          + " changes nothing else.",
      "",
    })
public final class StatusCommand implements Runnable {
  private static final int NAMES_SHOWN = 10;

  private static final int SITES = 10;

  @Mixin private Target target = new Target();

  @Option(names = "--json", description = "Print JSON, with the names of all classes.")
  private boolean json;

  @Override
  public void run() {
    Status status = Status.of(new AgentInJvm(target.jvm()));
    System.out.print(json ? OutputFile.json(status) : status.text());
  }

  /**
   * The state of Rockpool in a running JVM: its MBeans.
   *
   * @param agentOptions null if the agent is not there
   * @param properties Rockpool's system properties as the user set them
   * @param jdkPool how large the JDK's own pool is, in words; null if arenas are not left to it
   * @param agent with names of classes; null if no class had call sites yet
   * @param pool null if the pool was not used yet
   */
  record Status(
      long pid,
      @Nullable String agentOptions,
      Map<String, String> properties,
      @Nullable String jdkPool,
      @Nullable Map<String, Object> agent,
      @Nullable Map<String, Object> pool,
      List<Map<String, Object>> directMemory) {
    static Status of(AgentInJvm agent) {
      Map<String, String> ours = new TreeMap<>();
      Properties all = agent.jvm().properties();
      all.stringPropertyNames().stream()
          .filter(name -> name.startsWith("rockpool."))
          .forEach(name -> ours.put(name, all.getProperty(name)));
      String options = ours.remove(AgentInJvm.OPTIONS);
      String jdkPool = ours.remove(AgentInJvm.JDK_POOL);
      try (Beans beans = new Beans(agent.jvm())) {
        beans.await(Beans.POOL, options == null ? Beans.POOL : Beans.AGENT);
        Map<String, Object> shown = options == null ? null : beans.attributes(Beans.AGENT);
        if (shown != null) {
          for (String operation : List.of("rewrittenNames", "skippedNames")) {
            shown.put(operation, beans.invoke(Beans.AGENT, operation));
          }
          shown.put("largestSites", beans.largestSites(shown, SITES));
          shown.put("openOwners", beans.openOwners(shown, SITES));
        }
        Map<String, Object> pool = beans.attributes(Beans.POOL);
        return new Status(
            agent.jvm().pid(), options, ours, jdkPool, shown, pool, beans.directMemory());
      }
    }

    String text() {
      String limit = Beans.limit(agent);
      return agentText()
          + propertyText()
          + "\n"
          + (limit.isEmpty() ? "" : limit + sitesText() + "\n")
          + watchText()
          + poolText()
          + "\n"
          + directText();
    }

    private String propertyText() {
      StringBuilder text = new StringBuilder(properties.isEmpty() ? "" : "\nSystem properties:\n");
      properties.forEach(
          (name, value) -> {
            boolean isKnown = Arrays.stream(Setting.values()).anyMatch(s -> s.key().equals(name));
            String unknown = isKnown ? "" : " (unknown, and without effect)";
            text.append("  ")
                .append(Table.printable(name + "=" + value))
                .append(unknown)
                .append('\n');
          });
      return text.toString();
    }

    private String agentText() {
      if (agentOptions == null) {
        return "The agent is not in process " + pid + ".\n";
      }
      StringBuilder text = new StringBuilder("Agent: " + Table.printable(agentOptions) + "\n");
      if (agent == null) {
        return text
            + (pool == null
                ? "No rewritten class is known yet: none with calls to rewrite has been loaded, or"
                    + " the agent is about to show them.\n"
                : "The agent has no MBean: it found no thread, or no heap, to register one.\n");
      }
      text.append("\nClasses rewritten: ").append(agent.get("rewrittenClasses")).append('\n');
      appendNames(text, agent.get("rewrittenNames"));
      map("skippedClasses")
          .forEach(
              (reason, count) -> {
                if (!count.equals(0)) {
                  text.append("Classes skipped, ").append(reason).append(": ").append(count);
                  appendNames(text.append('\n'), map("skippedNames").get(reason));
                }
              });
      return text.toString();
    }

    private Map<?, ?> map(String name) {
      return agent != null && agent.get(name) instanceof Map<?, ?> map ? map : Map.of();
    }

    private static void appendNames(StringBuilder text, @Nullable Object names) {
      List<?> all = names instanceof List<?> list ? list : List.of();
      all.stream().limit(NAMES_SHOWN).forEach(name -> text.append("  ").append(name).append('\n'));
      if (all.size() > NAMES_SHOWN) {
        text.append("  and more; --json names all\n");
      }
    }

    private String sitesText() {
      return figures("Most is held by:", "largestSites")
          + figures("Open objects that own C memory:", "openOwners");
    }

    private String watchText() {
      if (agent == null) {
        return "";
      }
      long bound = number(agent, "processBound");
      String evidence = String.valueOf(agent.getOrDefault("evidence", ""));
      return (bound == 0
              ? ""
              : "Bound of the process: %,d bytes; %,d are resident, with files\n"
                  .formatted(bound, number(agent, "resident")))
          + (evidence.isEmpty() ? "" : "Evidence goes to " + Table.printable(evidence) + "\n");
    }

    private String figures(String title, String name) {
      StringBuilder text = new StringBuilder(map(name).isEmpty() ? "" : "\n" + title + "\n");
      map(name)
          .forEach(
              (site, figure) ->
                  text.append(String.format(Locale.ROOT, "  %,15d  %s\n", (Long) figure, site)));
      return text.toString();
    }

    private String poolText() {
      if (pool == null) {
        return agentOptions == null
            ? "There is no pool in this process.\n"
            : jdkPool != null
                ? "Arenas are " + Table.printable(jdkPool) + ".\n"
                : AgentInJvm.has(agentOptions, "arenas=off")
                    ? "arenas=off: arenas are the JDK's.\n"
                    : "The pool has not been used. It starts after as many arenas as"
                        + " rockpool.start.after says; those are the JDK's, and not counted. A"
                        + " method that was running when the agent came keeps the JDK's arenas"
                        + " until it is called again.\n";
      }
      String found =
          number(pool, "overruns") == 0 && number(pool, "lateWrites") == 0
              ? ""
              : "Overruns: %s, late writes: %s\n"
                  .formatted(count(pool, "overruns"), count(pool, "lateWrites"));
      if ("CHECKED".equals(pool.get("state"))) {
        return "Pool: CHECKED. Arenas are checked, which keeps no blocks, and not counted.\n"
            + found;
      }
      String reason =
          switch (String.valueOf(pool.get("state"))) {
            case "OFF" -> " (the block size or the number of blocks is 0)";
            case "DENIED" -> " (native access is denied to Rockpool)";
            case "UNSUITED" -> " (the JDK's own arenas suit this JVM better)";
            default -> "";
          };
      return "Pool: %s%s, %s blocks of %s bytes for a thread; threads with blocks: %s; bytes kept: %s\n"
              .formatted(
                  pool.get("state"),
                  reason,
                  pool.get("blocksPerThread"),
                  pool.get("blockByteSize"),
                  count(pool, "threads"),
                  count(pool, "bytesKept"))
          + found
          + "\n"
          + Table.each(
                  List.of(
                      new Count("arenas closed", number(pool, "arenasClosed"), ""),
                      new Count(
                          "blocks allocated",
                          number(pool, "blocksAllocated"),
                          blocksPerArena(pool)),
                      new Count("allocations by the JDK", number(pool, "allocationsByJdk"), "")))
              .column("since the start", Count::what)
              .column("number", Count::number)
              .column("share", Count::share)
              .numbers("")
              .text();
    }

    private record Count(String what, long number, String share) {}

    /** The other counts have no share, because none is a part of another. */
    private static String blocksPerArena(Map<String, Object> pool) {
      long closed = number(pool, "arenasClosed");
      double share = 100.0 * number(pool, "blocksAllocated") / closed;
      return closed == 0 ? "" : String.format(Locale.ROOT, "%.1f %% of arenas", share);
    }

    private String directText() {
      return Table.each(directMemory)
          .column("direct memory", each -> String.valueOf(each.get("name")))
          .column("buffers", each -> number(each, "count"))
          .column("bytes handed out", each -> number(each, "totalCapacity"))
          .column("bytes used", each -> number(each, "memoryUsed"))
          .numbers("")
          .text();
    }

    private static String count(Map<String, Object> bean, String name) {
      return String.format(Locale.ROOT, "%,d", number(bean, name));
    }
  }
}
