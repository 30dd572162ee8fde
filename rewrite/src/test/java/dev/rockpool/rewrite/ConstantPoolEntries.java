package dev.rockpool.rewrite;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A class file cut at the places that matter here, read without the code under test: what stands
 * before the constant pool, each entry of it, and what follows.
 *
 * @param version magic number and versions
 * @param entries tag and content of each entry, in hex; empty strings stand for unusable indices
 * @param rest all that follows the pool, in hex
 */
record ConstantPoolEntries(String version, List<String> entries, String rest) {
  static final String METHOD = "0a";
  static final String INTERFACE_METHOD = "0b";

  static ConstantPoolEntries of(byte[] classFile) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile))) {
      String version = hex(in, 8);
      int length = in.readUnsignedShort();
      List<String> entries = new ArrayList<>(List.of(""));
      while (entries.size() < length) {
        String entry = entry(in);
        entries.add(entry);
        if (entry.startsWith("05") || entry.startsWith("06")) {
          entries.add("");
        }
      }
      return new ConstantPoolEntries(version, entries, hex(in, in.available()));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** JVMS 4.4. */
  private static String entry(DataInputStream in) throws IOException {
    in.mark(3);
    int tag = in.readUnsignedByte();
    int length =
        switch (tag) {
          case 1 -> 2 + in.readUnsignedShort();
          case 3, 4, 9, 10, 11, 12, 17, 18 -> 4;
          case 5, 6 -> 8;
          case 7, 8, 16, 19, 20 -> 2;
          case 15 -> 3;
          default -> throw new AssertionError("tag " + tag);
        };
    in.reset();
    return hex(in, 1 + length);
  }

  private static String hex(DataInputStream in, int length) throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** A text; empty where the entry is none. */
  String text(int index) {
    String entry = index < entries.size() ? entries.get(index) : "";
    return entry.startsWith("01")
        ? new String(HexFormat.of().parseHex(entry.substring(6)), StandardCharsets.ISO_8859_1)
        : "";
  }

  /** Tag, owner, name and type of a method; parts that are not there, or not as expected, empty. */
  String method(int index) {
    String entry = entries.get(index);
    return entry.startsWith(METHOD) || entry.startsWith(INTERFACE_METHOD)
        ? entry.substring(0, 2)
            + " "
            + text(next(entry(next(entry, 2), "07"), 2))
            + " "
            + text(next(entry(next(entry, 6), "0c"), 2))
            + " "
            + text(next(entry(next(entry, 6), "0c"), 6))
        : "";
  }

  private String entry(int index, String tag) {
    String entry = index < entries.size() ? entries.get(index) : "";
    return entry.startsWith(tag) ? entry : "";
  }

  /** The index that stands somewhere in an entry. */
  private static int next(String entry, int at) {
    return entry.isEmpty() ? 0 : Integer.parseInt(entry.substring(at, at + 4), 16);
  }

  /** The entries as they are told apart in other entries: two bytes, in hex. */
  static String index(int index) {
    return HexFormat.of().toHexDigits((short) index);
  }
}
