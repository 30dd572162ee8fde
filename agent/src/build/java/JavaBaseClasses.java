import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes the files from which the agent defines classes in java.base: one file for each group of
 * classes that are defined together.
 *
 * <p>The build runs this on the classes of library and agent after their {@link Relocation}. Each
 * class loses {@code public}, except for the owners of methods in {@link #KEPT}. In these classes,
 * static methods and constructors lose {@code public}, except for the kept methods.
 *
 * <p>Programs reach only two kinds of classes, in a package that java.base exports. {@link
 * #ENTRIES} are made here, and their methods only call a kept method. Interfaces without code are
 * put there by the relocation, because JMX accesses them from another module.
 *
 * <p>A group holds the classes that its roots reach through constant pools, without the classes of
 * earlier groups; the groups {@link #ALONE} hold their roots. Supertypes come before their
 * subtypes. A class that no root reaches is left out.
 *
 * <p>For each class, a file has the name and the bytes, with a length of three bytes before each; a
 * length of 0 ends the file.
 */
final class JavaBaseClasses {
  private static final String CLOSED = Relocation.CLOSED;
  private static final String EXPORTED = Relocation.EXPORTED;

  /** The methods that stay public in the closed package, each with the caller. */
  private static final Map<String, String> KEPT =
      Map.ofEntries(
          Map.entry("Start.ofConfined", "the entry Arenas"),
          Map.entry("Start.open", "the linker, in another package of java.base"),
          Map.entry("Buffers.allocateDirect", "the entry DirectBuffers"),
          Map.entry("Cleaner.free", "sun.misc.Unsafe, in jdk.unsupported, as the next"),
          Map.entry("Cleaner.freeAndRecord", ""),
          Map.entry("Cleaner.freeMemory", "java.nio, in another package of java.base"),
          Map.entry("Cleaner.unmap", "sun.nio.ch, in another package of java.base"),
          Map.entry("Unsafe.allocateMemory", "sun.misc.Unsafe, as the next two"),
          Map.entry("Unsafe.reallocateMemory", ""),
          Map.entry("Unsafe.freeMemory", ""),
          Map.entry("Unsafe.allocateTemporary", "sun.nio.ch, in another package of java.base"),
          Map.entry("LinkedAllocators.bind", "the linker, in another package of java.base"),
          Map.entry("Limit.ofConfined", "the entries of calls that are told apart, as all below"),
          Map.entry("Limit.ofJdk", ""),
          Map.entry("Limit.ofShared", ""),
          Map.entry("Limit.ofAuto", ""),
          Map.entry("Limit.global", ""),
          Map.entry("Limit.allocateDirect", ""),
          Map.entry("RecordedArena.of", ""),
          Map.entry("RecordedArena.ofPool", ""),
          Map.entry("RecordedArena.ofJdk", ""),
          Map.entry("HoldingArena.of", ""),
          Map.entry("Holding.ofBuffer", ""),
          Map.entry("Holding.ofMapped", ""),
          Map.entry("Holding.refused", ""),
          Map.entry("Owners.opened", "the entry Owner, as the next three"),
          Map.entry("Owners.openedCollected", ""),
          Map.entry("Owners.openedGuessed", ""),
          Map.entry("Owners.closed", ""));

  /**
   * A public static method in the exported package, and the kept method that it calls.
   *
   * @param opens whether the method returns an arena. C1 must not inline such a method, because it
   *     would then know the arena's class. All methods of that class are forced inline for C2, so
   *     C1 would compile an arena's whole life into each caller. This would slow down startup.
   */
  private record Entry(
      String name, String method, String type, String target, String targetMethod, boolean opens) {}

  /** Stack size that prevents inlining by C1, whose limit is 10; C2 has no such limit. */
  private static final int TOO_MUCH_FOR_C1 = 16;

  private static final String ARENA = "()Ljava/lang/foreign/Arena;";

  private static final String ALLOCATE = "allocateDirect";
  private static final String BUFFER = "(I)Ljava/nio/ByteBuffer;";

  /** The entries of each group that has some, all in one class. */
  private static final Map<String, List<Entry>> ENTRIES =
      Map.of(
          "start", List.of(new Entry("Arenas", "ofConfined", ARENA, "Start", "ofConfined", true)),
          "record",
              List.of(
                  ofOwner("opened"),
                  ofOwner("openedCollected"),
                  ofOwner("openedGuessed"),
                  ofOwner("closed")),
          "direct",
              List.of(new Entry("DirectBuffers", ALLOCATE, BUFFER, "Buffers", ALLOCATE, false)));

  private static Entry ofOwner(String method) {
    return new Entry("Owner", method, "(Ljava/lang/Object;)V", "Owners", method, false);
  }

  /** Classes of the agent beyond those of an install without options and of the search. */
  private static final List<String> REWRITE =
      List.of(
          "CallSites",
          "ClassBytes",
          "JdkClasses",
          "AgentMonitor",
          "Resident",
          "LibraryInJavaBase$Definition",
          "LoadedClasses$ClassFiles");

  /** Classes of the agent that only a recording needs. */
  private static final List<String> OF_RECORD =
      List.of("ArenaRecorder", "OwnerRules", "OwnerClass", "Insertion");

  /** Classes that only their own group has, by group. */
  private static final Map<String, String> OF_ONE_GROUP =
      Map.of("ccode", "CCode", "watch", "Watch", "limit", "CountLog");

  /** The one class that goes elsewhere, into a class loader of the agent's. */
  private static final String DEFINER = "dev/rockpool/agent/Definer";

  /** The groups in their order, each with its roots: the classes that the agent names. */
  private static final List<Map.Entry<String, List<String>>> GROUPS =
      List.of(
          Map.entry("definer", List.of(DEFINER)),
          Map.entry("agent", List.of("Agent")),
          Map.entry("rewrite", REWRITE),
          Map.entry("start", List.of("Start", "Start$Preparation")),
          Map.entry("arenas", List.of("BlockPool")),
          Map.entry("cleaner", List.of("Cleaner")),
          Map.entry(
              "record",
              List.of(
                  "RecordedArena",
                  "HoldingArena",
                  "Unsafe",
                  "LinkedAllocators",
                  "ArenaEvents",
                  "Owners",
                  "Json",
                  "ArenaRecorder")),
          Map.entry("ccode", List.of("CCode")),
          Map.entry("watch", List.of("Watch")),
          Map.entry("direct", List.of("Buffers", "Buffers$Reserved")),
          Map.entry("limit", List.of("Limit", "Limit$Control", "CountLog")));

  /** Groups that hold their roots alone. Later groups hold the classes that these roots name. */
  private static final Set<String> ALONE = Set.of("definer", "start", "cleaner");

  private static final RuntimeVisibleAnnotationsAttribute INLINED =
      RuntimeVisibleAnnotationsAttribute.of(
          Annotation.of(ClassDesc.of("jdk.internal.vm.annotation.ForceInline")));

  private final Map<String, ClassModel> relocated = new TreeMap<>();
  private final Set<String> done = new LinkedHashSet<>();

  /**
   * Takes six arguments: the library's jar, the sources of classes that replace some of the
   * library's, a folder to compile in, the folder to write {@code GROUP.classes} to, and the
   * folders of classes of the agent and of module rewrite, which go into java.base, too.
   */
  public static void main(String[] arguments) throws IOException {
    Path[] paths = Arrays.stream(arguments).map(Path::of).toArray(Path[]::new);
    JavaBaseClasses classes = new JavaBaseClasses();
    Relocation.of(paths[0], List.of(paths[4], paths[5]), paths[1], paths[2])
        .forEach((name, bytes) -> classes.relocated.put(name, ClassFile.of().parse(bytes)));
    Path folder = Files.createDirectories(paths[3]);
    for (Map.Entry<String, List<String>> group : GROUPS) {
      byte[] file = classes.group(group.getKey(), group.getValue());
      Files.write(folder.resolve(group.getKey() + ".classes"), file);
    }
    Set<String> left = new TreeSet<>(classes.relocated.keySet());
    left.removeAll(classes.done);
    System.out.printf("[INFO] Classes in java.base: %d; left out %s%n", classes.done.size(), left);
  }

  private byte[] group(String name, List<String> roots) throws IOException {
    Set<String> reached = new LinkedHashSet<>();
    for (String root : roots) {
      String type = root.equals(DEFINER) ? root : CLOSED + root;
      if (ALONE.contains(name)) {
        reached.add(type);
      } else {
        reach(type, name, reached);
      }
    }
    reached.removeAll(done);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (String each : reached) {
        writeAfterSupertypes(each, reached, out);
      }
      List<Entry> entries = ENTRIES.getOrDefault(name, List.of());
      if (!entries.isEmpty()) {
        write(EXPORTED + entries.getFirst().name(), bytes(entries), out);
      }
      write(new byte[0], out);
    }
    return bytes.toByteArray();
  }

  private void reach(String name, String group, Set<String> reached) {
    if ((group.equals("agent") && isOf(REWRITE, name))
        || (!group.equals("record") && isOf(OF_RECORD, name))
        || OF_ONE_GROUP.entrySet().stream()
            .anyMatch(
                each -> !each.getKey().equals(group) && isOf(List.of(each.getValue()), name))) {
      return;
    }
    ClassModel model = relocated.get(name);
    if (model == null) {
      throw new IllegalStateException("A class of the library is missing: " + name);
    }
    if (reached.add(name)) {
      for (PoolEntry entry : model.constantPool()) {
        if (entry instanceof ClassEntry used && relocated.containsKey(used.asInternalName())) {
          reach(used.asInternalName(), group, reached);
        }
      }
    }
  }

  /** Whether a class, or the class that it is nested in, is one of these. */
  private static boolean isOf(List<String> classes, String name) {
    return classes.stream().anyMatch(each -> (name + "$").startsWith(CLOSED + each + "$"));
  }

  private void writeAfterSupertypes(String name, Set<String> group, DataOutputStream out)
      throws IOException {
    if (!group.contains(name) || !done.add(name)) {
      return;
    }
    ClassModel model = relocated.get(name);
    writeAfterSupertypes(model.superclass().orElseThrow().asInternalName(), group, out);
    for (ClassEntry implemented : model.interfaces()) {
      writeAfterSupertypes(implemented.asInternalName(), group, out);
    }
    write(name, closed(model), out);
  }

  private static void write(String name, byte[] bytes, DataOutputStream out) throws IOException {
    write(name.getBytes(StandardCharsets.ISO_8859_1), out);
    write(bytes, out);
  }

  private static void write(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeByte(bytes.length >> 16);
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  /** Returns the class file; in the closed package public only if the class has kept methods. */
  private static byte[] closed(ClassModel model) {
    String full = model.thisClass().asInternalName();
    String name = full.startsWith(CLOSED) ? full.substring(CLOSED.length()) : "";
    boolean isKept = KEPT.keySet().stream().anyMatch(each -> each.startsWith(name + "."));
    return ClassFile.of()
        .transformClass(
            model,
            (built, element) -> {
              switch (element) {
                case AccessFlags flags when !name.isEmpty() ->
                    built.withFlags(made(flags.flagsMask(), isKept));
                case InnerClassesAttribute nested ->
                    built.with(
                        InnerClassesAttribute.of(
                            nested.classes().stream().map(JavaBaseClasses::closed).toList()));
                case MethodModel method when isKept && isNotInherited(method) ->
                    built.transformMethod(
                        method,
                        (inMethod, part) -> {
                          if (part instanceof AccessFlags flags) {
                            String called = name + "." + method.methodName().stringValue();
                            inMethod.withFlags(made(flags.flagsMask(), KEPT.containsKey(called)));
                          } else {
                            inMethod.with(part);
                          }
                        });
                default -> built.with(element);
              }
            });
  }

  /** Removes public and protected from the flags of a nested class that reflection reads. */
  private static InnerClassInfo closed(InnerClassInfo nested) {
    return nested.innerClass().asInternalName().startsWith(CLOSED)
        ? InnerClassInfo.of(
            nested.innerClass(),
            nested.outerClass(),
            nested.innerName(),
            nested.flagsMask() & ~(ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED))
        : nested;
  }

  /** Whether a method may lose public: a method that implements an interface's may not. */
  private static boolean isNotInherited(MethodModel method) {
    return method.flags().has(AccessFlag.STATIC) || method.methodName().equalsString("<init>");
  }

  private static int made(int flags, boolean isPublic) {
    return isPublic ? flags | ClassFile.ACC_PUBLIC : flags & ~ClassFile.ACC_PUBLIC;
  }

  private static byte[] bytes(List<Entry> entries) {
    byte[] classFile =
        ClassFile.of()
            .build(
                ClassDesc.ofInternalName(EXPORTED + entries.getFirst().name()),
                built -> {
                  built.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
                  for (Entry entry : entries) {
                    built.withMethod(
                        entry.method(),
                        MethodTypeDesc.ofDescriptor(entry.type()),
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                        method -> {
                          if (!entry.opens()) {
                            method.with(INLINED);
                          }
                          method.withCode(code -> callTarget(entry, code));
                        });
                  }
                });
    if (entries.getFirst().opens()) {
      patchMaxStack(classFile);
    }
    return classFile;
  }

  private static void callTarget(Entry entry, CodeBuilder code) {
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(entry.type());
    for (int i = 0; i < type.parameterCount(); i++) {
      code.loadLocal(TypeKind.from(type.parameterType(i)), i); // all take one slot
    }
    ClassDesc target = ClassDesc.ofInternalName(CLOSED + entry.target());
    code.invokestatic(target, entry.targetMethod(), type).return_(TypeKind.from(type.returnType()));
  }

  /**
   * Raises the stack size of the one method. The method has no parameters and calls another, so its
   * Code attribute starts with stack 1, no local variables and 4 bytes of code.
   */
  private static void patchMaxStack(byte[] classFile) {
    byte[] sought = {0, 1, 0, 0, 0, 0, 0, 4, (byte) 184};
    for (int at = 0; at <= classFile.length - sought.length; at++) {
      if (Arrays.equals(classFile, at, at + sought.length, sought, 0, sought.length)) {
        classFile[at + 1] = TOO_MUCH_FOR_C1;
        return;
      }
    }
    throw new IllegalStateException("An entry that opens arenas has no code as expected");
  }
}
