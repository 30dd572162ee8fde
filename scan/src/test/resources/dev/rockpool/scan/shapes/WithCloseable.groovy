package shapes

import groovy.transform.CompileStatic
import java.lang.foreign.Arena

@CompileStatic
class WithCloseable {
  long closure() {
    // -> confined: closed on all paths; passed; bytes unknown
    Arena.ofConfined().withCloseable { it.allocate(8).address() }
  }

  long nested() {
    // -> confined: closed on all paths; passed; bytes unknown
    Arena.ofConfined().withCloseable { Arena a ->
      // -> shared: closed on all paths; passed; bytes unknown
      Arena.ofShared().withCloseable { Arena b -> a.allocate(8).address() + b.allocate(8).address() }
    }
  }

  long lambda() {
    // -> confined: closed on all paths; passed; bytes unknown
    Arena.ofConfined().withCloseable((Arena arena) -> arena.allocate(8).address())
  }

  long statement() {
    // -> confined: try-with-resources; 8 bytes
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(8).address()
    }
  }

  Closure<Arena> handsOut() {
    // -> confined: method reference or lambda; bytes unknown
    return { Arena.ofConfined() }
  }

  long never() {
    // -> confined: never closed in sight; 8 bytes
    return Arena.ofConfined().allocate(8).address()
  }
}

@CompileStatic
class LazyProperty implements AutoCloseable {
  // -> shared: left to its holder; returned, stored; bytes unknown
  @Lazy Arena arena = Arena.ofShared()

  void close() {
    arena.close()
  }
}
