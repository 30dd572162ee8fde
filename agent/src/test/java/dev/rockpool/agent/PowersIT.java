package dev.rockpool.agent;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A program gets no power from the agent: neither native access, nor a way into the JDK. */
class PowersIT {
  private static final Pattern OURS =
      Pattern.compile("(java[.]lang|jdk[.]internal)[.]foreign[.]Rockpool((?![$][$]Lambda).)*");

  private static final String CHANNEL =
      "java.nio.channels.FileChannel,java.nio.channels.FileChannel$MapMode";

  /** All that programs can reach of our classes in java.base, and why anybody may call it. */
  private static final Map<String, String> REACHABLE =
      Map.ofEntries(
          entry(
              "java.lang.foreign.RockpoolArenas.ofConfined()",
              "opens an arena of the caller's own, as Arena.ofConfined does"),
          entry(
              "java.lang.foreign.RockpoolDirectBuffers.allocateDirect(int)",
              "makes a buffer of the caller's own, as ByteBuffer.allocateDirect does"),
          entry(
              "java.lang.foreign.RockpoolRecordSiteN.ofConfined()",
              "opens an arena of the caller's own, counted for one of the program's calls"),
          entry("java.lang.foreign.RockpoolRecordSiteN.ofShared()", "the same"),
          entry("java.lang.foreign.RockpoolRecordSiteN.ofAuto()", "the same"),
          entry(
              "java.lang.foreign.RockpoolRecordSiteN.global()",
              "the global arena, which everybody has; counts what is allocated"),
          entry(
              "java.lang.foreign.RockpoolRecordDirectSiteN.allocateDirect(int)",
              "makes a buffer of the caller's own, counted"),
          entry(
              "java.lang.foreign.RockpoolRecordSiteN.map(" + CHANNEL + ",long,long)",
              "calls map of the caller's channel, and counts"),
          entry(
              "java.lang.foreign.RockpoolRecordSegmentSiteN.map("
                  + CHANNEL
                  + ",long,long,java.lang.foreign.Arena)",
              "the same"),
          entry(
              "java.lang.foreign.RockpoolOwner.opened(java.lang.Object)",
              "counts an object of the caller's as open; calls no method of it"),
          entry("java.lang.foreign.RockpoolOwner.openedCollected(java.lang.Object)", "the same"),
          entry("java.lang.foreign.RockpoolOwner.openedGuessed(java.lang.Object)", "the same"),
          entry(
              "java.lang.foreign.RockpoolOwner.closed(java.lang.Object)",
              "counts an object of the caller's as closed"),
          entry(
              "java.lang.foreign.RockpoolArenaPoolMXBean.NAME",
              "the name of the bean, in an interface for JMX that has no code"),
          entry("java.lang.foreign.RockpoolAgentMXBean.NAME", "the same"));

  private static final String CLEANED = "(jdk.internal.misc.Unsafe,java.nio.ByteBuffer)";

