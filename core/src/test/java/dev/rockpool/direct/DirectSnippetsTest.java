package dev.rockpool.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of README and Javadoc, run. */
class DirectSnippetsTest {
  @TempDir Path folder;

  @Test
  void directMemoryAndReadme() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "hello");
    try (FileChannel channel = FileChannel.open(file)) {
      DirectMemory memory = DirectMemory.ofLimit(64 << 20);
      ByteBuffer buffer = memory.allocate(1 << 20);
      channel.read(buffer);
      assertThat(buffer.get(0)).isEqualTo((byte) 'h');
      memory.free(buffer);
      assertThatThrownBy(() -> buffer.get(0)).isInstanceOf(IllegalStateException.class);
      assertThat(memory.reserved()).isZero();
    }
  }
}
