package dev.rockpool.study.process;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Netty on loopback, with direct buffers. The server copies messages, and forgets some copies. */
final class NettyMessages extends Work {
  private static final int BYTES = 64 << 10;
  private static final int EACH = 2;

  private final List<ByteBuf> kept = new ArrayList<>(); // by the event loop's one thread
  private final Channel client;
  private long sent;
  private long received;
  private long reads;
  private volatile boolean isLeaking;

  NettyMessages() throws InterruptedException {
    super(40);
    EventLoopGroup threads = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    ServerBootstrap server = new ServerBootstrap().group(threads);
    server.channel(NioServerSocketChannel.class).childHandler(initializer());
    Channel bound = server.bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
    Bootstrap program = new Bootstrap().group(threads).channel(NioSocketChannel.class);
    program.handler(new ChannelInboundHandlerAdapter());
    client = program.connect(bound.localAddress()).sync().channel();
  }

  private ChannelInitializer<Channel> initializer() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel.pipeline().addLast(new Receiver());
      }
    };
  }

  @Override
  void leak(int number) throws InterruptedException {
    isLeaking = true;
    send();
  }

  @Override
  void close(int number) throws InterruptedException {
    isLeaking = false;
    send();
  }

  private void send() throws InterruptedException {
    ByteBuf message = client.alloc().directBuffer(BYTES);
    client.writeAndFlush(message.writeZero(BYTES)).sync();
    synchronized (this) {
      sent += BYTES;
      while (received < sent) {
        wait();
      }
    }
  }

  private synchronized void received(long bytes) {
    received += bytes;
    notifyAll();
  }

  private void leakCopy(ByteBuf message) {
    ByteBuf copy = client.alloc().directBuffer(BYTES).writeBytes(message);
    kept.add(copy);
    leaked(copy.capacity());
  }

  private void releaseCopy(ByteBuf message) {
    client.alloc().directBuffer(BYTES).writeBytes(message).release();
  }

  private final class Receiver extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
      ByteBuf message = (ByteBuf) read;
      int bytes = message.readableBytes();
      if (isLeaking && ++reads % EACH == 0) {
        leakCopy(message);
      } else {
        releaseCopy(message);
      }
      message.release();
      received(bytes);
    }
  }
}
