package dev.rockpool.record;

/** The kinds of sites. Constants, so that the agent names them without a use of this class. */
public final class SiteKind {
  public static final int CONFINED = 0;
  public static final int SHARED = 1;
  public static final int AUTOMATIC = 2;
  public static final int GLOBAL = 3;
  public static final int DIRECT = 4;
  public static final int MAPPED = 5;
  static final int COUNT = 6;

  private static final String[] NAMES = {
    "confined", "shared", "automatic", "global", "direct", "mapped"
  };

  private SiteKind() {}

  /** Returns the name as events have it. */
  static String name(int kind) {
    return NAMES[kind];
  }
}
