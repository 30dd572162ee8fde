package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.agent.AgentTransformer.Targets;
import dev.rockpool.agent.LibraryInJavaBase.Access;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The classes that the transformer takes up, and its conduct when something fails. In this JVM the
 * pool can't be put into java.base, so a class that is taken up is known by the failure that is
 * told.
 */
class AgentTransformerTest {
  private static final String TAKEN_UP =
      "[rockpool] arenas can't be pooled on this JDK; the program runs on without Rockpool:"
          + " java.lang.NoClassDefFoundError: java/lang/foreign/RockpoolNone";

  private static final String BUFFERS_TAKEN_UP =
      "[rockpool] direct buffers can't be ours on this JDK, which goes on with its own:"
          + " java.lang.NoClassDefFoundError: java/lang/foreign/RockpoolNone";

  private static final byte[] WITH_BUFFERS =
      Sources.compile(
              Sources.RELEASE,
              "public class Sample { Object o = java.nio.ByteBuffer.allocateDirect(1); }")
          .get("Sample");

  private static final byte[] WITH_ARENAS =
      Sources.compile(Sources.RELEASE, Shape.PLAIN_CALL.source()).get("Sample");

  private static final Instrumentation REFUSING =
      (Instrumentation)
          Proxy.newProxyInstance(
              ClassLoader.getSystemClassLoader(),
              new Class<?>[] {Instrumentation.class},
              (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
              });

  private static final LibraryInJavaBase LIBRARY = new LibraryInJavaBase(refused(), false);

  /** Redirects all to {@link Redirected}. */
  private static class Here implements Targets {
    @Override
    public void define(RedirectedMethod method) throws Exception {}

    @Override
    public String of(RedirectedMethod method, String className) {
      return Redirected.TARGET;
    }
  }

  private static final ClassLoader APPLICATION = ClassLoader.getSystemClassLoader();
  private static final Module UNNAMED = APPLICATION.getUnnamedModule();

  @RegisterExtension private final StandardError told = new StandardError();

  /** The report of the transformer made last. */
  private AgentReport report;

  @Test
  void aClassOfTheApplicationIsTakenUp() {
    assertThat(transform(transformer(""), UNNAMED, APPLICATION, "a/Main", WITH_ARENAS)).isNull();

    assertThat(told.lines()).containsExactly(TAKEN_UP);
  }

  @Test
  void buffersAreTakenUpIfTheOptionSaysSo() {
    transform(transformer(""), UNNAMED, APPLICATION, "a/Main", WITH_BUFFERS);
    transform(transformer("direct=off"), UNNAMED, APPLICATION, "a/Main", WITH_BUFFERS);
    transform(transformer("direct,arenas=off"), UNNAMED, APPLICATION, "a/Main", WITH_ARENAS);
    assertThat(told.lines()).isEmpty();

    AgentTransformer transformer = transformer("direct,arenas=off");
    assertThat(transform(transformer, UNNAMED, APPLICATION, "a/Main", WITH_BUFFERS)).isNull();
    assertThat(transform(transformer, UNNAMED, APPLICATION, "a/Other", WITH_BUFFERS)).isNull();
    assertThat(told.lines()).containsExactly(BUFFERS_TAKEN_UP);
  }

  @Test
  void whatCannotBePooledIsToldOnce() {
    AgentTransformer transformer = transformer("");

    for (String name : List.of("a/First", "a/Second", "a/Third")) {
      assertThat(transform(transformer, UNNAMED, APPLICATION, name, WITH_ARENAS)).isNull();
      assertThat(report.mayHaveRewritten(name)).isFalse();
    }

    assertThat(told.lines()).containsExactly(TAKEN_UP);
    assertThat(report.skippedClasses()).containsEntry("failed", 3);
  }

  @Test
  void bytesThatCannotBeReadAreToldInOneLineAndLeftAlone() {
    byte[] garbage = "\n\nno class file, but ofConfined\n".getBytes(StandardCharsets.US_ASCII);

    byte[] result = transform(transformer(""), UNNAMED, APPLICATION, "a/Garbage", garbage);

    assertThat(result).isNull();
    assertThat(told.lines())
        .singleElement()
        .asString()
        .startsWith("[rockpool] could not rewrite a.Garbage, which goes on as it is: ");
  }

