package dev.rockpool.agent;

import dev.rockpool.internal.Notices;
import dev.rockpool.internal.Setting;
import dev.rockpool.rewrite.CallSites;
import dev.rockpool.rewrite.CallSites.Call;
import dev.rockpool.rewrite.ClassBytes;
import dev.rockpool.rewrite.OwnerClass;
import dev.rockpool.rewrite.RedirectedMethod;
import dev.rockpool.rewrite.Skip;
import java.lang.instrument.ClassFileTransformer;
import java.lang.module.ResolvedModule;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Redirects the call sites of each application class when the class is loaded. So the class gets
 * pooled arenas, and direct buffers of Rockpool's direct memory. Rewrites {@link JdkMethod}s, too.
 *
 * <p>Only the JVM's own list refers to the transformer, which has the agent's Instrumentation. An
 * uninstall must reach the transformer through the JVM: it notes so in the report, and has the JVM
 * retransform {@link Leaving}. The transformer leaves when it sees that class. Retransforming takes
 * an {@link Instrumentation}, which the JVM gives only to those who may attach.
 */
final class AgentTransformer implements ClassFileTransformer {
  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  /**
   * The library's class that looks up the agent's class for the carrier of a virtual thread. Joined
   * when this runs: as a constant it would be renamed with the agent's own copy of that class.
   */
  static final String CARRIER = String.join("/", "dev", "rockpool", "internal", "Carrier");

  static final String NO_ARENAS =
      "arenas can't be pooled on this JDK; the program runs on without Rockpool";

  private static final String NO_BUFFERS =
      "direct buffers can't come from Rockpool on this JDK, which goes on with its own";

  interface Targets {
    /** Defines the classes that redirected uses of the method lead to. */
    void define(RedirectedMethod method) throws Exception;

    /** Returns the class that uses in a class are redirected to, both in internal form. */
    String of(RedirectedMethod method, String className) throws Exception;

    /** Whether each call has a class of its own, see {@link #ofCall}. */
    default boolean distinguishesCalls() {
      return false;
    }

    /** Returns the methods to redirect beyond those that the options say. */
    default List<RedirectedMethod> more() {
      return List.of();
    }

    /** Returns the class that a call is redirected to, see {@link CallSites#place}. */
    default String ofCall(RedirectedMethod method, String className, String place)
        throws Exception {
      return of(method, className);
    }
  }

  /**
   * Retransformed to make the transformer leave. Empty, because the JVM links the lambdas of a
   * retransformed class anew, and never unloads them.
   */
  static final class Leaving {}

  final Set<RedirectedMethod> wanted = new LinkedHashSet<>();

  private final AgentReport report;
  private final List<JdkMethod> jdkMethods;
  private final Targets targets;
  private final LibraryInJavaBase library;

  /** Which objects own C memory; null if they are not recorded. */
  private final @Nullable OwnerRules owners;

  /** The wanted methods of which it was printed that they can't be redirected. */
  private final Set<RedirectedMethod> told = ConcurrentHashMap.newKeySet();

  /** The classes of which it was printed that they look up methods. */
  private final Set<String> lookingUp = ConcurrentHashMap.newKeySet();

  AgentTransformer(
      AgentReport report, Targets targets, LibraryInJavaBase library, @Nullable OwnerRules owners) {
    this.report = report;
    this.targets = targets;
    this.library = library;
    this.owners = owners;
    jdkMethods = JdkMethod.of(report.options);
    wanted.addAll(targets.more());
    if (report.poolsArenas) {
      wanted.add(RedirectedMethod.OF_CONFINED);
    }
    if (report.options.has(Setting.DIRECT)) {
      wanted.add(RedirectedMethod.ALLOCATE_DIRECT);
    }
  }

  void join() {
    library.instrumentation.addTransformer(this, true);
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (redefined == Leaving.class && report.isLeaving) {
      report.isActive = false;
      library.instrumentation.removeTransformer(this);
    }
    if (!report.isActive) {
      return null;
    }
    byte[] rewritten = rewrite(module, loader, className, classFile);
    // Checked again after the report has noted the class, so that an uninstall restores the class
    // or the class is not rewritten. A class that the JVM is defining just then stays rewritten.
    return report.isActive ? rewritten : null;
  }

