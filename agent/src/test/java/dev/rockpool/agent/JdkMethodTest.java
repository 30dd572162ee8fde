package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The lines on a method of the JDK that is not as expected. */
class JdkMethodTest {
  @RegisterExtension private final StandardError told = new StandardError();

  private static byte[] withoutTheMethod(JdkMethod method) {
    return ClassFile.of().build(ClassDesc.ofInternalName(method.owner), made -> {});
  }

  private List<String> said(JdkMethod method, boolean verbose, String className, byte[] classFile) {
    String options = "linker,direct,verbose=" + (verbose ? "on" : "off");
    AgentReport report = new AgentReport("test", AgentOptions.parse(options));
    LibraryInJavaBase library = new LibraryInJavaBase(AgentTransformerTest.refused(), false);
    AgentTransformer transformer = new AgentTransformer(null, report, library, library);
    Module base = Object.class.getModule();
    assertThat(transformer.transform(base, null, className, null, null, classFile)).isNull();
    return told.lines();
  }

  @ParameterizedTest
  @CsvSource({
    "LINKER, true, '[rockpool] buffers of native calls can''t be pooled on this JDK, which goes on"
        + " with its own: it has no method as expected'",
    "LINKER, false, ''",
    "CLEANER, true, '[rockpool] Unsafe.invokeCleaner can''t free direct buffers of ours on this"
        + " JDK, and leaves them to the collector: it has no method as expected'",
    "CLEANER, false, ''"
  })
  void aJdkWithoutTheMethodIsToldOfUnderVerboseAlone(
      JdkMethod method, boolean verbose, String line) {
    assertThat(said(method, verbose, method.owner, withoutTheMethod(method)))
        .isEqualTo(line.lines().toList());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNoClassFileIsTold(JdkMethod method) {
    assertThat(said(method, false, method.owner, new byte[] {1, 2, 3}))
        .singleElement()
        .asString()
        .startsWith("[rockpool] " + method.without + ": ");
  }

  @ParameterizedTest
  @EnumSource
  void otherClassesAreNotLookedAt(JdkMethod method) {
    assertThat(said(method, true, "java/lang/Object", new byte[] {1, 2, 3})).isEmpty();
  }
}
