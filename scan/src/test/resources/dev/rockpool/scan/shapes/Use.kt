package shapes

import java.lang.foreign.Arena

class Use {
    fun inlined(): Long {
        // -> confined: Kotlin's use; 8 bytes
        return Arena.ofConfined().use { arena -> arena.allocate(8).address() }
    }

    fun returnsFromWithin(values: LongArray): Long {
        for (value in values) {
            // -> confined: Kotlin's use; in a loop; 4 bytes
            Arena.ofConfined().use { arena ->
                if (value == 0L) return arena.allocate(4).address()
            }
        }
        return 0
    }

    fun nested() {
        // -> confined: Kotlin's use; 1 byte
        Arena.ofConfined().use { outer ->
            outer.allocate(1)
            // -> confined: Kotlin's use; nested; 2 bytes
            Arena.ofConfined().use { inner -> inner.allocate(2) }
        }
    }

    fun variable() {
        // -> confined: Kotlin's use; 8 bytes
        val arena: Arena = Arena.ofConfined()
        arena.use { it.allocate(8) }
    }

    fun byHand() {
        // -> confined: closed on all paths; 8 bytes
        val arena = Arena.ofConfined()
        try {
            arena.allocate(8)
        } finally {
            arena.close()
        }
    }
}
