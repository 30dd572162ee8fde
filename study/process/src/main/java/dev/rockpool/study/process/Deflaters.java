package dev.rockpool.study.process;

import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** The JDK's zlib. An unreachable Deflater is freed by a cleaner, so the leak keeps them. */
final class Deflaters extends Work {
  /** By zconf.h for 15 window bits and memory level 8, without the state of some 6 kB. */
  private static final long BYTES = (1 << (15 + 2)) + (1 << (8 + 9));

  private final byte[] data = Noise.bytes(60_000);
  private final List<Deflater> kept = new ArrayList<>();

  Deflaters() {
    super(5);
  }

  @Override
  void leak(int number) throws DataFormatException {
    Deflater deflater = new Deflater();
    roundTrip(deflater);
    kept.add(deflater);
    leaked(BYTES);
  }

  @Override
  void close(int number) throws DataFormatException {
    Deflater deflater = new Deflater();
    try {
      roundTrip(deflater);
    } finally {
      deflater.end();
    }
  }

  private void roundTrip(Deflater deflater) throws DataFormatException {
    byte[] packed = new byte[data.length * 2];
    deflater.setInput(data);
    deflater.finish();
    int length = deflater.deflate(packed);
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(packed, 0, length);
      if (inflater.inflate(new byte[data.length]) != data.length) {
        throw new DataFormatException("another length");
      }
    } finally {
      inflater.end();
    }
  }
}
