package dev.rockpool.examples.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.AdaptiveByteBufAllocator;
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
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Sends back each frame: four bytes of length, and as many bytes. A frame is collected in direct
 * memory first. A connection whose frame finds no memory is closed; the others go on.
 */
public final class EchoServer implements AutoCloseable {
  private final EventLoopGroup threads =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  private final AtomicInteger refused = new AtomicInteger();
  private final Channel channel;

  /**
   * Starts a server on a free port of the loopback interface.
   *
   * @param allocator of all its buffers
   */
  public EchoServer(ByteBufAllocator allocator) {
    channel =
        new ServerBootstrap()
            .group(threads)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.ALLOCATOR, allocator)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel connection) {
                    connection
                        .pipeline()
                        .addLast(new LengthFieldBasedFrameDecoder(Integer.MAX_VALUE, 0, 4))
                        .addLast(new Echo());
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
  }

  /** Returns the port. */
  public int port() {
    return ((InetSocketAddress) channel.localAddress()).getPort();
  }

  /** Returns how many connections were closed for lack of memory. */
  public int refused() {
    return refused.get();
  }

  @Override
  public void close() {
    channel.close().syncUninterruptibly();
    threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /** Ignores futures: a failed write closes its connection. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
      context.writeAndFlush(frame);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (cause instanceof OutOfMemoryError) {
        refused.incrementAndGet();
      }
      System.err.println("Connection closed: " + cause);
      context.close();
    }
  }

  /**
   * Starts a server and prints its port. Then prints, for each line of standard input, the bytes of
   * buffer pool {@code rockpool-direct} and the connections refused; ends with standard input.
   *
   * @param args {@code adaptive}, {@code pooled} or {@code unpooled}
   */
  public static void main(String[] args) throws JMException {
    try (EchoServer server = new EchoServer(allocator(args[0]));
        Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8)) {
      System.out.println(server.port());
      while (lines.hasNextLine()) {
        lines.nextLine();
        System.out.println(rockpoolBytes() + " " + server.refused());
      }
    }
  }

  private static ByteBufAllocator allocator(String name) {
    return switch (name) {
      case "adaptive" -> new AdaptiveByteBufAllocator(true);
      case "pooled" -> new PooledByteBufAllocator(true);
      case "unpooled" -> new UnpooledByteBufAllocator(true);
      default ->
          throw new IllegalArgumentException(
              "An allocator is adaptive, pooled or unpooled: " + name);
    };
  }

  private static long rockpoolBytes() throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("java.nio:type=BufferPool,name=rockpool-direct");
    return server.isRegistered(name) ? (long) server.getAttribute(name, "TotalCapacity") : 0;
  }
}
