package dev.rockpool.study;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.gnome.glib.ChecksumType;
import org.gnome.glib.DateTime;
import org.gnome.glib.GLib;
import org.gnome.glib.KeyFile;
import org.gnome.glib.KeyFileFlags;
import org.gnome.glib.Regex;
import org.gnome.glib.RegexCompileFlags;
import org.gnome.glib.RegexMatchFlags;
import org.gnome.glib.Variant;
import org.javagi.base.GErrorException;
import org.javagi.base.Out;

/**
 * GLib, by the bindings that java-gi generates: settings are written, read back, searched, checked.
 */
public final class KeyFiles {
  private static final int FILES = 400;
  private static final int KEYS = 50;

  private final Words words = new Words();
  private long characters;

  private KeyFiles() {}

  /** Needs libglib-2.0 and libgobject-2.0. */
  public static void main(String[] args) throws GErrorException {
    KeyFiles work = new KeyFiles();
    for (int i = 0; i < FILES; i++) {
      work.check(work.read(work.written(i)));
    }
    System.out.println("key files: " + FILES + " files, " + work.characters + " characters");
  }

  private String written(int number) throws GErrorException {
    KeyFile file = new KeyFile();
    for (int i = 0; i < KEYS; i++) {
      String group = "group " + i / 10;
      file.setString(group, "name" + i, words.text(4));
      file.setInteger(group, "number" + i, number * i);
      file.setStringList(group, "list" + i, new String[] {words.word(), words.word()});
      file.setString(group, "time" + i, DateTime.fromUnixUtc(1_000_000L * i).format("%F %T"));
    }
    return file.toData(new Out<>());
  }

  private List<String> read(String data) throws GErrorException {
    KeyFile file = new KeyFile();
    file.loadFromData(data, data.length(), KeyFileFlags.NONE);
    List<String> values = new ArrayList<>();
    for (String group : file.getGroups(new Out<>())) {
      for (String key : file.getKeys(group, new Out<>())) {
        values.add(file.getString(group, key));
      }
    }
    return values;
  }

  private void check(List<String> values) throws GErrorException {
    Regex digits = new Regex("[0-9]+", RegexCompileFlags.DEFAULT, RegexMatchFlags.DEFAULT);
    for (String value : values) {
      if (digits.match(value, RegexMatchFlags.DEFAULT, null)) {
        characters += GLib.markupEscapeText(value, -1).length();
      }
      characters += Variant.string(value).print(true).length();
      String checksum = GLib.computeChecksumForString(ChecksumType.SHA256, value, -1);
      characters += requireNonNull(checksum).length();
    }
  }
}
