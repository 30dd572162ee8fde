package dev.rockpool.internal;

import org.jspecify.annotations.Nullable;

/**
 * The system properties of the library that are on or off, as {@link SizeSetting} are those that
 * are numbers: the table that the parser, the documentation and the tests read.
 *
 * <p>All are off by default, and read once. A value that is refused is reported once on standard
 * error, and the default used.
 */
public enum SwitchSetting {
  /** Whether arenas are there to find faults of native code, instead of to be fast. */
  CHECK(
      "rockpool.check",
      "guard bytes round what arenas allocate, and closed memory kept aside for a while, to find"
          + " overruns and late writes of native code");

  private final String property;
  private final String meaning;
  private final boolean on;

  SwitchSetting(String property, String meaning) {
    this.property = property;
    this.meaning = meaning;
    on = isOn(System.getProperty(property));
  }

  /** The name of the system property. */
  public String property() {
    return property;
  }

  /** What is switched on, in a few words. */
  public String meaning() {
    return meaning;
  }

  /** The default in words, as help and documentation state it. */
  public String defaultText() {
    return "off";
  }

  /** The accepted values in words, as help and messages state them. */
  public String accepted() {
    return "on or off";
  }

  /** The value in force: that of the system property, or the default where it makes no sense. */
  public boolean isOn() {
    return on;
  }

  /** What such a raw value, null if there is none, makes of this; reports one that is refused. */
  boolean isOn(@Nullable String raw) {
    String value = raw == null ? defaultText() : raw.strip();
    if (!value.equals("on") && !value.equals("off")) {
      Notices.print(
          "System property "
              + property
              + " ("
              + meaning
              + ") must be "
              + accepted()
              + ": it is \""
              + raw
              + "\"; using the default, "
              + defaultText()
              + ".");
    }
    return value.equals("on");
  }
}
