package dev.rockpool.agent;

import dev.rockpool.agent.CallSiteTransformer.Targets;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The targets of redirected call sites while arenas are recorded. Each class of the program gets a
 * target class of its own, in java.lang.foreign, which passes on the number of the site.
 *
 * <pre>
 *   public final class RockpoolRecordSite7 {
 *     &#64;ForceInline
 *     public static Arena ofConfined() {
 *       return RockpoolRecordedArena.ofPool(7);
 *     }
 *   }
 * </pre>
 *
 * <p>So finding the site costs nothing, and only one constant pool entry of the program's class
 * changes, as without recording. Classes of the same name in different loaders share a target
 * class, and so do all classes beyond the first few thousand.
 */
final class RecordedSites implements Targets {
  private static final MethodType NUMBER = MethodType.methodType(int.class, String.class);
  private static final String METHOD = "ofConfined";
  private static final ClassDesc ARENA = Arena.class.describeConstable().orElseThrow();
  private static final ClassDesc RECORDED =
      ClassDesc.ofInternalName(LibraryInJavaBase.RECORDED_ARENA);
  private static final MethodTypeDesc TYPE = MethodTypeDesc.of(ARENA);
  private static final MethodTypeDesc TYPE_WITH_SITE =
      MethodTypeDesc.of(ARENA, ConstantDescs.CD_int);
  private static final RuntimeVisibleAnnotationsAttribute INLINED =
      RuntimeVisibleAnnotationsAttribute.of(
          Annotation.of(ClassDesc.of("jdk.internal.vm.annotation.ForceInline")));

  private final LibraryInJavaBase library;
  private final String prefix;
  private final String opener;
  private final AtomicBoolean used = new AtomicBoolean();

  /** Makes targets that open arenas of the pool, or of the JDK. */
  RecordedSites(LibraryInJavaBase library, boolean ofPool) {
    this.library = library;
    this.prefix = "java/lang/foreign/RockpoolRecord" + (ofPool ? "Site" : "JdkSite");
    this.opener = ofPool ? "ofPool" : "ofJdk";
  }

  @Override
  public void define(RedirectedMethod method) throws Exception {
    library.define(method);
  }

  /** Defines the target of a class at its first call. */
  @Override
  public String of(RedirectedMethod method, String className) throws Exception {
    if (method != RedirectedMethod.OF_CONFINED) {
      return library.of(method, className);
    }
    used.set(true);
    int site = number(className.replace('/', '.'));
    String name = prefix + site;
    library.defineEntry(name, bytes(ClassDesc.ofInternalName(name), site));
    return name;
  }

  private int number(String className) throws Exception {
    try {
      return (int) library.method("Sites", "of", NUMBER).invokeExact(className);
    } catch (Exception | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new LinkageError("Sites.of", impossible);
    }
  }

  /** Returns a flag: whether any target was requested, so that arenas may have been recorded. */
  AtomicBoolean used() {
    return used;
  }

  private byte[] bytes(ClassDesc name, int site) {
    return ClassFile.of()
        .build(
            name,
            built ->
                built
                    .withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                    .withMethod(
                        METHOD,
                        TYPE,
                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                        method ->
                            method
                                .with(INLINED)
                                .withCode(
                                    code ->
                                        code.loadConstant(site)
                                            .invokestatic(RECORDED, opener, TYPE_WITH_SITE)
                                            .areturn())));
  }
}
