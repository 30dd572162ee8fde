package dev.rockpool.cli.scan.flow;

import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** Calls that Kotlin's compiler makes of its own accord. */
final class Kotlin {
  /** Where {@code closeFinally} is, by version of the library and kind of resource. */
  private static final Set<String> USE =
      Set.of("kotlin/AutoCloseableKt", "kotlin/jdk7/AutoCloseableKt", "kotlin/io/CloseableKt");

  private Kotlin() {}

  /** Whether it is the end of {@code use}: closes the first of two arguments. */
  static boolean isCloseOfUse(MethodInsnNode call) {
    return call.name.equals("closeFinally") && USE.contains(call.owner);
  }

  /** Whether it refuses null as the first of two arguments, and does nothing else with it. */
  static boolean isNullCheck(MethodInsnNode call) {
    return call.owner.equals("kotlin/jvm/internal/Intrinsics")
        && call.name.startsWith("check")
        && call.desc.equals("(Ljava/lang/Object;Ljava/lang/String;)V");
  }
}