  @Test
  void aClassFileCutShortIsLeftAlone() {
    AgentTransformer transformer = transformer("");
    byte[] whole = WITH_ARENAS;

    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThat(transform(transformer, UNNAMED, APPLICATION, "a/Cut", cut)).isNull();
    }

    assertThat(told.lines())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).startsWith("[rockpool] "));
  }

  @Test
  void garbageThatDoesNotMentionTheMethodIsNotEvenRead() {
    byte[] garbage = "no class file".getBytes(StandardCharsets.US_ASCII);

    assertThat(transform(transformer(""), UNNAMED, APPLICATION, "a/Garbage", garbage)).isNull();

    assertThat(told.lines()).isEmpty();
  }

  @Test
  void aClassThatIsNotNamedIsTakenUp() {
    assertThat(transform(transformer(""), UNNAMED, APPLICATION, null, WITH_ARENAS)).isNull();

    assertThat(told.lines()).containsExactly(TAKEN_UP);
    assertThat(report.skippedClasses()).containsEntry("failed", 1);
  }

  @Test
  void aClassWhoseNameCannotBeReadIsLeftAlone() {
    byte[] garbage = "\n\nno class file, but ofConfined\n".getBytes(StandardCharsets.US_ASCII);

    assertThat(transform(transformer(""), UNNAMED, APPLICATION, null, garbage)).isNull();

    assertThat(told.lines()).isEmpty();
  }

  @Test
  void classesOnTheBootClassPathAndOfThePlatformAreLeftAlone() {
    AgentTransformer transformer = transformer("");
    ClassLoader platform = ClassLoader.getPlatformClassLoader();

    transform(transformer, Object.class.getModule(), null, "a/Main", WITH_ARENAS);
    transform(transformer, UNNAMED, null, "a/Main", WITH_ARENAS);
    transform(transformer, platform.getUnnamedModule(), platform, "a/Main", WITH_ARENAS);

    assertThat(told.lines()).isEmpty();
  }

  /** Tools such as jshell are loaded by the application's loader, and some open arenas. */
  @Test
  void noClassOfTheJdkThatOpensArenasOrAllocatesBuffersIsTakenUp() throws Exception {
    AgentTransformer transformer = transformer("direct");
    List<byte[]> mentioning = new ArrayList<>();

    for (Module module : ModuleLayer.boot().modules()) {
      for (Path file : classFiles(module)) {
        byte[] bytes = Files.readAllBytes(file);
        if (transformer.mayRewrite(bytes)) {
          mentioning.add(bytes);
          transform(transformer, module, module.getClassLoader(), "a/Main", bytes);
          transform(transformer, module, APPLICATION, "a/Main", bytes);
        }
      }
    }

    assertThat(told.lines()).isEmpty();
    for (byte[] bytes : mentioning) {
      transform(transformer, UNNAMED, APPLICATION, "a/Main", bytes);
    }
    assertThat(told.lines())
        .as("the same bytes, in the application")
        .containsExactlyInAnyOrder(TAKEN_UP, BUFFERS_TAKEN_UP);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev/rockpool/arena/BlockArena",
        "dev/rockpool/internal/NativeMemory",
        "dev/rockpool/agent/Agent"
      })
  void theLibraryItselfIsLeftAlone(String name) {
    assertThat(transformer("").covers(name)).isFalse();
    assertThat(transformer("include=dev.rockpool.*").covers(name)).isFalse();

    transform(transformer(""), UNNAMED, APPLICATION, name, WITH_ARENAS);
    assertThat(told.lines()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev/rockpool/Arena", "dev/rockpool/demo/Main", "x/dev/rockpool/arena/A"})
  void classesNearTheLibraryAreCovered(String name) {
    assertThat(transformer("").covers(name)).isTrue();
  }

  @Test
  void optionsNameClassesWithDots() {
    AgentTransformer transformer = transformer("include=com.acme.*,exclude=com.acme.Main$*");

    assertThat(transformer.covers("com/acme/Main")).isTrue();
    assertThat(transformer.covers("com/acme/Main$Inner")).isFalse();
    assertThat(transformer.covers("org/acme/Main")).isFalse();
  }

  @Test
  void classesThatTheOptionsLeaveOutAreNotTakenUp() {
    AgentTransformer transformer = transformer("include=com.acme.*");

    assertThat(transform(transformer, UNNAMED, APPLICATION, "org/acme/Main", WITH_ARENAS)).isNull();

    assertThat(told.lines()).isEmpty();
  }

  @Test
  void aClassThatTheOptionsLeaveOutIsCountedAndToldUnderVerbose() {
    transform(transformer("exclude=a.*"), UNNAMED, APPLICATION, "a/Main", WITH_ARENAS);
    assertThat(told.lines()).isEmpty();
    assertThat(report.skippedClasses()).containsEntry("excluded by options", 1);

    AgentTransformer transformer = transformer("exclude=a.*,verbose");
    for (String name : List.of("a/Main", "a/Main", "a/Other")) {
      transform(transformer, UNNAMED, APPLICATION, name, WITH_ARENAS);
    }
    transform(transformer, UNNAMED, APPLICATION, "a/Buffers", WITH_BUFFERS);
    assertThat(report.skippedClasses()).containsEntry("excluded by options", 2);
    assertThat(report.rewrittenClasses()).isZero();
    assertThat(told.lines())
        .containsExactly(
            "[rockpool] a.Main: not rewritten, excluded by options",
            "[rockpool] a.Other: not rewritten, excluded by options");
  }

  @Test
  void aFailureAtOneClassIsToldAndLeavesTheNextOneAlone() {
    Error[] toThrow = {new StackOverflowError()};
    AgentTransformer transformer =
        transformer(
            "verbose",
            new Here() {
              @Override
              public void define(RedirectedMethod method) {
                Error thrown = toThrow[0];
                toThrow[0] = null;
                if (thrown != null) {
                  throw thrown;
                }
              }
            });

    assertThat(transform(transformer, UNNAMED, APPLICATION, "a/First", WITH_ARENAS)).isNull();
    assertThat(transform(transformer, UNNAMED, APPLICATION, "a/Second", WITH_ARENAS)).isNotNull();

    assertThat(report.skippedClasses()).containsEntry("failed", 1);
    assertThat(report.rewrittenClasses()).isEqualTo(1);
    assertThat(told.lines())
        .containsExactly(
            "[rockpool] " + AgentTransformer.NO_ARENAS + ": java.lang.StackOverflowError",
            "[rockpool] a.First: not rewritten, failed",
            "[rockpool] a.Second: 1 call site of Arena.ofConfined() rewritten");
  }

  @Test
  void whatAPrinterOfTheProgramThrowsIsNoMatterOfOurs() {
    System.setErr(
        new PrintStream(OutputStream.nullOutputStream()) {
          @Override
          public void println(String line) {
            throw new AssertionError("refused");
          }
        });

    AgentTransformer transformer = transformer("verbose", new Here());

    assertThat(transform(transformer, UNNAMED, APPLICATION, "a/Main", WITH_ARENAS)).isNotNull();
  }

  private static Stream<Path> walk(Path directory) throws Exception {
    return Files.exists(directory) ? Files.walk(directory) : Stream.empty();
  }

  private static List<Path> classFiles(Module module) throws Exception {
    Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", module.getName());
    boolean whole = !module.equals(Object.class.getModule());
    try (Stream<Path> files = walk(whole ? root : root.resolve("jdk/internal/foreign"))) {
      return files.filter(file -> file.toString().endsWith(".class")).toList();
    }
  }

  /** The access of an agent where java.base takes no class. */
  static Access refused() {
    return new Access(
        REFUSING,
        (name, classFile) -> {
          throw new NoClassDefFoundError(name);
        },
        group ->
            group.equals("rewrite")
                ? Map.of() // this class loader has them
                : Map.of("java/lang/foreign/RockpoolNone", new byte[0]),
        name -> {
          throw new NoClassDefFoundError(name);
        });
  }

  private AgentTransformer transformer(String options) {
    return transformer(
        options,
        new Targets() {
          @Override
          public void define(RedirectedMethod method) throws Exception {
            LIBRARY.define(method);
          }

          @Override
          public String of(RedirectedMethod method, String className) {
            throw new AssertionError("the pool can't be there");
          }
        });
  }

  private AgentTransformer transformer(String text, Targets targets) {
    report = new AgentReport("test", AgentOptions.parse(text));
    return new AgentTransformer(REFUSING, report, targets, LIBRARY);
  }

  private static byte[] transform(
      AgentTransformer transformer, Module module, ClassLoader loader, String name, byte[] bytes) {
    return transformer.transform(
        module, loader, name, null, Arena.class.getProtectionDomain(), bytes);
  }
}
