package dev.rockpool.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.rewrite.Redirected.Rewritten;
import dev.rockpool.testing.ClassesInMemory;
import dev.rockpool.testing.Sources;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.InterfaceMethodRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Class files that javac does not make, or not often. */
class CallSitesOddClassesTest {
  private static final ClassDesc ARENA = Arena.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc OPEN = MethodTypeDesc.of(ARENA);
  private static final int JAVA_8 = 52;

  @Test
  void classFilesOfJava8AreRewritten() throws Exception {
    byte[] classFile =
        ClassFile.of()
            .build(
                ClassDesc.of("Sample"),
                sample ->
                    sample
                        .withVersion(JAVA_8, 0)
                        .withMethodBody(
                            "open",
                            OPEN,
                            ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                            code -> code.invokestatic(ARENA, "ofConfined", OPEN, true).areturn()));

    Rewritten rewritten = Redirected.rewrite(classFile);

    assertThat(rewritten.count()).isEqualTo(1);
    ((Arena) load(rewritten.bytes()).getMethod("open").invoke(null)).close();
    assertThat(Redirected.callsSinceLastAsked()).isEqualTo(1);
  }

  @Test
  void aMethodHandleConstantIsRedirected() throws Throwable {
    byte[] classFile =
        ClassFile.of()
            .build(
                ClassDesc.of("Sample"),
                sample ->
                    sample.withMethodBody(
                        "open",
                        MethodTypeDesc.of(ConstantDescs.CD_MethodHandle),
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                        code ->
                            code.loadConstant(
                                    MethodHandleDesc.ofMethod(
                                        DirectMethodHandleDesc.Kind.INTERFACE_STATIC,
                                        ARENA,
                                        "ofConfined",
                                        OPEN))
                                .areturn()));

    Rewritten rewritten = Redirected.rewrite(classFile);

    assertThat(rewritten.count()).isEqualTo(1);
    MethodHandle handle = (MethodHandle) load(rewritten.bytes()).getMethod("open").invoke(null);
    ((Arena) handle.invokeExact()).close();
    assertThat(Redirected.callsSinceLastAsked()).isEqualTo(1);
  }

  /** Tools that merge or obfuscate classes do not always unite equal entries, as javac does. */
  @Test
  void aMethodThatThePoolHoldsTwiceIsRedirectedTwice() throws Exception {
    byte[] classFile =
        Sources.compile(
                Sources.RELEASE,
                """
                import java.lang.foreign.Arena;

                public class Sample {
                  public static Object open() {
                    Arena.ofConfined().close();
                    Arena.ofShared().close();
                    return null;
                  }
                }
                """)
            .get("Sample");
    byte[] twice = withOfSharedMadeOfConfined(classFile);

    Rewritten rewritten = Redirected.rewrite(twice);

    assertThat(rewritten.count()).isEqualTo(2);
    load(rewritten.bytes()).getMethod("open").invoke(null);
    assertThat(Redirected.callsSinceLastAsked()).isEqualTo(2);
  }

  /** A serialized lambda states the owner of its method, and is looked up by it again. */
  @Test
  void aClassWithASerializableReferenceStaysAsItIs() {
    byte[] classFile =
        Sources.compile(
                Sources.RELEASE,
                """
                import java.io.Serializable;
                import java.lang.foreign.Arena;
                import java.util.function.Supplier;

                public class Sample {
                  static final Object REFERENCE = (Supplier<Arena> & Serializable) Arena::ofConfined;
                  static Arena open() { return Arena.ofConfined(); }
                }
                """)
            .get("Sample");

    assertThat(Redirected.rewrite(classFile)).isNull();
  }

  @Test
  void aSerializableLambdaMayOpenArenas() throws Exception {
    byte[] classFile =
        Sources.compile(
                Sources.RELEASE,
                """
                import java.io.Serializable;
                import java.lang.foreign.Arena;
                import java.util.function.Supplier;

                public class Sample {
                  public static Object open() {
                    return (Supplier<Arena> & Serializable) () -> Arena.ofConfined();
                  }
                }
                """)
            .get("Sample");

    Rewritten rewritten = Redirected.rewrite(classFile);

    assertThat(rewritten.count()).isEqualTo(1);
    Supplier<?> lambda = (Supplier<?>) load(rewritten.bytes()).getMethod("open").invoke(null);
    ((Arena) lambda.get()).close();
    assertThat(Redirected.callsSinceLastAsked()).isEqualTo(1);
  }

  @Test
  void whatIsNoClassFileIsRefused() {
    byte[] garbage = "no class file, but ofConfined".getBytes(StandardCharsets.US_ASCII);

    assertThat(RedirectedMethod.OF_CONFINED.mayBeIn(garbage)).isTrue();
    assertThatThrownBy(() -> Redirected.rewrite(garbage))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Gives the entry for {@code ofShared} the name and type of the one for {@code ofConfined}. */
  private static byte[] withOfSharedMadeOfConfined(byte[] classFile) {
    ClassModel model = ClassFile.of().parse(classFile);
    byte[] changed = classFile.clone();
    int shared = startOf(classFile, methodOfArena(model, "ofShared"));
    ByteBuffer.wrap(changed)
        .putShort(shared + 3, (short) methodOfArena(model, "ofConfined").nameAndType().index());
    return changed;
  }

  private static InterfaceMethodRefEntry methodOfArena(ClassModel model, String name) {
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof InterfaceMethodRefEntry method && method.name().equalsString(name)) {
        return method;
      }
    }
    throw new AssertionError(name);
  }

  private static int startOf(byte[] classFile, PoolEntry entry) {
    ConstantPoolEntries cut = ConstantPoolEntries.of(classFile);
    int hexDigits = String.join("", cut.entries().subList(0, entry.index())).length();
    return 8 + 2 + hexDigits / 2;
  }

  private static Class<?> load(byte[] classFile) throws ClassNotFoundException {
    return new ClassesInMemory(Map.of("Sample", classFile)).loadClass("Sample");
  }
}