  private byte @Nullable [] rewrite(
      Module module, @Nullable ClassLoader loader, @Nullable String className, byte[] classFile) {
    if (loader == null) {
      byte[] rewritten = null;
      for (JdkMethod method : jdkMethods) {
        if (method.owner.equals(className)) {
          byte[] next = rewrite(method, rewritten == null ? classFile : rewritten);
          rewritten = next == null ? rewritten : next;
        }
      }
      if (rewritten != null) {
        return rewritten;
      }
    }
    if (!isApplication(module, loader)) {
      return null;
    }
    if (CARRIER.equals(className)) {
      defineForLibrary();
    }
    String name = className;
    byte[] redirected = null;
    if (mayRedirect(classFile)) {
      name = className == null ? nameIn(classFile) : className;
      redirected = name == null ? null : rewrite(name, classFile);
    }
    byte[] counted = countOwners(name, redirected == null ? classFile : redirected);
    return counted == null ? redirected : counted;
  }

  /** Has the objects of a class counted that own C memory; returns null if they do not. */
  private byte @Nullable [] countOwners(@Nullable String className, byte[] classFile) {
    if (owners == null || className == null) {
      return null;
    }
    try {
      OwnerClass owner = covers(className) ? owners.of(className, classFile) : null;
      byte[] counted = owner == null ? null : owner.rewrite(classFile, OwnerRules.TARGET);
      if (counted != null) {
        report.addRewritten(className);
        if (report.verbose) {
          Notices.print(className.replace('/', '.') + ": objects that own C memory are counted");
        }
      }
      return counted;
    } catch (RuntimeException | LinkageError failure) {
      if (report.verbose) {
        Notices.print(className.replace('/', '.') + ": objects can't be counted", failure);
      }
    }
    return null;
  }

  private byte @Nullable [] rewrite(JdkMethod method, byte[] classFile) {
    try {
      library.define(ClassGroup.REWRITE);
      byte[] rewritten = method.rewrite(classFile);
      if (rewritten != null) {
        // Initializes no class, because our classes may be what first uses the rewritten class.
        // What
        // counts or records is there already.
        library.define(method == JdkMethod.LINKER ? ClassGroup.START : ClassGroup.DIRECT);
      }
      if (report.verbose) {
        Notices.print(
            rewritten == null ? method.without + ": it has no method as expected" : method.done);
      }
      return rewritten;
    } catch (Exception | LinkageError failure) {
      Notices.print(method.without, failure);
    }
    return null;
  }

  /** The library's class of carriers looks for one of the agent's. */
  private void defineForLibrary() {
    try {
      if (report.options.has(Setting.ARENAS)) {
        library.define(ClassGroup.ARENAS);
      }
    } catch (RuntimeException | LinkageError failure) {
      report.addSkipped(CARRIER, Skip.FAILED, failure);
    }
  }

  /** Returns the name that a class file states; null if the file can't be read. */
  private @Nullable String nameIn(byte[] classFile) { // the loader did not pass the name
    try {
      library.define(ClassGroup.REWRITE);
      return new ClassBytes(classFile).name();
    } catch (RuntimeException | LinkageError unreadable) {
      return null;
    }
  }

  /** Whether a class is neither the JDK's nor on the boot class path. */
  @SuppressWarnings("ReferenceEquality") // there is one platform class loader
  static boolean isApplication(Module module, @Nullable ClassLoader loader) {
    return loader != null && loader != PLATFORM && !isJdk(module);
  }

  private static boolean isJdk(Module module) {
    String name = module.getName();
    if (name == null
        || !(name.startsWith("java.") || name.startsWith("jdk."))
        || module.getLayer() != ModuleLayer.boot()) {
      return false;
    }
    ResolvedModule resolved = module.getLayer().configuration().findModule(name).orElseThrow();
    URI location = resolved.reference().location().orElse(null);
    return location == null || "jrt".equals(location.getScheme()); // no library of such a name
  }

  /** Whether a class file may have call sites, by a quick search. */
  private boolean mayRedirect(byte[] classFile) {
    for (RedirectedMethod method : wanted) {
      if (method.mayBeIn(classFile)) {
        return true;
      }
    }
    return false;
  }

  boolean covers(String className) {
    return !CallSites.isOurs(className) && report.options.covers(className.replace('/', '.'));
  }

  /**
   * Whether to retransform a loaded class of the application, by its constants. Counts a class with
   * call sites that only the options exclude.
   */
  boolean wants(Class<?> loaded) {
    String className = LoadedClasses.internalName(loaded);
    if (CallSites.isOurs(className)) {
      return false;
    }
    Set<String> texts = library.constants(loaded);
    if (covers(className)) {
      return texts == null
          || mayRedirect(texts)
          || (owners != null && owners.wants(className, texts));
    }
    if (texts != null && mayRedirect(texts)) {
      AgentMonitor.startOnce(report);
      report.addSkipped(className, Skip.EXCLUDED);
    }
    return false;
  }

