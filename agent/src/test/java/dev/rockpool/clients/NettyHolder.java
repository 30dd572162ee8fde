package dev.rockpool.clients;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds buffers of Netty until one is refused, and prints why; releases them, and goes on. An
 * argument names the allocator.
 */
final class NettyHolder {
  private NettyHolder() {}

  public static void main(String[] args) {
    ByteBufAllocator allocator =
        switch (args[0]) {
          case "adaptive" -> new AdaptiveByteBufAllocator();
          case "pooled" -> new PooledByteBufAllocator(true);
          default -> new UnpooledByteBufAllocator(true);
        };
    List<ByteBuf> held = new ArrayList<>();
    try {
      while (true) {
        hold(allocator, held);
      }
    } catch (OutOfMemoryError refused) {
      System.out.println(refused.getMessage());
    } catch (Error wrapped) { // by Netty
      System.out.println(wrapped.getCause().getMessage());
    }
    held.forEach(ByteBuf::release);
    allocator.directBuffer(200_000).release();
    System.out.println("goes on after " + held.size());
  }

  private static void hold(ByteBufAllocator allocator, List<ByteBuf> held) {
    held.add(allocator.directBuffer(200_000).writeZero(200_000));
  }
}
