package dev.rockpool.agent;

import com.github.luben.zstd.Zstd;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.resolver.AddressResolver;
import io.netty.util.ReferenceCounted;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;

/** The programs of {@code dev.rockpool.clients}, and the libraries that they need. */
final class ClientPrograms {
  private static final String PACKAGE = "dev.rockpool.clients.";

  /** The tests themselves, and each library by one of its classes. */
  private static final Path[] CLASS_PATH =
      Stream.of(
              ClientPrograms.class,
              Zstd.class,
              ByteBuf.class,
              Channel.class,
              ByteToMessageDecoder.class,
              LengthFieldBasedFrameDecoder.class,
              AddressResolver.class,
              ReferenceCounted.class,
              IndexWriter.class,
              io.netty.handler.logging.LogLevel.class)
          .map(ClientPrograms::location)
          .distinct()
          .toArray(Path[]::new);

  private ClientPrograms() {}

  /** The origin of the class; of one of ours, the place of all programs of tests. */
  static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException odd) {
      throw new AssertionError(odd);
    }
  }

  /** Has the JVM find them. */
  static ChildJvm on(ChildJvm jvm) {
    return jvm.classPath(CLASS_PATH);
  }

  static String named(String program) {
    return PACKAGE + program;
  }

  /** The standard error of a program, without the JVM's lines on {@code Unsafe}. */
  static Stream<String> told(ChildJvm.Exit exit) {
    return exit.err().stream().filter(line -> !line.startsWith("WARNING: "));
  }
}
