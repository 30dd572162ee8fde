package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.AttributeMapper;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.BufWriter;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassReader;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CustomAttribute;
import java.lang.classfile.constantpool.ConstantPoolBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Classes with call sites that stay as they are: each is told, under verbose, and counted. */
class SkippedClassesIT {
  private static final String MAIN =
      """
      import java.lang.foreign.Arena;
      import java.lang.management.ManagementFactory;
      import java.util.Scanner;
      import java.util.TreeMap;
      import javax.management.ObjectName;
      import javax.management.openmbean.CompositeData;
      import javax.management.openmbean.TabularData;

      public class Main {
        public static void main(String[] args) throws Exception {
          System.out.println("ready");
          Scanner lines = new Scanner(System.in);
          while (lines.hasNextLine()) {
            String line = lines.nextLine();
            System.out.println(line.equals("jmx") ? jmx() : opened(line));
          }
        }

        static String opened(String name) throws Exception {
          try (Arena arena = (Arena) Class.forName(name).getMethod("open").invoke(null)) {
            return arena.getClass().getName();
          }
        }

        static String jmx() throws Exception {
          var server = ManagementFactory.getPlatformMBeanServer();
          var name = new ObjectName("dev.rockpool:type=Agent");
          while (!server.isRegistered(name)) {
            Thread.yield();
          }
          var skipped = new TreeMap<Object, Object>();
          for (Object row : ((TabularData) server.getAttribute(name, "SkippedClasses")).values()) {
            CompositeData entry = (CompositeData) row;
            if (!entry.get("value").equals(0)) {
              skipped.put(entry.get("key"), entry.get("value"));
            }
          }
          return server.getAttribute(name, "Version") + " " + server.getAttribute(name, "Options")
              + " " + server.getAttribute(name, "RewrittenClasses") + " " + skipped;
        }
      }
      """;

  private static final String PLAIN =
      """
      import java.lang.foreign.Arena;

      public class Plain {
        public static Arena open() {
          return Arena.ofConfined();
        }
      }
      """;

  private static final String SERIALIZABLE =
      """
      import java.io.Serializable;
      import java.lang.foreign.Arena;
      import java.util.function.Supplier;

      public class Serial {
        public static Arena open() {
          return ((Supplier<Arena> & Serializable) Arena::ofConfined).get();
        }
      }
      """;

  private static final ClassDesc ARENA = Arena.class.describeConstable().orElseThrow();
  private static final MethodTypeDesc OPEN = MethodTypeDesc.of(ARENA);
  private static final int FLAGS = ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC;
  private static final int FULL = 0xFFFF;
  private static final int NESTING = 60_000;

  /** Annotations within annotations, as the JVM does not read them within code. */
  private static final class Nested extends CustomAttribute<Nested> {
    private static final Mapper MAPPER = new Mapper();

    Nested() {
      super(MAPPER);
    }

    private static final class Mapper implements AttributeMapper<Nested> {
      @Override
      public String name() {
        return "RuntimeVisibleTypeAnnotations";
      }

      @Override
      public Nested readAttribute(AttributedElement enclosing, ClassReader reader, int position) {
        throw new AssertionError("only written");
      }

      @Override
      public void writeAttribute(BufWriter to, Nested attribute) {
        int text = to.constantPool().utf8Entry("A").index();
        ByteBuffer bytes = ByteBuffer.allocate(3 * NESTING + 20);
        bytes.putShort((short) 1); // annotations
        bytes.put((byte) 0x47).putShort((short) 0).put((byte) 0); // of a cast, argument 0
        bytes.put((byte) 0); // path
        bytes.putShort((short) text).putShort((short) 1); // type, pairs
        bytes.putShort((short) text);
        for (int i = 0; i < NESTING; i++) {
          bytes.put((byte) '[').putShort((short) 1);
        }
        bytes.put((byte) 's').putShort((short) text);
        to.writeIndex(to.constantPool().utf8Entry(name()));
        to.writeInt(bytes.position());
        to.writeBytes(bytes.array(), 0, bytes.position());
      }

      @Override
      public AttributeMapper.AttributeStability stability() {
        return AttributeMapper.AttributeStability.STATELESS;
      }
    }
  }

  @TempDir private Path directory;

  @BeforeEach
  void compile() throws Exception {
    Sources.compileTo(directory, MAIN, PLAIN, PLAIN.replace("Plain", "Left"), SERIALIZABLE);
    Files.write(directory.resolve("Deep.class"), built("Deep", code -> code.with(new Nested())));
    Files.write(directory.resolve("Odd.class"), odd());
    Files.write(directory.resolve("Full.class"), full());
  }

