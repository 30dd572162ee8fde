package dev.rockpool.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.ClassesInMemory;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rewritten classes of the JDK, which stay where they are not as expected. */
class JdkClassesTest {
  private static final String HERE = "dev/rockpool/rewrite/JdkClassesTest";
  private static final ClassDesc ARENA = Arena.class.describeConstable().orElseThrow();
  private static final Arena POOLED = Arena.ofAuto();

  /** The stand-in for the pool, which serves up to 16 bytes. */
  public static @Nullable Arena open(long byteSize) {
    return byteSize <= 16 ? POOLED : null;
  }

  /** A class in this package with one method, which returns the global arena. */
  private static byte[] withMethod(String name, Class<?> second, int flags) {
    ClassDesc size = long.class.describeConstable().orElseThrow();
    return ClassFile.of()
        .build(
            ClassDesc.of("dev.rockpool.rewrite.Linked"),
            made ->
                ClassesInMemory.withConstructor(made)
                    .withMethodBody(
                        name,
                        MethodTypeDesc.of(ARENA, size, second.describeConstable().orElseThrow()),
                        flags,
                        code ->
                            code.invokestatic(ARENA, "global", MethodTypeDesc.of(ARENA), true)
                                .areturn()));
  }

  private static byte @Nullable [] linker(byte[] classFile) {
    return JdkClasses.poolLinkerBuffers(classFile, HERE, "open");
  }

  private static byte @Nullable [] cleaner(byte[] classFile) {
    return JdkClasses.redirect(classFile, JdkClasses.Call.CLEAN, HERE, "invokeCleaner");
  }

  @Test
  void whatIsNotAsExpectedIsLeftAlone() {
    int isStatic = ClassFile.ACC_STATIC | ClassFile.ACC_PUBLIC;
    assertThat(linker(withMethod("push", long.class, ClassFile.ACC_PUBLIC))).isNull();
    assertThat(linker(withMethod("pushFrame", int.class, ClassFile.ACC_PUBLIC))).isNull();
    assertThat(linker(withMethod("pushFrame", long.class, isStatic))).isNull();
    assertThat(cleaner(withMethod("invokeCleaner", long.class, ClassFile.ACC_PUBLIC))).isNull();
  }

  @Test
  void theLinkerAsksThePoolFirst() throws Throwable {
    byte[] rewritten = linker(withMethod("pushFrame", long.class, ClassFile.ACC_PUBLIC));
    assertThat(rewritten).isNotNull();
    Class<?> linked = MethodHandles.lookup().defineClass(rewritten);
    Object stack = linked.getConstructor().newInstance();
    var method = linked.getMethod("pushFrame", long.class, long.class);
    assertThat(method.invoke(stack, 16L, 8L)).isSameAs(POOLED);
    assertThat(method.invoke(stack, 17L, 8L)).isEqualTo(Arena.global());
  }

  /** Those of the JDK which runs this are as expected, and stay class files that verify. */
  @Test
  void theJdksOwn() throws IOException {
    byte[] linker = linker(bytes(JdkClasses.LINKER));
    assertThat(linker).isNotNull();
    assertThat(ClassFile.of().verify(linker)).isEmpty();
    for (JdkClasses.Call call : JdkClasses.Call.values()) {
      byte[] redirected = JdkClasses.redirect(bytes(call.in), call, HERE, "called");
      assertThat(redirected).isNotNull();
      assertThat(ClassFile.of().verify(redirected)).isEmpty();
    }
  }

  private static byte[] bytes(String name) throws IOException {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      return in.readAllBytes();
    }
  }
}
