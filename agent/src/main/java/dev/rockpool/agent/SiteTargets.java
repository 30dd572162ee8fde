package dev.rockpool.agent;

import dev.rockpool.agent.AgentTransformer.Targets;
import dev.rockpool.internal.Setting;
import dev.rockpool.record.Site;
import dev.rockpool.rewrite.RedirectedMethod;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The targets of redirected uses while memory is recorded or limited, or both. Each call gets a
 * target class of its own, in java.lang.foreign, which passes on the number of the site; all method
 * references of a class get one.
 *
 * <pre>
 *   public final class RockpoolLimitRecordSite7 {
 *     public static Arena ofShared() {
 *       return RockpoolHoldingArena.of(RockpoolLimit.ofShared(7), 7);
 *     }
 *   }
 * </pre>
 *
 * <p>So finding the site costs nothing, and in the program's class only entries of the constant
 * pool and operands change. Sites of the same name, in classes of different loaders, share a target
 * class, and so do all sites of a kind beyond the first few thousand.
 */
final class SiteTargets implements Targets {
  private static final String ARENA = "Ljava/lang/foreign/Arena;";
  private static final String SEGMENT = "Ljava/lang/foreign/MemorySegment;";
  private static final RuntimeVisibleAnnotationsAttribute INLINED =
      RuntimeVisibleAnnotationsAttribute.of(
          Annotation.of(ClassDesc.of("jdk.internal.vm.annotation.ForceInline")));

  private final LibraryInJavaBase library;
  private final boolean ofPool;
  private final boolean direct;
  private final boolean records;

  private final boolean limits;

  private final Set<String> defined = ConcurrentHashMap.newKeySet();

  /** Makes targets that open arenas of the pool or the JDK, and make buffers of ours or not. */
  SiteTargets(LibraryInJavaBase library, AgentReport report, boolean records) {
    this.library = library;
    this.ofPool = report.poolsArenas;
    this.direct = report.options.has(Setting.DIRECT);
    this.records = records;
    this.limits = report.limit != null;
  }

  /** Classes that record or limit come after all that is called here. */
  @Override
  public void define(RedirectedMethod method) {}

  @Override
  public boolean distinguishesCalls() {
    return true;
  }

  /** Mapped files are recorded, and not limited. */
  @Override
  public List<RedirectedMethod> more() {
    return Arrays.stream(RedirectedMethod.values())
        .filter(method -> records || !method.isVirtual())
        .toList();
  }

  @Override
  public String of(RedirectedMethod method, String className) {
    return target(method, className.replace('/', '.'));
  }

  @Override
  public String ofCall(RedirectedMethod method, String className, String place) {
    return target(method, className.replace('/', '.') + "." + place);
  }

  private String target(RedirectedMethod method, String siteName) {
    int site = Site.find(siteName, kind(method)).number;
    String name =
        "java/lang/foreign/Rockpool"
            + (limits ? "Limit" : "")
            + (records ? "Record" : "")
            + variant(method)
            + "Site"
            + site;
    if (!defined.contains(name)) { // the JVM counts a refused class as loaded, too
      library.defineEntry(name, bytes(method, ClassDesc.ofInternalName(name), site));
      defined.add(name);
    }
    return name;
  }

  private static Site.Kind kind(RedirectedMethod method) {
    return switch (method) {
      case OF_CONFINED -> Site.Kind.CONFINED;
      case OF_SHARED -> Site.Kind.SHARED;
      case OF_AUTO -> Site.Kind.AUTOMATIC;
      case GLOBAL -> Site.Kind.GLOBAL;
      case ALLOCATE_DIRECT -> Site.Kind.DIRECT;
      case MAP_BUFFER, MAP_SEGMENT -> Site.Kind.MAPPED;
    };
  }

  /**
   * Tells targets of one site number apart: the classes stay, but after an uninstall the agent may
   * come with other options; and both ways to map are of one kind.
   */
  private String variant(RedirectedMethod method) {
    return switch (method) {
      case OF_CONFINED -> ofPool ? "" : "Jdk";
      case ALLOCATE_DIRECT -> direct ? "Direct" : "";
      case MAP_SEGMENT -> "Segment";
      default -> "";
    };
  }

