package dev.rockpool.cli.attach;

import dev.rockpool.cli.support.TextTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of Rockpool in a running JVM.
 *
 * @param pid its process id
 * @param agentOptions the agent's options; null if the agent is not there
 * @param agent the agent's MBean, with names of classes; null if no class had call sites yet
 * @param pool the shared pool's MBean; null if the pool was not used yet
 * @param directMemory the MBeans of direct memory
 */
record Status(
    long pid,
    @Nullable String agentOptions,
    @Nullable Map<String, Object> agent,
    @Nullable Map<String, Object> pool,
    List<Map<String, Object>> directMemory) {
  private static final int NAMES_SHOWN = 10;

  static Status of(AgentInJvm agent) {
    String options = agent.options();
    try (Beans beans = Beans.of(agent.jvm())) {
      if (options == null) {
        beans.await(Beans.POOL);
      } else {
        beans.await(Beans.POOL, Beans.AGENT);
      }
      Map<String, Object> shown = options == null ? null : beans.attributes(Beans.AGENT);
      if (shown != null) {
        shown.put("rewrittenNames", beans.invoke(Beans.AGENT, "rewrittenNames"));
        shown.put("skippedNames", beans.invoke(Beans.AGENT, "skippedNames"));
      }
      return new Status(
          agent.jvm().pid(), options, shown, beans.attributes(Beans.POOL), beans.directMemory());
    }
  }

  Map<String, @Nullable Object> toJson() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("pid", pid);
    json.put("agentOptions", agentOptions);
    json.put("agent", agent);
    json.put("pool", pool);
    json.put("directMemory", directMemory);
    return json;
  }

  String text() {
    return agentText() + "\n" + poolText() + "\n" + directText();
  }

  private String agentText() {
    if (agentOptions == null) {
      return "The agent is not in process " + pid + ".\n";
    }
    StringBuilder text = new StringBuilder("Agent: " + agentOptions + "\n");
    if (agent == null) {
      return text.append("No class with calls to rewrite has been loaded.\n").toString();
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
    if (pool == null) {
      return "The pool has not been used.\n";
    }
    long closed = number(pool, "arenasClosed");
    TextTable table = new TextTable("closed arenas", "number", "share");
    table.row(
        "served from the pool", count(pool, "servedFromSlab"), share("servedFromSlab", closed));
    table.row("too large", count(pool, "tooLarge"), share("tooLarge", closed));
    table.row("no slab left", count(pool, "noneLeft"), share("noneLeft", closed));
    String check =
        number(pool, "overruns") + number(pool, "lateWrites") == 0
            ? ""
            : "Overruns: "
                + count(pool, "overruns")
                + ", late writes: "
                + count(pool, "lateWrites")
                + "\n";
    return "Pool: "
        + pool.get("state")
        + ", "
        + pool.get("slabsPerThread")
        + " slabs of "
        + pool.get("slabByteSize")
        + " bytes for a thread; threads with slabs: "
        + count(pool, "threads")
        + "; bytes held: "
        + count(pool, "bytesHeld")
        + "\n"
        + check
        + "\n"
        + table;
  }

  private String share(String name, long closed) {
    return pool == null || closed == 0
        ? ""
        : String.format(Locale.ROOT, "%.1f %%", 100.0 * number(pool, name) / closed);
  }

  private String directText() {
    TextTable table = new TextTable("direct memory", "buffers", "bytes handed out", "bytes used");
    for (Map<String, Object> each : directMemory) {
      table.row(
          String.valueOf(each.get("name")),
          count(each, "count"),
          count(each, "totalCapacity"),
          count(each, "memoryUsed"));
    }
    return table.toString();
  }

  private static long number(Map<String, Object> bean, String name) {
    return bean.get(name) instanceof Number number ? number.longValue() : 0;
  }

  private static String count(Map<String, Object> bean, String name) {
    return String.format(Locale.ROOT, "%,d", number(bean, name));
  }
}
