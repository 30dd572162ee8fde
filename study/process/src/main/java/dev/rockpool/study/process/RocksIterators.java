package dev.rockpool.study.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** RocksDB, whose objects free their memory in C on close only. An iterator has a buffer. */
final class RocksIterators extends Work {
  private static final int KEYS = 40_000;
  private static final int READ = 500;
  private static final long READ_AHEAD = 256 << 10;

  private final RocksDB database;

  @SuppressWarnings("resource") // the options must live as long as the database
  RocksIterators(Path folder) throws RocksDBException {
    super(3);
    RocksDB.loadLibrary();
    database = RocksDB.open(new Options().setCreateIfMissing(true), folder.toString());
    byte[] value = Noise.bytes(1_000);
    for (int i = 0; i < KEYS; i++) {
      database.put(key(i), value);
    }
    try (FlushOptions flush = new FlushOptions()) {
      database.flush(flush);
    }
  }

  private static byte[] key(int number) {
    return "key %07d".formatted(number).getBytes(UTF_8);
  }

  @Override
  void leak(int number) {
    ReadOptions options = new ReadOptions();
    read(database.newIterator(set(options)), number);
    leaked(READ_AHEAD);
  }

  @Override
  void close(int number) {
    try (ReadOptions options = new ReadOptions();
        RocksIterator iterator = database.newIterator(set(options))) {
      read(iterator, number);
    }
  }

  private static ReadOptions set(ReadOptions options) {
    return options.setReadaheadSize(READ_AHEAD).setFillCache(false);
  }

  private static void read(RocksIterator iterator, int number) {
    iterator.seek(key(number * 97 % (KEYS - READ)));
    for (int i = 0; i < READ && iterator.isValid(); i++) {
      iterator.next();
    }
  }
}
