package shapes

import shapes.library.ValueArena
import shapes.library.WrappedArena
import shapes.library.withArena

class Inlined {
    fun fromAnotherFile(): Long = withArena { it.allocate(8).address() }

    fun returnsFromWithin(): Long {
        withArena {
            if (it.allocate(8).address() == 0L) return 1
        }
        return 0
    }

    // -> confined: left to its holder; passed; bytes unknown
    fun valueClass(): Long = ValueArena(java.lang.foreign.Arena.ofConfined()).use { it.arena.allocate(8).address() }

    fun valueClassByHand(): Long {
        // -> confined: closed on all paths; passed; bytes unknown
        val value = ValueArena(java.lang.foreign.Arena.ofConfined())
        try {
            return value.arena.allocate(8).address()
        } finally {
            value.close()
        }
    }

    // -> confined: left to its holder; passed; bytes unknown
    fun wrapped(): Long = WrappedArena(java.lang.foreign.Arena.ofConfined()).use { it.arena.allocate(8).address() }

    suspend fun suspended(): Long {
        // -> shared: closing unknown; bytes unknown
        val arena = java.lang.foreign.Arena.ofShared()
        try {
            pause()
            return arena.allocate(8).address()
        } finally {
            arena.close()
        }
    }

    suspend fun pause() {}

    // -> shared: method reference or lambda; bytes unknown
    val handedOut by lazy { java.lang.foreign.Arena.ofShared() }
}
