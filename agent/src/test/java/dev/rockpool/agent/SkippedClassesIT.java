package dev.rockpool.agent;

import static dev.rockpool.agent.ChildJvm.POOLED;
import static dev.rockpool.agent.ChildJvm.REGULAR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.testing.Sources;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.constantpool.ConstantPoolBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes with call sites that stay as they are: each is told, under verbose, and counted. */
class SkippedClassesIT {
  private static final String MAIN =
      """
      import module java.management;

      static void main() throws Exception {
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
      import module java.base;

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

  @TempDir private Path directory;

  @BeforeEach
  void compile() throws Exception {
    Sources.compileTo(directory, MAIN, PLAIN, PLAIN.replace("Plain", "Left"), SERIALIZABLE);
    Files.write(directory.resolve("Odd.class"), odd());
    Files.write(directory.resolve("Full.class"), full());
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

  private static void open(CodeBuilder code) {
    code.invokestatic(ARENA, "ofConfined", OPEN, true).areturn();
  }

  /** A class that has a call of a static method as one of an object, and never gets there. */
  private static byte[] odd() {
    return ClassFile.of()
        .build(
            ClassDesc.of("Odd"),
            made ->
                made.withMethodBody("open", OPEN, FLAGS, SkippedClassesIT::open)
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
    int least = ClassFile.of().parse(full(ConstantPoolBuilder.of())).constantPool().size();
    for (int i = least; i < FULL; i++) {
      pool.intEntry(i);
    }
    return full(pool);
  }

  private static byte[] full(ConstantPoolBuilder pool) {
    return ClassFile.of()
        .build(
            pool.classEntry(ClassDesc.of("Full")),
            pool,
            made -> made.withMethodBody("open", OPEN, FLAGS, SkippedClassesIT::open));
  }
}
