package dev.rockpool.scan;

import dev.rockpool.scan.Finding.ArenaKind;
import dev.rockpool.scan.Scan.Artifact;
import java.util.regex.Pattern;

/**
 * The answer of the agent, with its defaults, to the arenas of a place.
 *
 * @since 0.1.0
 */
public enum Pooling {
  /** The arenas are pooled. */
  POOLED("pooled"),
  /** The arenas are pooled as far as they fit; how much they ask for is not in sight. */
  AS_FAR_AS_IT_FITS("pooled up to 512 bytes"),
  /** The arenas ask for more than a block has; the JDK serves what does not fit. */
  TOO_LARGE("more than 512 bytes"),
  /** The arenas ask for nothing. */
  NOTHING("asks for nothing"),
  /** Only confined arenas are pooled. */
  NOT_CONFINED("not confined"),
  /** Classes of the JDK stay as they are. */
  OF_THE_JDK("class of the JDK");

  /** Bytes of a block by default, which is the most that the pool has for an arena. */
  static final long LARGEST = 512;

  private static final Pattern JDK = Pattern.compile("jrt:/.*|(.*[/\\\\])?(java|jdk)\\..*\\.jmod");

  private final String label;

  Pooling(String label) {
    this.label = label;
  }

  /** {@return the answer in words, such as "asks for nothing"} */
  public String label() {
    return label;
  }

  /** {@return whether the agent serves the arenas, wholly or as far as they fit} */
  public boolean isPooled() {
    return this == POOLED || this == AS_FAR_AS_IT_FITS;
  }

  /**
   * Tells what the agent does with the arenas of a place.
   *
   * @param artifact the jar or folder
   * @param finding the place in it
   * @return what it does
   */
  public static Pooling of(Artifact artifact, Finding finding) {
    if (JDK.matcher(artifact.name()).matches()) {
      return OF_THE_JDK;
    }
    if (finding.kind() != ArenaKind.CONFINED) {
      return NOT_CONFINED;
    }
    if (finding.bytes().isEmpty()) {
      return AS_FAR_AS_IT_FITS;
    }
    long bytes = finding.bytes().getAsLong();
    return bytes == 0 ? NOTHING : bytes > LARGEST ? TOO_LARGE : POOLED;
  }
}
