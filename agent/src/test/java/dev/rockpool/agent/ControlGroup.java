package dev.rockpool.agent;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A control group of version 1 or 2 with so much memory, as a container has. */
record ControlGroup(Path folder) implements AutoCloseable {
  private static final AtomicInteger MADE = new AtomicInteger();

  /** Makes one; skips the test where none can be made. */
  static ControlGroup of(long byteSize) throws IOException {
    boolean isV2 = Files.exists(Path.of("/sys/fs/cgroup/cgroup.controllers"));
    String name = "rockpool-" + ProcessHandle.current().pid() + "-" + MADE.incrementAndGet();
    Path group = Path.of("/sys/fs/cgroup" + (isV2 ? "" : "/memory")).resolve(name);
    try {
      Files.createDirectory(group);
      Files.writeString(
          group.resolve(isV2 ? "memory.max" : "memory.limit_in_bytes"), Long.toString(byteSize));
    } catch (IOException refused) {
      Files.deleteIfExists(group);
      assumeThat(refused).as("a control group can be made here").isNull();
    }
    return new ControlGroup(group);
  }

  @Override
  public void close() throws IOException {
    Files.delete(folder);
  }
}
