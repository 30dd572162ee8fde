package dev.rockpool.pool;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A jar to rewrite. Entries keep their order, times, comments and extra fields, and a start script
 * stays before the first entry. Equal jars are rewritten to equal jars.
 */
final class Jar implements Closeable {
  private static final String FIRST_ENTRY = "PK\3\4";
  private static final String SCRIPT = "#!";

  private static final int LARGEST = Integer.MAX_VALUE - 16;

  /** Most bytes of a start script. */
  private static final int LONGEST_SCRIPT = 1 << 20;

  private final Path file;
  private final ZipFile zip;

  /** The entries by name: of several with one name, the JDK reads the last. */
  private final Map<String, ZipEntry> entries = new LinkedHashMap<>();

  Jar(Path file) throws IOException {
    this.file = file;
    try {
      this.zip = new ZipFile(file.toFile());
    } catch (ZipException e) {
      throw new ZipException("it must be a jar that the JDK can read: " + e.getMessage());
    }
    zip.stream().forEach(entry -> entries.put(entry.getName(), entry));
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }

  Collection<ZipEntry> entries() {
    return entries.values();
  }

  /**
   * Returns the content of an entry.
   *
   * @throws ZipException if the entry is damaged, or compressed by a method that the JDK lacks
   */
  byte[] content(ZipEntry entry) throws IOException {
    if (entry.getSize() > LARGEST) {
      throw new ZipException("entry " + entry.getName() + " has 2 GiB or more");
    }
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] content = in.readNBytes((int) entry.getSize());
      CRC32 checksum = new CRC32();
      checksum.update(content);
      if (content.length == entry.getSize()
          && in.read() < 0
          && checksum.getValue() == entry.getCrc()) {
        return content;
      }
      throw new ZipException("length or checksum of entry " + entry.getName() + " is wrong");
    } catch (EOFException cut) {
      throw new ZipException("entry " + entry.getName() + " breaks off");
    }
  }

  /**
   * Returns the jar with other contents of some entries, by name.
   *
   * @param removed names of entries to leave out
   */
  byte[] with(Map<String, byte[]> replaced, Set<String> removed) throws IOException {
    if (Files.size(file) > LARGEST) {
      throw new ZipException("it has 2 GiB or more");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) Files.size(file));
    bytes.writeBytes(script());
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      out.setComment(zip.getComment());
      for (ZipEntry entry : entries.values()) {
        if (!removed.contains(entry.getName())) {
          byte[] content = replaced.get(entry.getName());
          write(entry, content == null ? content(entry) : content, out);
        }
      }
    }
    return bytes.toByteArray();
  }

  private static void write(ZipEntry entry, byte[] content, ZipOutputStream out)
      throws IOException {
    ZipEntry copy = new ZipEntry(entry);
    CRC32 checksum = new CRC32();
    checksum.update(content);
    copy.setCrc(checksum.getValue());
    copy.setSize(content.length);
    copy.setCompressedSize(copy.getMethod() == ZipEntry.STORED ? content.length : -1);
    out.putNextEntry(copy);
    out.write(content);
    out.closeEntry();
  }

  private byte[] script() throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(LONGEST_SCRIPT);
      String text = new String(start, StandardCharsets.ISO_8859_1);
      int end = text.indexOf(FIRST_ENTRY);
      if (end < 0 || (end > 0 && !text.startsWith(SCRIPT))) {
        throw new ZipException("it starts with neither an entry nor a script");
      }
      return Arrays.copyOf(start, end);
    }
  }
}
