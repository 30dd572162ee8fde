package dev.rockpool.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.rewrite.OwnerClass.End;
import dev.rockpool.testing.Sources;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Constructors and closing methods call ours, and otherwise do what they did. */
public class OwnerClassTest {
  private static final String TARGET = "dev/rockpool/rewrite/OwnerClassTest";
  private static final List<String> CALLS = new ArrayList<>();

  private static final String PEER =
      """
      public class Peer implements AutoCloseable {
        private final long nativeHandle;
        final StringBuilder done = new StringBuilder();

        /** Several ways to the end, with frames of each kind. */
        public Peer(int way) {
          this(way > 100 ? new Object() : "text", way);
          if (way == 1) {
            return;
          }
          for (int i = 0; i < way; i++) {
            if (i == 70) {
              return;
            }
            done.append(i);
          }
          try {
            switch (way) {
              case 2: done.append("two"); return;
              case 3: throw new IllegalStateException("three");
              case 4: done.append("four"); break;
              case 1000: return;
              default: done.append(way > 5 ? "many" : new String("other"));
            }
            switch (done.toString()) {
              case "0123four": return;
              case "else": done.append("else");
            }
          } catch (NumberFormatException never) {
            done.append("never");
          } finally {
            done.append("finally");
          }
          double d = way;
          long l = way;
          done.append(d + l);
        }

        private Peer(Object any, int way) {
          nativeHandle = any.hashCode() + way;
        }

        /** Its first instruction is one that is jumped to. */
        public void close() {
          do {
            done.append("x");
          } while (done.length() % 8 != 0);
        }

        public void free() {
          new Object() {
            void run() {
              done.append("freed");
            }
          }.run();
          Object made = done.length() > 1000 ? new StringBuilder("long") : new Object();
          done.append(made == null);
        }

        native void nothing();

        static void dispose() {}

        public void end(int with) {}
      }
      """;

  /** Called by rewritten classes. */
  public static void opened(Object owner) {
    CALLS.add("opened " + owner.getClass().getSimpleName());
  }

  /** As above. */
  public static void openedCollected(Object owner) {
    CALLS.add("collected " + owner.getClass().getSimpleName());
  }

  /** As above. */
  public static void openedGuessed(Object owner) {
    CALLS.add("guessed " + owner.getClass().getSimpleName());
  }

  /** As above. */
  public static void closed(Object owner) {
    CALLS.add("closed " + owner.getClass().getSimpleName());
  }

  /** Defines classes, each in a loader of its own. */
  private static final class Defined extends ClassLoader {
    Defined() {
      super(OwnerClassTest.class.getClassLoader());
    }

    Class<?> define(Map<String, byte[]> classes, String main) {
      Class<?> found = null;
      for (Map.Entry<String, byte[]> each : classes.entrySet()) {
        byte[] bytes = each.getValue();
        Class<?> defined = defineClass(each.getKey(), bytes, 0, bytes.length);
        found = each.getKey().equals(main) ? defined : found;
      }
      assertThat(found).isNotNull();
      return found;
    }
  }

  private static byte[] rewritten(OwnerClass owner, byte[] classFile) {
    byte[] rewritten = owner.rewrite(classFile, TARGET);
    assertThat(rewritten).isNotNull();
    return rewritten;
  }

  private static String use(Class<?> type, int way) throws Exception {
    Object peer;
    try {
      peer = type.getConstructor(int.class).newInstance(way);
    } catch (java.lang.reflect.InvocationTargetException thrown) {
      return "thrown " + thrown.getCause();
    }
    type.getMethod("close").invoke(peer);
    type.getMethod("free").invoke(peer);
    var done = type.getDeclaredField("done");
    done.setAccessible(true);
    return done.get(peer).toString();
  }

  /** From 8 on all types that the JVM has verify by stack maps. */
  @ParameterizedTest
  @ValueSource(ints = {8, 25})
  void constructorsAndClosingMethodsTell(int release) throws Exception {
    Map<String, byte[]> classes = Sources.compile(release, PEER);
    Class<?> before = new Defined().define(new TreeMap<>(classes), "Peer");
    OwnerClass owner = OwnerClass.ofShape(classes.get("Peer"));
    assertThat(owner).isEqualTo(new OwnerClass(End.GUESSED, "", List.of("close", "free")));
    classes.put("Peer", rewritten(owner, classes.get("Peer")));
    Class<?> after = new Defined().define(classes, "Peer");

    for (int way : new int[] {0, 1, 2, 3, 4, 5, 6, 80, 1000}) {
      CALLS.clear();
      assertThat(use(after, way)).isEqualTo(use(before, way));
      List<String> all = List.of("guessed Peer", "guessed Peer", "closed Peer", "closed Peer");
      assertThat(CALLS).isEqualTo(way == 3 ? all.subList(0, 1) : all);
    }
  }

  /** Lines and variables of a debugger stay right. */
  @Test
  void linesMoveWithTheCode() throws Exception {
    byte[] classFile =
        Sources.compile(
                25,
                PEER.replace("done.append(\"x\")", "fail()")
                    .replace(
                        "native void",
                        "void fail() { throw new IllegalStateException(); } native void"))
            .get("Peer");
    OwnerClass owner = OwnerClass.named(List.of("close"));
    Class<?> before = new Defined().define(Map.of("Peer", classFile), "Peer");
    Class<?> after = new Defined().define(Map.of("Peer", rewritten(owner, classFile)), "Peer");
    assertThat(failure(after)).isEqualTo(failure(before));
  }

