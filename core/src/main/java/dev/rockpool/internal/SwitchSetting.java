package dev.rockpool.internal;

import org.jspecify.annotations.Nullable;

/**
 * The system properties of the library that are on or off, as {@link SizeSetting} has those that
 * are numbers. All are off by default, and read once.
 */
public enum SwitchSetting {
  /** Whether arenas detect faults of native code, at the cost of speed. */
  CHECK(
      SwitchSetting.CHECK_PROPERTY,
      "guard bytes round what arenas allocate, and closed memory kept aside for a while, to find"
          + " overruns and late writes of native code");

  /** The property of {@link #CHECK}: a constant, for code that must not load this class. */
  public static final String CHECK_PROPERTY = "rockpool.check";

  private final String property;
  private final String meaning;
  private final boolean on;

  SwitchSetting(String property, String meaning) {
    this.property = property;
    this.meaning = meaning;
    on = isOn(System.getProperty(property));
  }

  public String property() {
    return property;
  }

  public String meaning() {
    return meaning;
  }

  public String defaultText() {
    return "off";
  }

  public String accepted() {
    return "on or off";
  }

  public boolean isOn() {
    return on;
  }

  /** Parses a raw value, null if absent; prints a notice if the value is refused. */
  boolean isOn(@Nullable String raw) {
    String value = raw == null ? defaultText() : raw.strip();
    if (!value.equals("on") && !value.equals("off")) {
      Notices.printRefused(property, meaning, accepted(), String.valueOf(raw), defaultText());
    }
    return value.equals("on");
  }
}
