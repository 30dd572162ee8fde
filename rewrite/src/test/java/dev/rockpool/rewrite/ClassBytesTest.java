package dev.rockpool.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.rewrite.ClassBytes.Method;
import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The JDK's own reader of class files finds the same instructions. */
class ClassBytesTest {
  @ParameterizedTest
  @EnumSource
  void instructionsHaveTheLengthThatTheJdkKnows(Opcode opcode) {
    if (opcode.sizeIfFixed() > 0) {
      byte[] code = new byte[16];
      code[0] = (byte) (opcode.isWide() ? 196 : opcode.bytecode());
      code[1] = (byte) opcode.bytecode();

      assertThat(next(code)).isEqualTo(opcode.sizeIfFixed());
    }
  }

  private static int next(byte[] code) {
    byte[] smallest = ClassFile.of().build(ClassDesc.of("Any"), any -> {});
    byte[] both = Arrays.copyOf(smallest, smallest.length + code.length);
    System.arraycopy(code, 0, both, smallest.length, code.length);
    return new ClassBytes(both).next(new Method(0, smallest.length - 8), smallest.length)
        - smallest.length;
  }

  /** Among them all kinds of switches. */
  @Test
  void allInstructionsOfAPackageOfTheJdkAreFound() throws IOException {
    Path folder =
        FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base/java/util");
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(file -> file.toString().endsWith(".class")).toList();
    }
    assertThat(files).hasSizeGreaterThan(300);
    for (Path file : files) {
      byte[] classFile = Files.readAllBytes(file);
      assertThat(opcodes(classFile)).as(file.toString()).isEqualTo(opcodesByJdk(classFile));
    }
  }

  private static List<Integer> opcodes(byte[] classFile) {
    ClassBytes bytes = new ClassBytes(classFile);
    List<Integer> opcodes = new ArrayList<>();
    for (Method method : bytes.methods()) {
      int at = bytes.start(method);
      while (at < bytes.end(method)) {
        opcodes.add(bytes.u1(at));
        at = bytes.next(method, at);
      }
      assertThat(at).isEqualTo(bytes.end(method));
    }
    return opcodes;
  }

  private static List<Integer> opcodesByJdk(byte[] classFile) {
    ClassModel model = ClassFile.of().parse(classFile);
    List<Integer> opcodes = new ArrayList<>();
    for (MethodModel method : model.methods()) {
      for (CodeElement element : method.code().map(CodeModel::elementList).orElse(List.of())) {
        if (element instanceof Instruction instruction) {
          Opcode opcode = instruction.opcode();
          opcodes.add(opcode.isWide() ? 196 : opcode.bytecode());
        }
      }
    }
    return opcodes;
  }

  /** As the specification allows it, and compilers do that move code. */
  @Test
  void linesMayStandInAnyOrder() {
    byte[] sorted =
        Sources.compile(
                Sources.RELEASE,
                """
                class A {
                  int a(int i) {
                    i++;
                    i += Math.abs(i);
                    return i;
                  }
                }
                """)
            .get("A");
    String text = new String(sorted, StandardCharsets.ISO_8859_1);
    String ascending = "\0\0\0\3" + "\0\3\0\4" + "\0\n\0\5";
    String descending = "\0\n\0\5" + "\0\3\0\4" + "\0\0\0\3";
    byte[] reversed = text.replace(ascending, descending).getBytes(StandardCharsets.ISO_8859_1);

    assertThat(reversed).isNotEqualTo(sorted);
    assertThat(lines(sorted)).containsExactly(3, 4, 4, 4, 4, 4, 5, 5).isEqualTo(lines(reversed));
  }

  /** Returns the line of each instruction of the last method. */
  private static List<Integer> lines(byte[] classFile) {
    ClassBytes bytes = new ClassBytes(classFile);
    Method method = bytes.methods().getLast();
    List<Integer> lines = new ArrayList<>();
    for (int at = bytes.start(method); at < bytes.end(method); at = bytes.next(method, at)) {
      lines.add(bytes.line(method, at));
    }
    return lines;
  }
}
