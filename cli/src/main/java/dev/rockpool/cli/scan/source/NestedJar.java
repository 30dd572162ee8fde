package dev.rockpool.cli.scan.source;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** A jar within a jar, read from memory: nothing is unpacked to disk. */
final class NestedJar {
  private NestedJar() {}

  static Contents read(String name, byte[] bytes, int depth) {
    Contents contents = new Contents(name, depth);
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      boolean empty = true;
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        empty = false;
        if (!entry.isDirectory() && Contents.isWanted(entry.getName())) {
          contents.add(entry.getName(), zip.readAllBytes());
        }
      }
      if (empty) {
        contents.skip("", "a jar has entries: it has none");
      }
    } catch (IOException | IllegalArgumentException e) {
      contents.skip("", "not read to its end: " + Reasons.of(e));
    }
    return contents;
  }
}
