package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said where the linker of a JDK is not as expected. */
class LinkerTransformerTest {
  private static final byte[] WITHOUT_THE_METHOD =
      ClassFile.of().build(ClassDesc.ofInternalName(LinkerMethod.OWNER), made -> {});

  private static String said(boolean verbose, String className, byte[] classFile) {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      LinkerTransformer transformer = new LinkerTransformer(verbose, new PooledClasses(null));
      Module base = Object.class.getModule();
      assertThat(transformer.transform(base, null, className, null, null, classFile)).isNull();
    } finally {
      System.setErr(before);
    }
    return said.toString(StandardCharsets.UTF_8).strip();
  }

  @ParameterizedTest
  @CsvSource({
    "true, '[rockpool] buffers of native calls can''t be pooled on this JDK, which goes on with its"
        + " own: it has no method as expected'",
    "false, ''"
  })
  void aJdkWithoutTheMethodIsToldOfUnderVerboseAlone(boolean verbose, String line) {
    assertThat(said(verbose, LinkerMethod.OWNER, WITHOUT_THE_METHOD)).isEqualTo(line);
  }

  @Test
  void whatIsNoClassFileIsTold() {
    assertThat(said(false, LinkerMethod.OWNER, new byte[] {1, 2, 3}))
        .startsWith("[rockpool] buffers of native calls can't be pooled on this JDK")
        .doesNotContain("\n");
  }

  @Test
  void otherClassesAreNotLookedAt() {
    assertThat(said(true, "java/lang/Object", new byte[] {1, 2, 3})).isEmpty();
  }
}
