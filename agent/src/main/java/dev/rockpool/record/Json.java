package dev.rockpool.record;

/** Texts of JSON in files that tools gather. */
public final class Json {
  private Json() {}

  /** Appends a text; all but printable ASCII is escaped, so a line is one in any character set. */
  public static StringBuilder quote(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '"' || each == '\\') {
        json.append('\\').append(each);
      } else if (each >= ' ' && each <= '~') {
        json.append(each);
      } else {
        json.append("\\u").append(Integer.toHexString(0x10000 | each), 1, 5);
      }
    }
    return json.append('"');
  }
}