  private static String failure(Class<?> type) throws Exception {
    Object peer = type.getConstructor(int.class).newInstance(0);
    try {
      type.getMethod("close").invoke(peer);
    } catch (java.lang.reflect.InvocationTargetException thrown) {
      return List.of(thrown.getCause().getStackTrace()).subList(0, 2).toString();
    }
    throw new AssertionError("not thrown");
  }

  /** The constructors and the closing methods of all classes of a package verify as before. */
  @ParameterizedTest
  @ValueSource(strings = {"java/util", "java/io", "java/nio/channels", "sun/nio/ch", "java/time"})
  void theJvmAcceptsWhatItAcceptedBefore(String packageName) throws IOException {
    Path classes = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base");
    OwnerClass owner =
        new OwnerClass(End.CLOSED, "", List.of("close", "run", "next", "hasNext", "implClose"));
    int count = 0;
    try (Stream<Path> files = Files.list(classes.resolve(packageName))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        byte[] made = owner.rewrite(Files.readAllBytes(file), TARGET);
        if (made != null) {
          count++;
          assertThat(ClassFile.of().verify(made)).as(file.toString()).isEmpty();
        }
      }
    }
    assertThat(count).isGreaterThan(20);
  }

  @Test
  void onlyTheShapeIsLikeOne() {
    assertThat(shape("long handle; native void a(); void close() {}")).isNotNull();
    assertThat(shape("long ptr_; native void a(); void delete() {}")).isNotNull();
    assertThat(shape("long swigCPtr; native void a(); void delete() {}")).isNotNull();
    assertThat(shape("int handle; native void a(); void close() {}")).isNull();
    assertThat(shape("long size; native void a(); void close() {}")).isNull();
    assertThat(shape("static long handle; native void a(); void close() {}")).isNull();
    assertThat(shape("long handle; void close() {}")).isNull();
    assertThat(shape("long handle; native void a(); void close(int how) {}")).isNull();
    assertThat(shape("long handle; native void a(); static void close() {}")).isNull();
    assertThat(shape("long handle; native void a(); native void close();")).isNull();
    assertThat(shape("long handle; native void a(); int close() { return 1; }")).isNull();
  }

  private static @Nullable OwnerClass shape(String body) {
    byte[] classFile = Sources.compile(25, "public class Any { " + body + " }").get("Any");
    return OwnerClass.ofShape(classFile);
  }

  /** {@code release(Object)} may give back something else. */
  @Test
  void onlyTheMethodOfTheShapeCloses() {
    byte[] classFile =
        Sources.compile(
                25,
                "public class Any { long handle; native void a(); void release() {}"
                    + " void release(Object o) {} }")
            .get("Any");
    ClassModel model = ClassFile.of().parse(rewritten(OwnerClass.ofShape(classFile), classFile));
    assertThat(model.methods())
        .filteredOn(method -> method.methodName().equalsString("release"))
        .allSatisfy(
            method ->
                assertThat(method.code().orElseThrow().elementStream())
                    .filteredOn(InvokeInstruction.class::isInstance)
                    .hasSize(method.methodType().equalsString("()V") ? 1 : 0));
  }

  @Test
  void theCollectorFreesWhatHasAFinalizerOrACleaner() throws Exception {
    assertThat(opens("protected void finalize() {}")).isEqualTo("openedCollected");
    assertThat(opens("java.lang.ref.Cleaner c = java.lang.ref.Cleaner.create();"))
        .isEqualTo("openedCollected");
    assertThat(opens("void finalize(int i) {}")).isEqualTo("opened");
  }

  /** The method that the constructor calls last. */
  private static String opens(String body) {
    String source = "public class Any { void close() {} " + body + " }";
    byte[] classFile = Sources.compile(25, source).get("Any");
    ClassModel model =
        ClassFile.of().parse(rewritten(OwnerClass.named(List.of("close")), classFile));
    MethodModel constructor =
        model.methods().stream().filter(m -> m.methodName().equalsString("<init>")).findAny().get();
    List<String> called = new ArrayList<>();
    constructor
        .code()
        .orElseThrow()
        .forEach(
            element -> {
              if (element instanceof InvokeInstruction invoke) {
                called.add(invoke.name().stringValue());
              }
            });
    return called.getLast();
  }

  /** As compilers other than javac may do: the slot of this has something else at the end. */
  @Test
  void aConstructorThatOverwritesThisIsLeftAlone() {
    byte[] classFile =
        ClassFile.of()
            .build(
                java.lang.constant.ClassDesc.of("Odd"),
                made ->
                    made.withMethodBody(
                        ConstantDescs.INIT_NAME,
                        MethodTypeDesc.of(ConstantDescs.CD_void),
                        ClassFile.ACC_PUBLIC,
                        code ->
                            code.aload(0)
                                .invokespecial(
                                    ConstantDescs.CD_Object,
                                    ConstantDescs.INIT_NAME,
                                    MethodTypeDesc.of(ConstantDescs.CD_void))
                                .aconst_null()
                                .astore(0)
                                .return_()));
    assertThatThrownBy(() -> OwnerClass.named(List.of("close")).rewrite(classFile, TARGET))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("it overwrites this");
  }

  @Test
  void damagedClassFilesAreRefused() throws Exception {
    byte[] whole = Sources.compile(25, PEER).get("Peer");
    OwnerClass owner = OwnerClass.named(List.of("close", "free"));
    for (int length = 1; length < whole.length; length += 7) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      try {
        owner.rewrite(cut, TARGET);
        assertThat(length)
            .as("only attributes of the class are missing")
            .isGreaterThan(whole.length - 250);
      } catch (IllegalArgumentException refused) {
        assertThat(length).isPositive().isLessThan(whole.length);
      }
    }
  }
}
