package shapes.library

import java.lang.foreign.Arena

inline fun <T> withArena(body: (Arena) -> T): T {
    // -> confined: closed on all paths; passed; bytes unknown
    // -> confined: closed on all paths; 8 bytes
    // -> confined: closed on all paths; 8 bytes
    val arena = Arena.ofConfined()
    try {
        return body(arena)
    } finally {
        arena.close()
    }
}

@JvmInline
value class ValueArena(val arena: Arena) : AutoCloseable {
    override fun close() = arena.close()
}

class WrappedArena(val arena: Arena) : AutoCloseable {
    override fun close() = arena.close()
}
