package shapes

import java.lang.foreign.Arena
import scala.util.Using

class UsingScala {
  // -> confined: closed on all paths; passed; bytes unknown
  def resource(): Long = Using.resource(Arena.ofConfined())(_.allocate(8).address())

  def captured(n: Int): Unit =
    // -> confined: closed on all paths; passed; bytes unknown
    Using.resource(Arena.ofConfined()) { arena => for (i <- 0 until n) arena.allocate(i) }

  // -> confined: method reference or lambda; bytes unknown
  def tried(): Long = Using(Arena.ofConfined())(_.allocate(8).address()).get

  def resources(): Unit =
    // -> confined: closed on all paths; passed; bytes unknown
    // -> shared: method reference or lambda; bytes unknown
    Using.resources(Arena.ofConfined(), Arena.ofShared()) { (a, b) => a.allocate(8); b.allocate(8) }

  def manager(): Long = Using.Manager { use =>
    // -> confined: left to its holder; passed; 4 bytes
    val arena = use(Arena.ofConfined())
    arena.allocate(4).address()
  }.get

  def acquired(): Unit = Using.Manager { use =>
    // -> confined: left to its holder; passed; 4 bytes
    val arena = Arena.ofConfined()
    use.acquire(arena)
    arena.allocate(4)
  }

  def byHand(): Long = {
    // -> confined: closed on all paths; 8 bytes
    val arena = Arena.ofConfined()
    try arena.allocate(8).address() finally arena.close()
  }

  // -> confined: never closed in sight; 8 bytes
  def never(): Long = Arena.ofConfined().allocate(8).address()
}

class Owner extends AutoCloseable {
  // -> shared: left to its holder; stored; bytes unknown
  val arena: Arena = Arena.ofShared()

  def close(): Unit = arena.close()
}

class NoOwner {
  // -> shared: never closed in sight; stored; bytes unknown
  val arena: Arena = Arena.ofShared()
}
