package shapes

import java.lang.foreign.Arena
import java.lang.foreign.MemoryLayout
import java.lang.foreign.ValueLayout

val LAYOUT: MemoryLayout = MemoryLayout.structLayout(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)

class Escapes {
    // -> shared: never closed in sight; stored; bytes unknown
    val kept = Arena.ofShared()

    fun returned(): Arena {
        // -> confined: never closed in sight; returned; bytes unknown
        return Arena.ofConfined()
    }

    fun captured(): () -> Unit {
        // -> confined: left to its holder; captured; bytes unknown
        val arena = Arena.ofConfined()
        return { arena.close() }
    }

    fun sizeOfProperty() {
        // -> confined: Kotlin's use; 8 bytes
        Arena.ofConfined().use { it.allocate(LAYOUT) }
    }
}
