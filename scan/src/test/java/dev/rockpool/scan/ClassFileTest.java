package dev.rockpool.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassModel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClassFileTest {
  private static byte[] classFile(Class<?> type) throws IOException {
    String name = type.getName().replace('.', '/') + ".class";
    try (InputStream stream = ClassLoader.getSystemResourceAsStream(name)) {
      return stream.readAllBytes();
    }
  }

  /** Behind the pool are access flags, the class itself, and the class above it, two bytes each. */
  private static int end(byte[] file) {
    ClassModel model = java.lang.classfile.ClassFile.of().parse(file);
    int flags = model.flags().flagsMask();
    int self = model.thisClass().index();
    int above = model.superclass().orElseThrow().index();
    return IntStream.range(10, file.length - 6)
        .filter(i -> shortAt(file, i) == flags)
        .filter(i -> shortAt(file, i + 2) == self && shortAt(file, i + 4) == above)
        .findFirst()
        .orElseThrow();
  }

  private static int shortAt(byte[] file, int at) {
    return (file[at] & 0xFF) << 8 | (file[at + 1] & 0xFF);
  }

  @ParameterizedTest
  @ValueSource(classes = {Math.class, String.class, ClassFileTest.class, Contents.class})
  void endsWhereItEnds(Class<?> type) throws IOException {
    byte[] file = classFile(type);
    int end = end(file);

    for (int step : new int[] {1, 7, 1000}) {
      ClassFile.ConstantPool pool = new ClassFile.ConstantPool();
      int length = step;
      while (!pool.endsWithin(file, length)) {
        length += step;
      }
      assertThat(length).isBetween(end, end + step - 1);
    }
  }

  @Test
  void doesNotEndInAFileThatIsCut() throws IOException {
    byte[] file = classFile(String.class);
    byte[] cut = Arrays.copyOf(file, end(file) - 1);

    assertThat(new ClassFile.ConstantPool().endsWithin(cut, cut.length)).isFalse();
  }

  @Test
  void mattersOnlyByWhatWasRead() {
    byte[] text = "\u00ffjava/lang/foreign/x".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(ClassFile.mayMatter(text, text.length)).isTrue();
    assertThat(ClassFile.mayMatter(text, text.length - 2)).isFalse();
    byte[] closer = "(Ljava/lang/AutoCloseable;)V".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(ClassFile.mayMatter(closer, closer.length)).isTrue();
    assertThat(ClassFile.mayMatter(closer, closer.length - 1)).isFalse();
  }
}
