package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.agent.JdkMethod.LinkerMethod;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import org.junit.jupiter.api.Test;

/** The rewrite of the linker's method, which stays where it is not as expected. */
class LinkerMethodTest {
  private static final int STATIC = ClassFile.ACC_STATIC | ClassFile.ACC_PUBLIC;

  /** A class in this package with one method, which returns the global arena. */
  private static byte[] withMethod(String name, Class<?> parameter, int flags) {
    ClassDesc arena = Arena.class.describeConstable().orElseThrow();
    return ClassFile.of()
        .build(
            ClassDesc.of("dev.rockpool.agent.Linked"),
            made ->
                made.withMethodBody(
                    name,
                    MethodTypeDesc.of(arena, parameter.describeConstable().orElseThrow()),
                    flags,
                    code ->
                        code.invokestatic(arena, "global", MethodTypeDesc.of(arena), true)
                            .areturn()));
  }

  @Test
  void whatIsNotAsExpectedIsLeftAlone() {
    assertThat(LinkerMethod.rewrite(withMethod("newArena", long.class, STATIC))).isNull();
    assertThat(LinkerMethod.rewrite(withMethod("newBoundedArena", int.class, STATIC))).isNull();
    assertThat(
            LinkerMethod.rewrite(withMethod("newBoundedArena", long.class, ClassFile.ACC_PUBLIC)))
        .isNull();
  }

  /** In this JVM the pool is not defined in java.base: the JDK's way remains. */
  @Test
  void whereThePoolIsUnusableTheJdkHasItsWay() throws Throwable {
    byte[] rewritten = LinkerMethod.rewrite(withMethod("newBoundedArena", long.class, STATIC));
    Class<?> linked = MethodHandles.lookup().defineClass(rewritten);
    for (int i = 0; i < 2; i++) {
      Arena arena = (Arena) linked.getMethod("newBoundedArena", long.class).invoke(null, 16L);
      assertThat(arena.scope()).isEqualTo(MemorySegment.NULL.scope());
    }
  }

  /** That of the JDK which runs this is as expected, and stays a class file that verifies. */
  @Test
  void theJdksOwn() throws IOException {
    String file = "/" + LinkerMethod.OWNER + ".class";
    try (InputStream in = Object.class.getResourceAsStream(file)) {
      byte[] rewritten = LinkerMethod.rewrite(in.readAllBytes());
      assertThat(rewritten).isNotNull();
      assertThat(ClassFile.of().verify(rewritten)).isEmpty();
    }
  }
}
