package dev.rockpool.scan;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A place in the code that creates arenas, and what becomes of them in the method around it. It
 * never changes, so any thread may use it.
 *
 * @param place where it is
 * @param kind the kind of the arenas
 * @param closing how they are closed
 * @param escapes how they leave the method while they are open, in the order of the constants
 * @param nested whether another one, confined or shared, of the same method may be open
 * @param inLoop whether control may come back to the place within the method
 * @param requests the calls that ask for memory, in the order of the code
 * @param bytes how much is asked for at most, on any path, if all of that is in sight: known sizes,
 *     none of them repeated, and no other code that could ask for more
 * @since 0.1.0
 */
public record Finding(
    Place place,
    ArenaKind kind,
    Closing closing,
    Set<Escape> escapes,
    boolean nested,
    boolean inLoop,
    List<Request> requests,
    OptionalLong bytes) {
  /** Copies the collections, so that the finding never changes. */
  public Finding {
    Set<Escape> inOrder = EnumSet.noneOf(Escape.class);
    inOrder.addAll(escapes);
    escapes = Collections.unmodifiableSet(inOrder);
    requests = List.copyOf(requests);
  }

  /**
   * A place in the code.
   *
   * @param entry the path of the class file in its artifact, with slashes
   * @param release the first release of Java that uses it, in a jar for several; 0 if all do
   * @param type the class, as in Java: {@code com.acme.Point$Builder}
   * @param method its name
   * @param folder the folder of the source file, that of its package: empty, or with a slash at the
   *     end
   * @param source the name of the source file, if the class tells; for code that Kotlin inlined,
   *     that of the file that it is from
   * @param line the line in it, or -1 if the class does not tell
   */
  public record Place(
      String entry,
      int release,
      String type,
      String method,
      String folder,
      Optional<String> source,
      int line) {
    /** The place as in a stack trace, {@code com.acme.Point.make(Point.java:12)}. */
    @Override
    public String toString() {
      String lineNumber = line < 0 ? "" : ":" + line;
      return type + "." + method + "(" + source.orElse("Unknown Source") + lineNumber + ")";
    }
  }

  /**
   * A call that asks an arena for memory, or leads to one that does.
   *
   * @param bytes how much, if the code tells
   * @param repeated whether it is in a loop that the creation of the arena is not in
   * @param line the line in the source file of the place, or -1 if it is in another one, or the
   *     class does not tell
   */
  public record Request(OptionalLong bytes, boolean repeated, int line) {}

  /** The kinds of arenas, by the method that hands them out. */
  public enum ArenaKind {
    /** {@code Arena.ofConfined()}. */
    CONFINED,
    /** {@code Arena.ofShared()}. */
    SHARED,
    /** {@code Arena.ofAuto()}. */
    AUTO,
    /** {@code Arena.global()}. */
    GLOBAL;

    /** {@return the kind in a word, such as "confined"} */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean mustBeClosed() {
      return this == CONFINED || this == SHARED;
    }
  }

  /** The ways in which the method that creates an arena closes it, by itself or by helpers. */
  public enum Closing {
    /** On all paths, also by exceptions, in the shape that compilers give to this statement. */
    TRY_WITH_RESOURCES("try-with-resources"),
    /** On all paths, also by exceptions, by Kotlin's {@code use}. */
    KOTLIN_USE("Kotlin's use"),
    /** On all paths, also by exceptions, in another shape. */
    ALL_PATHS("closed on all paths"),
    /** On some paths, but not on others, often not after an exception. */
    SOME_PATHS("closed on some paths"),
    /**
     * Not in this method: an object or a closure holds the arena, and its class has code that
     * closes the arena.
     */
    BY_HOLDER("left to its holder"),
    /** Not in this method, but it gives the arena to code that is not in sight and may close it. */
    UNKNOWN("closing unknown"),
    /** Not in this method. */
    NEVER("never closed in sight"),
    /** A method reference or a lambda hands out the arena, so all of its life is elsewhere. */
    OUT_OF_SIGHT("method reference or lambda");

    private final String label;

    Closing(String label) {
      this.label = label;
    }

    /** {@return the way in words, such as "closed on all paths"} */
    public String label() {
      return label;
    }

    /** Whether the method has a call that closes the arena. */
    boolean isInMethod() {
      return compareTo(SOME_PATHS) <= 0;
    }
  }

  /** The ways in which an open arena leaves the method that created it. */
  public enum Escape {
    /** The method returns it. */
    RETURNED,
    /** The method stores it in a field, an array, or a collection or reference of the JDK. */
    STORED,
    /** A lambda or a method reference captures it. */
    CAPTURED,
    /** It is an argument of a method or constructor that is not the JDK's. */
    PASSED,
    /** It is an argument of another method of the JDK, or of a call through a method handle. */
    PASSED_TO_JDK;

    /** {@return the way in words, such as "passed to the JDK"} */
    public String label() {
      return this == PASSED_TO_JDK ? "passed to the JDK" : name().toLowerCase(Locale.ROOT);
    }
  }
}
