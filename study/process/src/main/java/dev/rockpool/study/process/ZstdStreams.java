package dev.rockpool.study.process;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.OutputStream;

/** Zstandard by JNI: each stream has a context in C, of some megabytes, that nothing else frees. */
final class ZstdStreams extends Work {
  private static final int LEVEL = 3;
  private static final int EACH = 3;

  private final byte[] data = Noise.bytes(1_500_000);

  ZstdStreams() {
    super(1);
  }

  @Override
  void leak(int number) throws IOException {
    if (number % EACH != 0) {
      close(number);
      return;
    }
    new ZstdOutputStreamNoFinalizer(OutputStream.nullOutputStream(), LEVEL).write(data);
    leaked(0);
  }

  @Override
  void close(int number) throws IOException {
    try (OutputStream out =
        new ZstdOutputStreamNoFinalizer(OutputStream.nullOutputStream(), LEVEL)) {
      out.write(data);
    }
  }
}
