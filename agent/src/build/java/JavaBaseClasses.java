import dev.rockpool.agent.ClassGroup;
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
import java.util.ArrayList;
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
 * <p>{@link ClassGroup} is the table of the groups. Supertypes come before their subtypes. A class
 * that no root reaches is left out.
 *
 * <p>For each class, a file has the name and the bytes, with a length of three bytes before each; a
 * length of 0 ends the file.
 */
final class JavaBaseClasses {
  private static final String CLOSED = Relocation.CLOSED;
  private static final String EXPORTED = Relocation.EXPORTED;

  /** The methods that stay public in the closed package, by class. */
  private static final Map<String, Set<String>> KEPT =
      Map.ofEntries(
          // For the entries:
          Map.entry("Buffers", Set.of("allocateDirect")),
          Map.entry("Owners", Set.of("opened", "openedCollected", "openedGuessed", "closed")),
          // For the entry Arenas, and the linker, in another package of java.base:
          Map.entry("Start", Set.of("ofConfined", "open")),
          Map.entry("LinkedAllocators", Set.of("bind")),
          // For sun.misc.Unsafe, in jdk.unsupported, and for java.nio and sun.nio.ch:
          Map.entry("Cleaner", Set.of("free", "freeAndRecord", "freeMemory", "unmap")),
          Map.entry(
              "Unsafe",
              Set.of("allocateMemory", "reallocateMemory", "freeMemory", "allocateTemporary")),
          // For the targets of calls that are told apart:
          Map.entry(
              "Limit",
              Set.of("ofConfined", "ofJdk", "ofShared", "ofAuto", "global", "allocateDirect")),
          Map.entry("RecordedArena", Set.of("of", "ofPool", "ofJdk")),
          Map.entry("HoldingArena", Set.of("of")),
          Map.entry("Holding", Set.of("ofBuffer", "ofMapped", "refused")));

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
  private static final Map<ClassGroup, List<Entry>> ENTRIES =
      Map.of(
          ClassGroup.START,
          List.of(new Entry("Arenas", "ofConfined", ARENA, "Start", "ofConfined", true)),
          ClassGroup.DIRECT,
          List.of(new Entry("DirectBuffers", ALLOCATE, BUFFER, "Buffers", ALLOCATE, false)),
          ClassGroup.RECORD,
          List.of(
              ofOwner("opened"),
              ofOwner("openedCollected"),
              ofOwner("openedGuessed"),
              ofOwner("closed")));

  private static Entry ofOwner(String method) {
    return new Entry("Owner", method, "(Ljava/lang/Object;)V", "Owners", method, false);
  }

  /** The one class that goes elsewhere, into a class loader of the agent's. */
  private static final String DEFINER = "dev/rockpool/agent/Definer";

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
    classes.write(folder, "definer", Set.of(DEFINER), List.of());
    for (ClassGroup group : ClassGroup.values()) {
      classes.write(
          folder, group.file(), classes.reached(group), ENTRIES.getOrDefault(group, List.of()));
    }
    Set<String> left = new TreeSet<>(classes.relocated.keySet());
    left.removeAll(classes.done);
    System.out.printf("[INFO] Classes in java.base: %d; left out %s%n", classes.done.size(), left);
  }

  private void write(Path folder, String name, Set<String> group, List<Entry> entries)
      throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(Files.newOutputStream(folder.resolve(name + ".classes")))) {
      for (String each : group) {
        writeAfterSupertypes(each, group, out);
      }
      if (!entries.isEmpty()) {
        write(EXPORTED + entries.getFirst().name(), bytes(entries), out);
      }
      write(new byte[0], out);
    }
  }

  private Set<String> reached(ClassGroup group) {
    List<String> later = new ArrayList<>();
    for (ClassGroup each : ClassGroup.values()) {
      if (each.compareTo(group) > 0) {
        later.addAll(each.roots());
      }
    }
    Set<String> reached = new LinkedHashSet<>();
    group.roots().forEach(root -> reach(CLOSED + root, later, reached));
    reached.removeAll(done);
    return reached;
  }

  private void reach(String name, List<String> later, Set<String> reached) {
    if (later.stream().anyMatch(each -> (name + "$").startsWith(CLOSED + each + "$"))) {
      return;
    }
    ClassModel model = relocated.get(name);
    if (model == null) {
      throw new IllegalStateException("A class of the library is missing: " + name);
    }
    if (reached.add(name)) {
      for (PoolEntry entry : model.constantPool()) {
        if (entry instanceof ClassEntry used && relocated.containsKey(used.asInternalName())) {
          reach(used.asInternalName(), later, reached);
        }
      }
    }
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
    boolean isKept = KEPT.containsKey(name);
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
                            inMethod.withFlags(made(flags.flagsMask(), isKept(name, method)));
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

  private static boolean isKept(String owner, MethodModel method) {
    return KEPT.getOrDefault(owner, Set.of()).contains(method.methodName().stringValue());
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