  private byte[] bytes(RedirectedMethod method, ClassDesc name, int site) {
    return ClassFile.of()
        .build(
            name,
            built ->
                built
                    .withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                    .withMethod(
                        method.method,
                        MethodTypeDesc.ofDescriptor(method.targetType()),
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                        entry ->
                            (method == RedirectedMethod.OF_CONFINED ? entry.with(INLINED) : entry)
                                .withCode(code -> write(code, method, site))));
  }

  private void write(CodeBuilder code, RedirectedMethod method, int site) {
    int slot = 0;
    for (ClassDesc each : MethodTypeDesc.ofDescriptor(method.targetType()).parameterList()) {
      TypeKind parameter = TypeKind.from(each);
      code.loadLocal(parameter, slot);
      slot += parameter.slotSize();
    }
    if (records && method == RedirectedMethod.ALLOCATE_DIRECT) {
      code.trying(
          block -> open(block, method, site),
          handlers ->
              handlers.catching(
                  ClassDesc.of("java.lang.OutOfMemoryError"),
                  block -> {
                    block.loadConstant(site);
                    call(block, "Holding", "refused", "(I)V");
                    block.athrow();
                  }));
    } else {
      open(code, method, site);
    }
    if (records && (limits || method != RedirectedMethod.OF_CONFINED)) {
      record(code, method, site, slot - 1);
    }
    code.areturn();
  }

  /** Opens an arena, or makes a buffer or segment, with the arguments on the stack. */
  private void open(CodeBuilder code, RedirectedMethod method, int site) {
    ClassDesc owner = ClassDesc.ofInternalName(method.owner);
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(method.type);
    if (method.isVirtual()) {
      code.invokevirtual(owner, method.method, type);
    } else if (limits) {
      boolean ofJdk = method == RedirectedMethod.OF_CONFINED && !ofPool;
      String limited =
          type.insertParameterTypes(type.parameterCount(), ConstantDescs.CD_int).descriptorString();
      code.loadConstant(site);
      call(code, "Limit", ofJdk ? "ofJdk" : method.method, limited);
    } else if (method == RedirectedMethod.OF_CONFINED) { // the recorder opens the arena
      code.loadConstant(site);
      call(code, "RecordedArena", ofPool ? "ofPool" : "ofJdk", "(I)" + ARENA);
    } else if (method == RedirectedMethod.ALLOCATE_DIRECT && direct) {
      call(code, "Buffers", method.method, method.type);
    } else {
      code.invokestatic(owner, method.method, type, method != RedirectedMethod.ALLOCATE_DIRECT);
    }
  }

  /**
   * Records the arena, buffer or segment on the stack, or puts an arena that does in its place.
   *
   * @param last the slot of the last parameter, which is the arena of a mapped segment
   */
  private static void record(CodeBuilder code, RedirectedMethod method, int site, int last) {
    switch (method) {
      case OF_CONFINED, OF_SHARED, OF_AUTO, GLOBAL -> code.loadConstant(site);
      case ALLOCATE_DIRECT, MAP_BUFFER -> code.dup().loadConstant(site);
      case MAP_SEGMENT -> code.dup().aload(last).loadConstant(site);
    }
    switch (method) {
      case OF_CONFINED -> call(code, "RecordedArena", "of", "(" + ARENA + "I)" + ARENA);
      case OF_SHARED, OF_AUTO, GLOBAL ->
          call(code, "HoldingArena", "of", "(" + ARENA + "I)" + ARENA);
      case ALLOCATE_DIRECT, MAP_BUFFER ->
          call(code, "Holding", "ofBuffer", "(Ljava/nio/Buffer;I)V");
      case MAP_SEGMENT -> call(code, "Holding", "ofMapped", "(" + SEGMENT + ARENA + "I)V");
    }
  }

  private static void call(CodeBuilder code, String owner, String method, String type) {
    ClassDesc closed = ClassDesc.ofInternalName(LibraryInJavaBase.CLOSED + owner);
    code.invokestatic(closed, method, MethodTypeDesc.ofDescriptor(type));
  }
}
