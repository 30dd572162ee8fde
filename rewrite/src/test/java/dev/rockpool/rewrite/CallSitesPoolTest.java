package dev.rockpool.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.ClassesInMemory;
import dev.rockpool.testing.Sources;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ConstantPoolBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Constant pools of all sizes, with entries of all lengths in front of the one that counts. */
class CallSitesPoolTest {
  private static final ClassDesc ARENA = Arena.class.describeConstable().orElseThrow();

  /** The constant_pool_count of the largest pool there can be: indices up to 65534. */
  private static final int FULL = 0xFFFF;

  @Test
  void entriesOfEveryKindAreSteppedOver() throws Exception {
    byte[] classFile =
        Sources.compile(
                Sources.RELEASE,
                """
                import java.lang.foreign.Arena;
                import java.util.function.*;

                public class Sample implements Runnable {
                  static final long LONG = 0x0b0a_0b0a_0b0aL;
                  static final double DOUBLE = Math.PI;
                  static final float FLOAT = 1.5f;
                  static final int INT = 123456789;
                  static final String STRING = "a string \\0 \\uD83D\\uDE00 ofConfined";
                  static final Object TYPE = Sample.class;
                  Supplier<Runnable> constructor = () -> new Sample();
                  IntFunction<long[][]> array = long[][]::new;
                  Function<Object, String> virtual = Object::toString;
                  static String indy(Object o) {
                    return o + STRING + DOUBLE + switch (o) {
                      case Long l -> l + LONG + "";
                      case Integer i -> i / FLOAT + INT + "";
                      default -> "";
                    };
                  }
                  @Override public void run() {
                    indy(2L + indy(3).length());
                    Arena.ofConfined().close();
                  }
                }
                """)
            .get("Sample");

    assertRedirected(classFile);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 0x7FFF, 0x8000, 0xFFFF})
  void textsOfEveryLengthAreSteppedOver(int length) throws Exception {
    byte[] classFile = sample(pool -> pool.utf8Entry("x".repeat(length)));

    assertRedirected(classFile);
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 32_768, 65_500})
  void theEntryMayStandAnywhereInAPool(int entriesBefore) throws Exception {
    byte[] classFile =
        sample(
            pool -> {
              for (int i = 1; i < entriesBefore; i++) {
                pool.intEntry(i);
              }
            });

    assertThat(ClassFile.of().parse(classFile).constantPool().size()).isGreaterThan(entriesBefore);
    assertRedirected(classFile);
  }

  @Test
  void aPoolWithRoomForTwoMoreIsFilled() throws Exception {
    byte[] classFile = sampleOfSize(FULL - 2);

    byte[] redirected = assertRedirected(classFile);

    assertThat(ClassFile.of().parse(redirected).constantPool().size()).isEqualTo(FULL);
  }

  @ParameterizedTest
  @ValueSource(ints = {FULL - 1, FULL})
  void aClassWithoutRoomForTwoMoreStaysAsItIs(int poolSize) throws Exception {
    byte[] classFile = sampleOfSize(poolSize);

    assertThat(RedirectedMethod.OF_CONFINED.mayBeIn(classFile)).isTrue();
    assertThat(Redirected.rewrite(classFile)).isNull();
    assertThat(redirectedCalls(classFile)).as("calls redirected").isZero();
  }

  @Test
  void roomForCallsIsRoomForAllTheirConstants() {
    int size = FULL - 400;
    CallSites sites = CallSites.in(sampleOfSize(size), Set.of(RedirectedMethod.OF_CONFINED));
    int calls = 0;
    while (sites.hasRoomFor(calls + 1)) {
      calls++;
    }

    byte[] redirected = sites.redirectedTo(Map.of(), Map.of(sites.calls.getFirst(), "Target"));

    int ofEach = ClassFile.of().parse(redirected).constantPool().size() - size;
    assertThat(ofEach * calls).isPositive().isLessThanOrEqualTo(400);
  }

  private static byte[] sampleOfSize(int poolSize) {
    int least = ClassFile.of().parse(sample(pool -> {})).constantPool().size();
    byte[] classFile =
        sample(
            pool -> {
              for (int i = least; i < poolSize; i++) {
                pool.intEntry(i);
              }
            });
    assertThat(ClassFile.of().parse(classFile).constantPool().size()).isEqualTo(poolSize);
    return classFile;
  }

  /** A class that opens one arena, what it needs standing behind {@code first} in its pool. */
  private static byte[] sample(Consumer<ConstantPoolBuilder> first) {
    ConstantPoolBuilder pool = ConstantPoolBuilder.of();
    first.accept(pool);
    return ClassFile.of()
        .build(
            pool.classEntry(ClassDesc.of("Sample")),
            pool,
            sample ->
                ClassesInMemory.withConstructor(
                        sample
                            .withFlags(ClassFile.ACC_PUBLIC)
                            .withInterfaceSymbols(Runnable.class.describeConstable().orElseThrow()))
                    .withMethodBody(
                        "run",
                        ConstantDescs.MTD_void,
                        ClassFile.ACC_PUBLIC,
                        code ->
                            code.invokestatic(ARENA, "ofConfined", MethodTypeDesc.of(ARENA), true)
                                .invokeinterface(ARENA, "close", ConstantDescs.MTD_void)
                                .return_()));
  }

  private static byte[] assertRedirected(byte[] classFile) throws Exception {
    byte[] redirected = Redirected.rewrite(classFile).bytes();
    assertThat(redirectedCalls(classFile)).as("calls redirected before").isZero();
    assertThat(redirectedCalls(redirected)).as("calls redirected after").isEqualTo(1);
    return redirected;
  }

  private static int redirectedCalls(byte[] classFile) throws Exception {
    Class<?> sample = new ClassesInMemory(Map.of("Sample", classFile)).loadClass("Sample");
    ((Runnable) sample.getConstructor().newInstance()).run();
    return Redirected.callsSinceLastAsked();
  }
}
