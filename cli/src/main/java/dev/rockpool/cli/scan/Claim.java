package dev.rockpool.cli.scan;

import dev.rockpool.cli.scan.flow.Closing;
import dev.rockpool.cli.scan.flow.Escape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the proposal for pooled arenas in the JDK says that its authors found in libraries, and
 * whether it is so here.
 *
 * @param text what it says
 * @param verdict whether it is so
 * @param figures the numbers behind the verdict
 */
record Claim(String text, String verdict, String figures) {
  static List<Claim> tested(Tally tally) {
    List<Claim> claims = new ArrayList<>();
    if (tally.confined() > 0) {
      claims.add(onlyStructured(tally));
      claims.add(mostlySmall(tally));
    }
    return claims;
  }

  private static Claim onlyStructured(Tally tally) {
    boolean holds = tally.structured() == tally.confined() && tally.escaping() == 0;
    return new Claim(
        "Confined arenas are used only in try-with-resources",
        holds ? "so it is" : "not so",
        "closed so: "
            + share(tally.structured(), tally.confined())
            + "; closed otherwise: "
            + tally.otherwise()
            + ", never in sight: "
            + tally.of(Closing.NEVER)
            + ", method references: "
            + tally.of(Closing.OUT_OF_SIGHT)
            + "; returned: "
            + tally.of(Escape.RETURNED)
            + ", stored: "
            + tally.of(Escape.STORED)
            + ", captured: "
            + tally.of(Escape.CAPTURED));
  }

  private static Claim mostlySmall(Tally tally) {
    int to8 = tally.of(SizeClass.NOTHING) + tally.of(SizeClass.UP_TO_8);
    int to32 = to8 + tally.of(SizeClass.UP_TO_32);
    int sized = tally.sized();
    String verdict =
        sized == 0 ? "the code does not tell" : 2 * to32 > sized ? "so it is" : "not so";
    return new Claim(
        "Usually at most 32 bytes are asked for, in many cases at most 8",
        verdict + (sized > 0 ? ", where the code tells" : ""),
        "the code tells for "
            + share(sized, tally.confined())
            + "; of these at most 8 bytes: "
            + share(to8, sized)
            + ", at most 32: "
            + share(to32, sized));
  }

  private static String share(int part, int whole) {
    return whole == 0
        ? "0"
        : String.format(Locale.ROOT, "%d of %d (%.1f %%)", part, whole, 100.0 * part / whole);
  }
}