  private boolean mayRedirect(Set<String> texts) {
    for (RedirectedMethod method : wanted) {
      if (method.mayBeIn(texts)) {
        return true;
      }
    }
    return false;
  }

  private byte @Nullable [] rewrite(String className, byte[] classFile) {
    try {
      library.define(ClassGroup.REWRITE);
      if (CallSites.isOurs(className)) {
        return null;
      }
      AgentMonitor.startOnce(report); // at the first class with call sites
      CallSites found = CallSites.in(classFile, wanted);
      if (targets.distinguishesCalls() && found.methods.isEmpty() && looksUp(classFile)) {
        tellOfLookUp(className);
      }
      if (covers(className)) {
        return redirect(className, found);
      }
      if (!found.methods.isEmpty() || !found.skipped.isEmpty()) {
        report.addSkipped(className, Skip.EXCLUDED);
      }
    } catch (Exception | LinkageError failure) {
      // The JVM would swallow the failure. The class stays unchanged.
      report.addSkipped(className, Skip.FAILED, failure);
    }
    return null;
  }

  /** Whether a class that has no call sites names the methods to look them up, most likely. */
  private static boolean looksUp(byte[] classFile) {
    String text = new String(classFile, StandardCharsets.ISO_8859_1);
    return text.contains("findStatic")
        && (text.contains("java/lang/foreign/Arena") || text.contains("java.lang.foreign.Arena"));
  }

  private void tellOfLookUp(String className) {
    if (lookingUp.add(className)) {
      Notices.print(
          className.replace('/', '.')
              + " looks up methods of Arena by name, whose memory is not counted"
              + (className.contains("netty/")
                  ? ". Netty takes memory that is counted if java is started with"
                      + " --enable-native-access=ALL-UNNAMED (or its modules' names)."
                  : "."));
    }
  }

  private byte @Nullable [] redirect(String className, CallSites found) throws Exception {
    for (Skip reason : found.skipped.values()) {
      report.addSkipped(className, reason);
    }
    Set<RedirectedMethod> methods = new LinkedHashSet<>();
    for (RedirectedMethod method : found.methods) {
      if (isDefined(method)) {
        methods.add(method);
      } else {
        report.addSkipped(className, Skip.FAILED);
      }
    }
    byte[] redirected = redirect(className, found, methods);
    if (methods.isEmpty()) {
      return null;
    }
    if (report.addRewritten(className) && report.verbose) {
      tell(className, found, methods);
    }
    return redirected;
  }

  /** Redirects uses of {@code methods}, of which those without room for it are removed. */
  private byte[] redirect(String className, CallSites found, Set<RedirectedMethod> methods)
      throws Exception {
    Map<RedirectedMethod, String> leads = new LinkedHashMap<>();
    Map<Call, String> ofCalls = new LinkedHashMap<>();
    boolean apart = targets.distinguishesCalls() && found.hasRoomFor(found.calls.size());
    for (Call call : found.calls) {
      RedirectedMethod method = call.method();
      if (apart && methods.contains(method)) {
        ofCalls.put(call, targets.ofCall(method, className, found.place(call)));
      } else if (method.isVirtual() && methods.remove(method)) {
        report.addSkipped(className, Skip.POOL_FULL);
      }
    }
    for (RedirectedMethod method : methods) {
      if (!method.isVirtual() && (!apart || found.hasReferences(method))) {
        leads.put(method, targets.of(method, className));
      }
    }
    return found.redirectedTo(leads, ofCalls);
  }

  private static void tell(String className, CallSites found, Set<RedirectedMethod> methods) {
    for (RedirectedMethod method : methods) {
      int count = found.count(method);
      String callSites = count == 1 ? "1 call site" : count + " call sites";
      Notices.print(
          className.replace('/', '.') + ": " + callSites + " of " + method.text + " rewritten");
    }
  }

  /** Has the targets of a method's uses defined; if impossible, says so and returns false. */
  private boolean isDefined(RedirectedMethod method) {
    try {
      targets.define(method);
      return true;
    } catch (Exception | LinkageError failure) {
      if (told.add(method)) {
        Notices.print(method == RedirectedMethod.ALLOCATE_DIRECT ? NO_BUFFERS : NO_ARENAS, failure);
      }
      return false;
    }
  }
}