  @ParameterizedTest
  @ValueSource(strings = {"verbose", "verbose=off"})
  void annotationsTooDeepToBeReadDoNotMatter(String option) {
    try (ChildJvm.Running program = start(ChildJvm.withAgent(option, "linker=off"))) {
      assertThat(program.ask("Deep")).isEqualTo(POOLED);

      List<String> told = program.end().err();
      assertThat(told.stream().skip(1))
          .containsExactlyElementsOf(
              option.equals("verbose")
                  ? List.of(
                      "[rockpool] Deep: 1 call site of Arena.ofConfined() rewritten",
                      "[rockpool] the pool starts")
                  : List.of());
    }
  }

  @Test
  void eachIsToldUnderVerboseAndCountedForJmx() {
    try (ChildJvm.Running program =
        start(ChildJvm.withAgent("verbose", "linker=off", "exclude=Left"))) {
      assertThat(program.ask("Plain")).isEqualTo(POOLED);
      for (String skipped : List.of("Full", "Serial", "Odd", "Left")) {
        assertThat(program.ask(skipped)).as(skipped).isEqualTo(REGULAR);
      }
      assertThat(program.ask("jmx"))
          .isEqualTo(
              Jars.manifestOf(ChildJvm.AGENT_JAR).getValue("Implementation-Version")
                  + " arenas=on,linker=off,direct=off,record=off,check=off,exclude=Left,verbose=on"
                  + " 1 {call that fails when it runs=1, constant pool full=1, excluded by"
                  + " options=1, serializable method reference=1}");

      List<String> told = program.end().err();
      assertThat(told.subList(1, told.size()))
          .containsExactly(
              "[rockpool] Plain: 1 call site of Arena.ofConfined() rewritten",
              "[rockpool] the pool starts",
              "[rockpool] Full: not rewritten, constant pool full",
              "[rockpool] Serial: not rewritten, serializable method reference",
              "[rockpool] Odd: not rewritten, call that fails when it runs",
              "[rockpool] Left: not rewritten, excluded by options");
    }
  }

  /** Classes that were there before, and again after the agent has gone and come back. */
  @Test
  void theyAreCountedAtAnAttachToo() throws Exception {
    try (ChildJvm.Running program = start(ChildJvm.plain().with(Attachment.ALLOW))) {
      for (String any : List.of("Plain", "Full", "Serial", "Odd", "Left")) {
        assertThat(program.ask(any)).as(any).isEqualTo(REGULAR);
      }

      for (String excluded : List.of("Left", "Plain")) {
        Attachment.attach(program, "exclude=" + excluded);
        assertThat(program.ask("Plain")).isEqualTo(excluded.equals("Plain") ? REGULAR : POOLED);
        assertThat(program.ask("Full")).isEqualTo(REGULAR);
        assertThat(program.ask("jmx"))
            .contains("exclude=" + excluded)
            .endsWith(
                " 1 {call that fails when it runs=1, constant pool full=1, excluded by options=1,"
                    + " serializable method reference=1}");
        Attachment.uninstall(program);
      }
      program.end().quietOutput();
    }
  }

  private ChildJvm.Running start(ChildJvm jvm) {
    ChildJvm.Running program = jvm.classPath(directory).start("Main");
    assertThat(program.answer()).isEqualTo("ready");
    return program;
  }

  /** A class that opens an arena, and has {@code more} in that code. */
  private static byte[] built(String name, Consumer<CodeBuilder> more) {
    return ClassFile.of()
        .build(ClassDesc.of(name), made -> made.withMethodBody("open", OPEN, FLAGS, opens(more)));
  }

  private static Consumer<CodeBuilder> opens(Consumer<CodeBuilder> more) {
    return code -> {
      code.invokestatic(ARENA, "ofConfined", OPEN, true).areturn();
      more.accept(code);
    };
  }

  /** A class that has a call of a static method as one of an object, and never gets there. */
  private static byte[] odd() {
    return ClassFile.of()
        .build(
            ClassDesc.of("Odd"),
            made ->
                made.withMethodBody("open", OPEN, FLAGS, opens(code -> {}))
                    .withMethodBody(
                        "never",
                        OPEN,
                        FLAGS,
                        code ->
                            code.aconst_null()
                                .invokeinterface(ARENA, "ofConfined", OPEN)
                                .areturn()));
  }

  private static byte[] full() {
    ConstantPoolBuilder pool = ConstantPoolBuilder.of();
    int least = ClassFile.of().parse(built("Full", code -> {})).constantPool().size();
    for (int i = least; i < FULL; i++) {
      pool.intEntry(i);
    }
    return ClassFile.of()
        .build(
            pool.classEntry(ClassDesc.of("Full")),
            pool,
            made -> made.withMethodBody("open", OPEN, FLAGS, opens(code -> {})));
  }
}
