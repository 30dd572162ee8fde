package dev.rockpool.agent;

import dev.rockpool.agent.AgentOptions.Glob;
import dev.rockpool.agent.AgentOptions.Option;
import dev.rockpool.agent.AgentReport.Skip;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A class file with uses of {@code Arena.ofConfined()}, for tools that rewrite classes before the
 * program runs. The rewrite is the agent's, except for its target: {@code
 * dev.rockpool.arena.Arenas}, which the program must have on its class path.
 */
public final class PooledClass {
  private static final String LIBRARY = "dev/rockpool/arena/Arenas";
  private static final RedirectedMethod METHOD = RedirectedMethod.OF_CONFINED;

  private final CallSites sites;
  private final @Nullable Skip skipped;

  private PooledClass(CallSites sites, @Nullable Skip skipped) {
    this.sites = sites;
    this.skipped = skipped;
  }

  /**
   * Patterns for names of classes, as in the agent's options of the same names.
   *
   * @param include patterns of which a class name must match one; empty for any
   * @param exclude patterns of which a class name must match none
   */
  public record Filter(List<String> include, List<String> exclude) {
    /**
     * Checks and copies the patterns.
     *
     * @throws IllegalArgumentException if a pattern could match no class name
     */
    public Filter {
      include = checked(Option.INCLUDE, include);
      exclude = checked(Option.EXCLUDE, exclude);
    }

    private static List<String> checked(Option option, List<String> patterns) {
      for (String pattern : patterns) {
        if (!Glob.isValid(pattern)) {
          throw new IllegalArgumentException(
              option.key() + " must be " + option.kind.accepted + ": \"" + pattern + "\"");
        }
      }
      return List.copyOf(patterns);
    }
  }

  /**
   * Looks for uses in a class file.
   *
   * @return the class; null if the class has no uses, or is the library's own
   * @throws IllegalArgumentException if the bytes may have uses and are no class file
   */
  public static @Nullable PooledClass of(byte[] classFile, Filter filter) {
    if (!METHOD.mayBeIn(classFile)) {
      return null;
    }
    CallSites sites = CallSites.in(classFile, EnumSet.of(METHOD));
    Skip skipped = sites.skipped.get(METHOD);
    if (skipped == null && sites.methods.isEmpty()) {
      return null;
    }
    try {
      String name = new ClassBytes(classFile).name();
      boolean covered = Glob.covers(filter.include(), filter.exclude(), name.replace('/', '.'));
      return CallSites.isOurs(name)
          ? null
          : new PooledClass(sites, covered ? skipped : Skip.EXCLUDED);
    } catch (IndexOutOfBoundsException damaged) {
      throw new IllegalArgumentException("it has no name", damaged);
    }
  }

  /** Returns the reason not to rewrite the class, or null. */
  public @Nullable String skipped() {
    return skipped == null ? null : skipped.text;
  }

  /** Returns the rewritten class file of a class that is not skipped. */
  public byte[] bytes() {
    return sites.redirectedTo(Map.of(METHOD, LIBRARY));
  }

  /** Returns the number of calls and method references; 0 if they can't be counted. */
  public int callSites() {
    return Math.max(0, sites.count(METHOD));
  }
}
