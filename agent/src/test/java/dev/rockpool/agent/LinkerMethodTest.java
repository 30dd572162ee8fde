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
  /** A class in this package with one method, which returns the global arena. */
  private static byte[] withMethod(String name, Class<?> second, int flags) {
    ClassDesc arena = Arena.class.describeConstable().orElseThrow();
    ClassDesc size = long.class.describeConstable().orElseThrow();
    return ClassFile.of()
        .build(
            ClassDesc.of("dev.rockpool.agent.Linked"),
            made ->
                ClassesInMemory.withConstructor(made)
                    .withMethodBody(
                        name,
                        MethodTypeDesc.of(arena, size, second.describeConstable().orElseThrow()),
                        flags,
                        code ->
                            code.invokestatic(arena, "global", MethodTypeDesc.of(arena), true)
                                .areturn()));
  }

  @Test
  void whatIsNotAsExpectedIsLeftAlone() {
    int isStatic = ClassFile.ACC_STATIC | ClassFile.ACC_PUBLIC;
    assertThat(LinkerMethod.rewrite(withMethod("push", long.class, ClassFile.ACC_PUBLIC))).isNull();
    assertThat(LinkerMethod.rewrite(withMethod("pushFrame", int.class, ClassFile.ACC_PUBLIC)))
        .isNull();
    assertThat(LinkerMethod.rewrite(withMethod("pushFrame", long.class, isStatic))).isNull();
  }

  /** In this JVM the pool is not defined in java.base: the JDK's way remains. */
  @Test
  void whereThePoolIsUnusableTheJdkHasItsWay() throws Throwable {
    byte[] rewritten =
        LinkerMethod.rewrite(withMethod("pushFrame", long.class, ClassFile.ACC_PUBLIC));
    Class<?> linked = MethodHandles.lookup().defineClass(rewritten);
    Object stack = linked.getConstructor().newInstance();
    for (int i = 0; i < 2; i++) {
      Arena arena =
          (Arena) linked.getMethod("pushFrame", long.class, long.class).invoke(stack, 16L, 8L);
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
