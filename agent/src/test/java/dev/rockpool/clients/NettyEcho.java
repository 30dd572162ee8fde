package dev.rockpool.clients;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;

/**
 * A pipeline of Netty: frames of random sizes and bytes go to a server on loopback, which sends
 * back copies of them; each is checked when it returns. Several are under way at once. How long it
 * took, and how many collections, is told to standard error.
 */
final class NettyEcho {
  private static final int UNDER_WAY = 16;
  private static final int LARGEST = 32 << 10;
  private static final byte[] BYTES = new byte[1 << 20];

  static {
    new Random(42).nextBytes(BYTES);
  }

  private final ByteBufAllocator allocator;
  private final int messages;
  private final CRC32 sum = new CRC32();
  private final CountDownLatch done = new CountDownLatch(1);
  private int sent;
  private int received;

  private NettyEcho(ByteBufAllocator allocator, int messages) {
    this.allocator = allocator;
    this.messages = messages;
  }

  /**
   * @param args {@code unpooled}, {@code pooled} or {@code adaptive}; how many messages; and
   *     whether Rockpool's agent is expected
   */
  public static void main(String[] args) throws Exception {
    ByteBufAllocator allocator = allocator(args[0]);
    ByteBuf live = allocator.directBuffer(1000).writeLong(42);
    RockpoolDirect.prepare();
    EventLoopGroup threads = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    long start = System.nanoTime();
    new NettyEcho(allocator, Integer.parseInt(args[1])).run(threads);
    long nanos = System.nanoTime() - start;
    threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    RockpoolDirect ours = args[2].equals("direct") ? RockpoolDirect.await() : null;
    if (ours != null) {
      System.err.println("live: " + ours.bytes() + " bytes");
    }
    System.out.println(
        "the first one is " + live.isDirect() + " " + live.readLong() + " " + live.release());
    System.err.printf("%.0f messages/s%n", Integer.parseInt(args[1]) * 1e9 / nanos);
    for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
      System.err.println(each.getName() + ": " + each.getCollectionCount());
    }
    if (ours != null) {
      System.err.println("left: " + ours.bytes() + " bytes");
    }
  }

  private static ByteBufAllocator allocator(String name) {
    return switch (name) {
      case "unpooled" -> new UnpooledByteBufAllocator(true);
      case "pooled" -> new PooledByteBufAllocator(true);
      case "adaptive" -> new AdaptiveByteBufAllocator(true);
      default -> throw new IllegalArgumentException(name);
    };
  }

  private void run(EventLoopGroup threads) throws Exception {
    Channel server =
        new ServerBootstrap()
            .group(threads)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.ALLOCATOR, allocator)
            .childHandler(pipeline(Copying::new))
            .bind(InetAddress.getLoopbackAddress(), 0)
            .sync()
            .channel();
    Channel client =
        new Bootstrap()
            .group(threads)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.ALLOCATOR, allocator)
            .handler(pipeline(Checking::new))
            .connect(server.localAddress())
            .sync()
            .channel();
    done.await();
    client.close().sync();
    server.close().sync();
    System.out.println(received + " messages, sum " + sum.getValue());
  }

  private interface Handlers {
    ChannelInboundHandlerAdapter make(NettyEcho echo);
  }

  private ChannelInitializer<Channel> pipeline(Handlers last) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel
            .pipeline()
            .addLast(new LengthFieldPrepender(4))
            .addLast(new LengthFieldBasedFrameDecoder(LARGEST + 8, 0, 4, 0, 4))
            .addLast(last.make(NettyEcho.this));
      }
    };
  }

  /** Sends back a copy of each frame. */
  private static final class Copying extends SimpleChannelInboundHandler<ByteBuf> {
    Copying(NettyEcho echo) {}

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
      ByteBuf copy = context.alloc().directBuffer(frame.readableBytes());
      context.writeAndFlush(copy.writeBytes(frame));
    }
  }

  /** The same frames in the same order each time. */
  private static final class Frames {
    private final Random random = new Random(42);

    ByteBuf next(ByteBufAllocator from) {
      int length = 1 + random.nextInt(LARGEST);
      int start = random.nextInt(BYTES.length - length);
      return from.directBuffer(length).writeBytes(BYTES, start, length);
    }
  }

  /** Sends frames, and compares what comes back with what was sent. */
  private static final class Checking extends SimpleChannelInboundHandler<ByteBuf> {
    private final NettyEcho echo;
    private final Frames frames = new Frames();
    private final Frames expected = new Frames();

    Checking(NettyEcho echo) {
      this.echo = echo;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      for (int i = 0; i < UNDER_WAY; i++) {
        send(context);
      }
    }

    private void send(ChannelHandlerContext context) {
      if (echo.sent < echo.messages) {
        echo.sent++;
        context.writeAndFlush(frames.next(context.alloc()));
      }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
      ByteBuf same = expected.next(context.alloc());
      if (!same.nioBuffer().equals(frame.nioBuffer())) {
        System.out.println("message " + echo.received + " is not what was sent");
      }
      same.release();
      echo.sum.update(frame.nioBuffer());
      echo.received++;
      if (echo.received == echo.messages) {
        echo.done.countDown();
      } else {
        send(context);
      }
    }
  }
}
