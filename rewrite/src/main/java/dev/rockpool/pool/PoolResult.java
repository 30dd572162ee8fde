package dev.rockpool.pool;

import java.util.List;

/**
 * The places that were rewritten, and those that were not. It never changes, so any thread may use
 * it.
 *
 * @param classes number of rewritten classes; a class of several releases counts several times
 * @param callSites number of redirected calls and method references
 * @param notes other changes
 * @param skipped classes and jars with call sites, or unreadable ones, that stay as they are
 * @param hasLibrary whether the library is in the jar or the folder, too
 * @since 0.1.0
 */
public record PoolResult(
    int classes, int callSites, List<String> notes, List<Skipped> skipped, boolean hasLibrary) {
  /** Copies the lists, so that the result never changes. */
  public PoolResult {
    notes = List.copyOf(notes);
    skipped = List.copyOf(skipped);
  }

  /**
   * A class or a jar that stays as it is.
   *
   * @param name the path in the jar or the folder; with "!/" and another one in a jar within
   * @param reason why
   */
  public record Skipped(String name, String reason) {
    @Override
    public String toString() {
      return name + ": not rewritten, " + reason;
    }
  }

  /**
   * Says how much was rewritten.
   *
   * @return for example "2 call sites in 1 class"
   */
  public String summary() {
    return counted(callSites, "call site", "call sites")
        + " in "
        + counted(classes, "class", "classes");
  }

  private static String counted(int count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }
}
