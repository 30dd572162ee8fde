package dev.rockpool.cli.scan.source;

import java.util.ArrayList;
import java.util.List;

/**
 * What was read of one jar or folder, and of the jars in it. For one thread, which fills it.
 *
 * <p>What can't be read is named, and the rest goes on.
 */
public final class Contents {
  /** No honest jar has jars in jars in jars, and on and on. */
  private static final int DEEPEST = 4;

  private final String name;
  private final int depth;
  private final List<ClassFile> foreign = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();
  private final List<Contents> nested = new ArrayList<>();
  private int classes;

  Contents(String name, int depth) {
    this.name = name;
    this.depth = depth;
  }

  static boolean isWanted(String entry) {
    return ClassFile.isNamedLikeOne(entry) || isArchive(entry);
  }

  static boolean isArchive(String entry) {
    return entry.endsWith(".jar") || entry.endsWith(".war") || entry.endsWith(".ear");
  }

  /** Takes a file that {@link #isWanted}. */
  void add(String entry, byte[] bytes) {
    if (isArchive(entry)) {
      if (depth == DEEPEST) {
        skip(entry, "a jar in a jar may be " + DEEPEST + " deep: it is deeper");
      } else {
        nested.add(NestedJar.read(name + "!/" + entry, bytes, depth + 1));
      }
      return;
    }
    classes++;
    if (!ClassFile.hasMagic(bytes)) {
      skip(entry, "a class file starts with CAFEBABE: it does not");
    } else if (ClassFile.isForeign(bytes, bytes.length)) {
      foreign.add(new ClassFile(entry, bytes));
    }
  }

  /** Counts a class file that was not read to its end, because it names no type that matters. */
  void addOther() {
    classes++;
  }

  void skip(String entry, String reason) {
    skipped.add(new Skipped(entry.isEmpty() ? name : name + "!/" + entry, reason));
  }

  /** Takes over what was read of another part of the same jar or folder. */
  void add(Contents part) {
    foreign.addAll(part.foreign);
    skipped.addAll(part.skipped);
    nested.addAll(part.nested);
    classes += part.classes;
  }

  /** A path; with "!/" and another one for each jar that it is in. */
  public String name() {
    return name;
  }

  /** Its class files that name a type of {@code java.lang.foreign}. */
  public List<ClassFile> foreign() {
    return foreign;
  }

  /** What was not read. */
  public List<Skipped> skipped() {
    return skipped;
  }

  /** The jars in it. */
  public List<Contents> nested() {
    return nested;
  }

  /** How many class files there are, of any kind. */
  public int classes() {
    return classes;
  }
}