  /** Public in a package that java.base exports to no program, and who calls it. */
  private static final Map<String, String> CLOSED =
      Map.ofEntries(
          entry("jdk.internal.foreign.RockpoolStart.ofConfined()", "the entry Arenas"),
          entry("jdk.internal.foreign.RockpoolStart.open(long)", "the linker"),
          entry(
              "jdk.internal.foreign.RockpoolBuffers.allocateDirect(int)",
              "the entry DirectBuffers"),
          entry("jdk.internal.foreign.RockpoolCleaner.free" + CLEANED, "sun.misc.Unsafe"),
          entry("jdk.internal.foreign.RockpoolCleaner.freeAndRecord" + CLEANED, "sun.misc.Unsafe"),
          entry(
              "jdk.internal.foreign.RockpoolCleaner.freeMemory(jdk.internal.misc.Unsafe,long)",
              "java.nio.DirectByteBuffer"),
          entry(
              "jdk.internal.foreign.RockpoolCleaner.unmap("
                  + "jdk.internal.access.foreign.UnmapperProxy)",
              "sun.nio.ch.FileChannelImpl"),
          entry(
              "jdk.internal.foreign.RockpoolUnsafe.allocateMemory(jdk.internal.misc.Unsafe,long)",
              "sun.misc.Unsafe"),
          entry(
              "jdk.internal.foreign.RockpoolUnsafe.allocateTemporary(jdk.internal.misc.Unsafe,long)",
              "sun.nio.ch.Util"),
          entry(
              "jdk.internal.foreign.RockpoolUnsafe.reallocateMemory"
                  + "(jdk.internal.misc.Unsafe,long,long)",
              "sun.misc.Unsafe"),
          entry(
              "jdk.internal.foreign.RockpoolUnsafe.freeMemory(jdk.internal.misc.Unsafe,long)",
              "sun.misc.Unsafe"),
          entry(
              "jdk.internal.foreign.RockpoolLinkedAllocators.bind"
                  + "(java.lang.invoke.MethodHandle,java.lang.Object)",
              "the linker"),
          entry(
              "jdk.internal.foreign.RockpoolRecordedArena.of(java.lang.foreign.Arena,int)",
              "recorded calls under a limit"),
          entry("jdk.internal.foreign.RockpoolRecordedArena.ofPool(int)", "recorded calls"),
          entry("jdk.internal.foreign.RockpoolRecordedArena.ofJdk(int)", "recorded calls"),
          entry(
              "jdk.internal.foreign.RockpoolHoldingArena.of(java.lang.foreign.Arena,int)",
              "recorded calls"),
          entry("jdk.internal.foreign.RockpoolOwners.opened(java.lang.Object)", "the entry Owner"),
          entry(
              "jdk.internal.foreign.RockpoolOwners.openedCollected(java.lang.Object)",
              "the entry Owner"),
          entry(
              "jdk.internal.foreign.RockpoolOwners.openedGuessed(java.lang.Object)",
              "the entry Owner"),
          entry("jdk.internal.foreign.RockpoolOwners.closed(java.lang.Object)", "the entry Owner"),
          entry(
              "jdk.internal.foreign.RockpoolHolding.ofBuffer(java.nio.Buffer,int)",
              "recorded calls"),
          entry("jdk.internal.foreign.RockpoolHolding.refused(int)", "recorded calls"),
          entry(
              "jdk.internal.foreign.RockpoolHolding.ofMapped(java.lang.foreign.MemorySegment,"
                  + "java.lang.foreign.Arena,int)",
              "recorded calls"));

  /** Called by the targets of the program's calls under a limit, each for a site. */
  private static final Set<String> CLOSED_OF_LIMIT =
      Set.of(
          "jdk.internal.foreign.RockpoolLimit.ofConfined(int)",
          "jdk.internal.foreign.RockpoolLimit.ofJdk(int)",
          "jdk.internal.foreign.RockpoolLimit.ofShared(int)",
          "jdk.internal.foreign.RockpoolLimit.ofAuto(int)",
          "jdk.internal.foreign.RockpoolLimit.global(int)",
          "jdk.internal.foreign.RockpoolLimit.allocateDirect(int,int)");

