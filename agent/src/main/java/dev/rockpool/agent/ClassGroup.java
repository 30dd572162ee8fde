package dev.rockpool.agent;

import java.util.List;
import java.util.Locale;

/**
 * The classes that go into java.base, in groups: each is defined at once, as late as possible, and
 * after all groups before it. So a program pays for what it uses.
 *
 * <p>The build puts each group into a file of the agent's jar. A group has its roots and all that
 * they name, without earlier groups, the roots of later ones, and classes nested in those. So where
 * a class names one that comes later, the latter is a root.
 */
public enum ClassGroup {
  /** An install without options, and the search for call sites. */
  AGENT("Agent"),

  /** The rewriting: with the first class that has call sites, or first method of the JDK. */
  REWRITE(
      "CallSites",
      "ClassBytes",
      "JdkClasses",
      "AgentMonitor",
      "Resident",
      "Constants",
      "LibraryInJavaBase$Definition"),

  /** The methods that the first rewritten classes call. */
  START("Start", "Start$Preparation"),

  /** The pool, when the count of arenas starts it. */
  ARENAS("BlockPool", "Internals", "Lifetime"),

  /** Rockpool's direct buffers: option direct. */
  DIRECT("Buffers", "Buffers$Reserved", "Cleaner"),

  /** Counts, limits, recordings, and the watch of the process. */
  RECORD(
      "ArenaRecorder",
      "SiteTargets",
      "OwnerRules",
      "OwnerClass",
      "Watch",
      "CountLog",
      "Limit",
      "Limit$Control",
      "Allocations",
      "Holding",
      "HoldingArena",
      "RecordedArena",
      "LinkedAllocators",
      "Unsafe",
      "Owners");

  @SuppressWarnings("ImmutableEnumChecker") // as List.of makes them
  private final List<String> roots;

  ClassGroup(String... roots) {
    this.roots = List.of(roots);
  }

  /** Returns the roots, without package and prefix. */
  public List<String> roots() {
    return roots;
  }

  /** Returns the name of the group's file, without its suffix. */
  public String file() {
    return name().toLowerCase(Locale.ROOT);
  }
}
