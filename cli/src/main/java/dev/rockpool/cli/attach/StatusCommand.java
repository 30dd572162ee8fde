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

/** {@code ./rockpool status}. */
@Command(
    name = "status",
    header = "Show what Rockpool does in a running JVM.",
    description = {
      "",
      "The agent's options, Rockpool's system properties, rewritten classes, skipped classes with"
          + " the reason, how arenas were served, and direct memory. Starts the JDK's local"
          + " management agent in process PID and changes nothing else.",
      "",
    })
public final class StatusCommand implements Runnable {
  private static final int NAMES_SHOWN = 10;

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
      Properties all = agent.jvm().properties();
      String options = all.getProperty(AgentInJvm.OPTIONS);
      try (Beans beans = Beans.of(agent.jvm())) {
        beans.await(Beans.POOL, options == null ? Beans.POOL : Beans.AGENT);
        Map<String, Object> shown = options == null ? null : beans.attributes(Beans.AGENT);
        if (shown != null) {
          shown.put("rewrittenNames", beans.invoke(Beans.AGENT, "rewrittenNames"));
          shown.put("skippedNames", beans.invoke(Beans.AGENT, "skippedNames"));
        }
        return new Status(
            agent.jvm().pid(),
            options,
            properties(all),
            all.getProperty(AgentInJvm.JDK_POOL),
            shown,
            beans.attributes(Beans.POOL),
            beans.directMemory());
      }
    }

    private static Map<String, String> properties(Properties all) {
      Map<String, String> ours = new TreeMap<>();
      for (String name : all.stringPropertyNames()) {
        if (name.startsWith("rockpool.")
            && !name.equals(AgentInJvm.OPTIONS)
            && !name.equals(AgentInJvm.JDK_POOL)) {
          ours.put(name, all.getProperty(name));
        }
      }
      return ours;
    }

    String text() {
      return agentText() + propertyText() + "\n" + poolText() + "\n" + directText();
    }

    private String propertyText() {
      StringBuilder text = new StringBuilder();
      properties.forEach(
          (name, value) -> {
            boolean isKnown = Arrays.stream(Setting.values()).anyMatch(s -> s.key().equals(name));
            String unknown = isKnown ? "" : " (unknown, and without effect)";
            text.append(name).append('=').append(value).append(unknown).append('\n');
          });
      return text.isEmpty() ? "" : "\nSystem properties:\n" + text.toString().indent(2);
    }

    private String agentText() {
      if (agentOptions == null) {
        return "The agent is not in process " + pid + ".\n";
      }
      StringBuilder text = new StringBuilder("Agent: " + agentOptions + "\n");
      if (agent == null) {
        return text.append(
                pool == null
                    ? "No class with calls to rewrite has been loaded.\n"
                    : "The agent has no MBean: it found no thread, or no heap, to register one.\n")
            .toString();
      }
      text.append("\nClasses rewritten: ").append(agent.get("rewrittenClasses")).append('\n');
      appendNames(text, agent.get("rewrittenNames"));
      map(agent, "skippedClasses")
          .forEach(
              (reason, count) -> {
                if (!count.equals(0)) {
                  text.append("Classes skipped, ").append(reason).append(": ").append(count);
                  appendNames(text.append('\n'), map(agent, "skippedNames").get(reason));
                }
              });
      return text.toString();
    }

    private static void appendNames(StringBuilder text, @Nullable Object names) {
      List<?> all = names instanceof List<?> list ? list : List.of();
      all.stream().limit(NAMES_SHOWN).forEach(name -> text.append("  ").append(name).append('\n'));
      if (all.size() > NAMES_SHOWN) {
        text.append("  and more; --json names all\n");
      }
    }

    private static Map<?, ?> map(Map<String, Object> bean, String name) {
      return bean.get(name) instanceof Map<?, ?> map ? map : Map.of();
    }

    private String poolText() {
      if (pool == null && agentOptions == null) {
        return "There is no pool in this process.\n";
      }
      if (pool == null && jdkPool != null) {
        return "Arenas are " + jdkPool + ".\n";
      }
      if (pool == null) {
        return "The pool has not been used. It starts after as many arenas as rockpool.start.after"
            + " says; those are the JDK's, and not counted. A method that was running when the"
            + " agent came keeps the JDK's arenas until it is called again.\n";
      }
      Table table = Table.of("closed arenas", "number", "share");
      addRow(table, "from kept blocks", pool, "fromKeptBlock");
      addRow(table, "from fresh blocks", pool, "fromFreshBlock");
      addRow(table, "by the JDK", pool, "byJdk");
      String check =
          number(pool, "overruns") + number(pool, "lateWrites") == 0
              ? ""
              : "Overruns: %s, late writes: %s\n"
                  .formatted(count(pool, "overruns"), count(pool, "lateWrites"));
      return """
      Pool: %s, %s blocks of %s bytes for a thread; threads with blocks: %s; bytes kept: %s
      %s
      %s\
      """
          .formatted(
              explained(pool),
              pool.get("blocksPerThread"),
              pool.get("blockByteSize"),
              count(pool, "threads"),
              count(pool, "bytesKept"),
              check,
              table.text());
    }

    /** The state, and the reason why arenas are the JDK's. */
    private static String explained(Map<String, Object> pool) {
      String state = String.valueOf(pool.get("state"));
      return state
          + switch (state) {
            case "OFF" -> " (the block size or the number of blocks is 0)";
            case "DENIED" -> " (native access is denied to Rockpool)";
            case "UNSUITED" -> " (the JDK's own arenas suit this JVM better)";
            default -> "";
          };
    }

    private static void addRow(Table table, String label, Map<String, Object> pool, String name) {
      long closed = number(pool, "arenasClosed");
      table.row(
          label,
          count(pool, name),
          closed == 0
              ? ""
              : String.format(Locale.ROOT, "%.1f %%", 100.0 * number(pool, name) / closed));
    }

    private String directText() {
      Table table = Table.of("direct memory", "buffers", "bytes handed out", "bytes used");
      for (Map<String, Object> each : directMemory) {
        table.row(
            String.valueOf(each.get("name")),
            count(each, "count"),
            count(each, "totalCapacity"),
            count(each, "memoryUsed"));
      }
      return table.text();
    }

    private static String count(Map<String, Object> bean, String name) {
      return String.format(Locale.ROOT, "%,d", number(bean, name));
    }
  }
}