  /** Uses all that the agent has, then answers questions about classes of java.base. */
  private static final String MAIN =
      """
      import module java.base;
      import module java.management;
      import static java.nio.file.StandardOpenOption.*;

      public class Main {
        public static void main(String[] args) throws Exception {
          ManagementFactory.getPlatformMBeanServer();
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
          }
          Thread.ofVirtual().start(() -> Arena.ofConfined().close()).join();
          Arena.ofAuto().allocate(8);
          Arena.global().allocate(8);
          Path file = Files.createTempFile("powers", null);
          try (FileChannel channel = FileChannel.open(file, READ, WRITE, DELETE_ON_CLOSE);
              Arena arena = Arena.ofShared()) {
            channel.map(FileChannel.MapMode.READ_WRITE, 0, 8);
            channel.map(FileChannel.MapMode.READ_WRITE, 0, 8, arena);
          }
          System.out.println(ByteBuffer.allocateDirect(8));
          Scanner lines = new Scanner(System.in);
          while (lines.hasNextLine()) {
            System.out.println(String.join(";", describe(Class.forName(lines.nextLine(), false, null))));
          }
        }

        /** The public members, as far as the language goes; first, whether this class reaches them. */
        static List<String> describe(Class<?> type) {
          List<String> found = new ArrayList<>();
          boolean reached = type.getModule().isExported(type.getPackageName(), Main.class.getModule());
          if (Modifier.isPublic(type.getModifiers())) {
            for (Method method : type.getDeclaredMethods()) {
              if (Modifier.isPublic(method.getModifiers()) && Modifier.isStatic(method.getModifiers())) {
                found.add(type.getName() + "." + method.getName() + "(" + parameters(method) + ")");
              }
            }
            for (Constructor<?> constructor : type.getConstructors()) {
              found.add(type.getName() + ".<init>");
            }
            for (Field field : type.getFields()) {
              found.add(type.getName() + "." + field.getName());
            }
            if (found.isEmpty()) {
              found.add(type.getName());
            }
          }
          for (Method method : type.getDeclaredMethods()) {
            int locked = Modifier.STATIC | Modifier.SYNCHRONIZED;
            if ((method.getModifiers() & locked) == locked) {
              found.add("locked by the class, whose monitor a program could keep: " + method);
            }
          }
          if (!reached) {
            found.addAll(openedByReflection(type));
          }
          found.addFirst(reached ? "reached" : "closed");
          return found;
        }

        static List<String> openedByReflection(Class<?> type) {
          List<AccessibleObject> members = new ArrayList<>();
          members.addAll(List.of(type.getDeclaredMethods()));
          members.addAll(List.of(type.getDeclaredConstructors()));
          members.addAll(List.of(type.getDeclaredFields()));
          members.removeIf(member -> !member.trySetAccessible());
          return members.stream().map(member -> "opened: " + member).toList();
        }

        static String parameters(Method method) {
          StringJoiner names = new StringJoiner(",");
          for (Class<?> parameter : method.getParameterTypes()) {
            names.add(parameter.getName());
          }
          return names.toString();
        }
      }
      """;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"direct", "limit=1g"})
  void ofOurClassesInTheJdkProgramsReachWhatRewrittenCodeCallsAndNoMore(String option)
      throws Exception {
    Path log = directory.resolve("classes.log");
    Map<String, Set<String>> found = new TreeMap<>();
    try (ChildJvm.Running program =
        ChildJvm.withAgent(option, "record=" + directory.resolve("arenas.jfr"))
            .with("-Xlog:class+load:file=" + log + ":none:filecount=0")
            .program(MAIN)
            .start("Main")) {
      assertThat(program.answer()).contains("cap=8");
      for (String name : ours(log)) {
        List<String> answer = List.of(program.ask(name).split(";"));
        answer.subList(1, answer.size()).stream()
            .map(each -> each.replaceFirst("(?:Limit)?(Record\\w*Site)\\d+", "$1N"))
            .forEach(found.computeIfAbsent(answer.getFirst(), kind -> new TreeSet<>())::add);
      }
    }

    boolean isLimited = option.startsWith("limit"); // then buffers are the JDK's
    assertThat(found.get("reached"))
        .containsExactlyInAnyOrderElementsOf(
            REACHABLE.keySet().stream()
                .map(each -> isLimited ? each.replace("RecordDirectSite", "RecordSite") : each)
                .toList());
    Set<String> closed = new TreeSet<>(CLOSED.keySet());
    closed.addAll(CLOSED_OF_LIMIT);
    assertThat(found.get("closed")).containsExactlyInAnyOrderElementsOf(closed);
  }

  /** Our classes that the JVM loaded into java.base, less those made for lambdas. */
  private static Set<String> ours(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .map(line -> line.replaceFirst(" source: .*", ""))
          .filter(name -> OURS.matcher(name).matches())
          .collect(Collectors.toSet());
    }
  }

  /** Only {@code Unsafe.invokeCleaner} calls into the closed package, and only by option. */
  @ParameterizedTest
  @CsvSource({"record=off, false", "direct, true"})
  void theClosedPackageIsExportedToUnsafeOnlyWithDirect(String option, boolean expected) {
    String program =
        """
        import module java.base;

        public class Exported {
          public static void main(String[] args) {
            Arena.ofConfined().close();
            ByteBuffer.allocateDirect(8);
            System.out.println(Arena.ofConfined().getClass().getName());
            Module base = Object.class.getModule();
            Module unsupported = ModuleLayer.boot().findModule("jdk.unsupported").orElseThrow();
            System.out.println(base.isExported("jdk.internal.foreign", unsupported));
          }
        }
        """;

    assertThat(ChildJvm.withAgent(option).program(program).run("Exported").quietOutput())
        .containsExactly(ChildJvm.POOLED, Boolean.toString(expected));
  }
}
