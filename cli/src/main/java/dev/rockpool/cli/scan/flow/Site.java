package dev.rockpool.cli.scan.flow;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A place in the code that creates arenas, and what becomes of them.
 *
 * @param factory by which method
 * @param place where
 * @param closing how it is closed
 * @param escapes how it leaves the method while it is open
 * @param nested whether another one, confined or shared, of the same method may be open
 * @param inLoop whether the method may come here again and again
 * @param requests what the method asks it for
 * @param bytes how much it is asked for at most, if all of that is in sight: known sizes, none of
 *     them repeated, and no other code that could ask for more
 */
public record Site(
    Factory factory,
    Place place,
    Closing closing,
    Set<Escape> escapes,
    boolean nested,
    boolean inLoop,
    List<Request> requests,
    OptionalLong bytes) {
  /**
   * A place in the code.
   *
   * @param type the class, as in Java: {@code com.acme.Point$Builder}
   * @param method its name
   * @param source the name of the source file, if the class tells
   * @param line in it, or -1
   */
  public record Place(String type, String method, @Nullable String source, int line) {}
}
