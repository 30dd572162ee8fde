package dev.rockpool.watch;

import dev.rockpool.internal.Notices;
import dev.rockpool.record.MemoryMap;
import dev.rockpool.record.Site;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Appends what the process held to a file, before the system ends it: when it reaches 66, 75 and 90
 * percent of the container's memory, and when requests were refused, once a minute at most. Only
 * the thread of {@link Watch} uses this.
 *
 * <p>An entry is one write of two lines, JSON for programs and text for people, and fits what
 * Kubernetes shows of a termination log.
 */
final class Evidence {
  private static final int[] LEVELS = {66, 75, 90};

  /** Percents below a level at which it counts as left. */
  private static final int LEFT = 5;

  /** A file that has so many bytes makes room for a new one. */
  private static final long MOST_BYTES = 1 << 20;

  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Path file;
  private final String host;
  private final long memory;
  private final @Nullable LimitedMemory limited;
  private final Runnable dump;
  private boolean isRehearsed;

  /** The highest level that is reached. */
  private int reached;

  private long refusedBefore;
  private long refusalNanos = System.nanoTime() - PAUSE_NANOS;
  private boolean hasFailed;

  Evidence(Path file, String host, long memory, @Nullable LimitedMemory limited, Runnable dump) {
    this.file = file;
    this.host = host;
    this.memory = memory;
    this.limited = limited;
    this.dump = dump;
  }

  void look(Resident now, long refused, long nanos) {
    if (!isRehearsed) { // the first entry initializes many classes, and there may be no time then
      isRehearsed = true;
      entry("rehearsal", now);
      if (!canBeWritten()) {
        failed(new IOException("it is no regular file that can be written"));
      }
    }
    int level = level(now.anonymous());
    if (level > reached) {
      write(level + "% of the memory reached", now);
      reached = level;
      dump.run(); // afterwards, because it may fail
    }
    if (now.anonymous() < share(reached - LEFT)) {
      reached = level;
    }
    if (refused != refusedBefore && nanos - refusalNanos >= PAUSE_NANOS) {
      long more = refused - refusedBefore;
      write(more + (more == 1 ? " request" : " requests") + " beyond the limit", now);
      refusedBefore = refused;
      refusalNanos = nanos;
    }
  }

  private long share(int percent) {
    return memory / 100 * percent;
  }

  private int level(long resident) {
    int highest = 0;
    for (int level : LEVELS) {
      highest = memory > 0 && resident >= share(level) ? level : highest;
    }
    return highest;
  }

  /** Returns how many bytes are left to the next level. */
  long room(long resident) {
    for (int level : LEVELS) {
      if (memory > 0 && level > reached) {
        return share(level) - resident;
      }
    }
    return Long.MAX_VALUE;
  }

  /** Appends an entry. Follows no link that somebody has put in the place of the file. */
  void write(String reason, Resident now) {
    String entry = entry(reason, now);
    try {
      boolean isThere = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
      if (isThere && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException("it is no regular file any more");
      }
      if (isThere && Files.size(file) >= MOST_BYTES) {
        makeRoom();
      }
      append(endsWithinLine() ? ("\n" + entry) : entry);
      hasFailed = false;
    } catch (IOException | RuntimeException unwritable) {
      failed(unwritable);
    }
  }

  /** As after a full disk, a kill, or what the program itself writes to a termination log. */
  private boolean endsWithinLine() throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) == 0) {
      return false;
    }
    try (FileChannel channel =
        FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return channel.read(last, channel.size() - 1) == 1 && last.get(0) != '\n';
    } catch (IOException unreadable) { // but perhaps to be written
      return true;
    }
  }

  private void failed(Exception unwritable) {
    if (!hasFailed) {
      hasFailed = true;
      Notices.print("evidence can't be written to " + file + ", until it can", unwritable);
    }
  }

  private boolean canBeWritten() {
    Path folder = file.toAbsolutePath().getParent();
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        ? Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.isWritable(file)
        : folder != null && Files.isWritable(folder);
  }

  /** Keeps what is there under another name; a file that is mounted, as in a pod, has only one. */
  private void makeRoom() throws IOException {
    try {
      Files.move(file, Path.of(file + ".1"), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException mounted) {
      Notices.print("evidence is full and can't be renamed, so it is emptied: " + file, mounted);
      FileChannel.open(file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))
          .truncate(0)
          .close();
    }
  }

  private void append(String text) throws IOException {
    byte[] entry = text.getBytes(StandardCharsets.UTF_8);
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS))) {
      int written = channel.write(ByteBuffer.wrap(entry));
      if (written < entry.length) {
        throw new IOException("the file took " + written + " of " + entry.length + " bytes");
      }
    }
  }

  private String entry(String reason, Resident now) {
    return new EvidenceEntry(
            reason,
            host,
            now,
            memory,
            limited,
            MemoryMap.residentByPart(),
            Site.holding(EvidenceEntry.HOLDERS),
            Site.openOwners(EvidenceEntry.HOLDERS))
        .text();
  }
}
