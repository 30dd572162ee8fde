package dev.rockpool.cli.report.recording;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a file, in their order.
 *
 * @param whole all that can be read, at least one
 * @param cut why the one behind these can't be; null if the file ends there
 */
record Chunks(List<Chunk> whole, @Nullable String cut) {
  static Chunks of(Path file) throws IOException, Unusable {
    List<Chunk> whole = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file)) {
      long length = channel.size();
      if (length == 0) {
        throw new Unusable("it is empty");
      }
      for (long offset = 0; offset < length; offset += whole.getLast().byteSize()) {
        whole.add(Chunk.at(channel, offset, length));
      }
      return new Chunks(whole, null);
    } catch (CutOff e) {
      if (whole.isEmpty()) {
        throw e;
      }
      return new Chunks(whole, e.getMessage());
    }
  }
}
