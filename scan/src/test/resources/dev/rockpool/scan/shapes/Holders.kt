package shapes

import java.lang.foreign.Arena

open class OpenProperty : AutoCloseable {
    // -> shared: left to its holder; stored; bytes unknown
    protected open val arena: Arena = Arena.ofShared()

    override fun close() = arena.close()
}

class LateProperty : AutoCloseable {
    private var arena: Arena? = null
    lateinit var late: Arena

    fun open() {
        // -> shared: left to its holder; stored; bytes unknown
        arena = Arena.ofShared()
        // -> shared: left to its holder; passed, nested; bytes unknown
        late = Arena.ofShared()
    }

    override fun close() {
        arena?.close()
        late.close()
    }
}

class InCompanion {
    companion object {
        // -> shared: left to its holder; stored; bytes unknown
        private val arena = Arena.ofShared()

        fun close() = arena.close()
    }
}

// -> shared: left to its holder; stored; bytes unknown
private val ofTheFile = Arena.ofShared()

fun closeThatOfTheFile() = ofTheFile.close()
