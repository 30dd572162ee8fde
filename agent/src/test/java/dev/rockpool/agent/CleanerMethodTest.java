package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.agent.JdkMethod.CleanerMethod;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The rewrite of {@code Unsafe.invokeCleaner}, which stays where it is not as expected. */
class CleanerMethodTest {
  /** A class in this package with one method, which clears the buffer. */
  private static byte[] withMethod(String name, Class<?> parameter, int flags) {
    ClassDesc buffer = ByteBuffer.class.describeConstable().orElseThrow();
    return ClassFile.of()
        .build(
            ClassDesc.of("dev.rockpool.agent.Cleaned"),
            made ->
                ClassesInMemory.withConstructor(made.withFlags(ClassFile.ACC_PUBLIC))
                    .withMethodBody(
                        name,
                        MethodTypeDesc.of(
                            ConstantDescs.CD_void, parameter.describeConstable().orElseThrow()),
                        flags,
                        code ->
                            code.aload(code.parameterSlot(0))
                                .checkcast(buffer)
                                .invokevirtual(buffer, "clear", MethodTypeDesc.of(buffer))
                                .pop()
                                .return_()));
  }

  @Test
  void whatIsNotAsExpectedIsLeftAlone() {
    int normal = ClassFile.ACC_PUBLIC;
    int ofClass = ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC;
    assertThat(CleanerMethod.rewrite(withMethod("clean", ByteBuffer.class, normal))).isNull();
    assertThat(CleanerMethod.rewrite(withMethod("invokeCleaner", Object.class, normal))).isNull();
    assertThat(CleanerMethod.rewrite(withMethod("invokeCleaner", ByteBuffer.class, ofClass)))
        .isNull();
  }

  /** In this JVM our classes are not defined in java.base: what the JDK does remains. */
  @Test
  void whereOursIsUnusableTheJdkHasDoneItsPart() throws Exception {
    byte[] rewritten =
        CleanerMethod.rewrite(withMethod("invokeCleaner", ByteBuffer.class, ClassFile.ACC_PUBLIC));
    Object cleaned = MethodHandles.lookup().defineClass(rewritten).getConstructor().newInstance();
    for (int i = 0; i < 2; i++) {
      ByteBuffer buffer = ByteBuffer.allocate(8).position(3);
      cleaned.getClass().getMethod("invokeCleaner", ByteBuffer.class).invoke(cleaned, buffer);
      assertThat(buffer.position()).isZero();
    }
  }

  /** That of the JDK which runs this is as expected, and stays a class file that verifies. */
  @Test
  void theJdksOwn() throws IOException {
    String file = CleanerMethod.OWNER + ".class";
    try (InputStream in = ClassLoader.getSystemResourceAsStream(file)) {
      byte[] rewritten = CleanerMethod.rewrite(in.readAllBytes());
      assertThat(rewritten).isNotNull();
      assertThat(ClassFile.of().verify(rewritten)).isEmpty();
    }
  }
}
