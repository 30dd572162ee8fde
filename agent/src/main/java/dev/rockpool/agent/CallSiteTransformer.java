package dev.rockpool.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks at each class of the application as it is loaded, and redirects what it calls: has its
 * arenas pooled, and its direct buffers come from our direct memory.
 */
final class CallSiteTransformer implements ClassFileTransformer {
  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  /**
   * The library itself, on whichever path the program has it: its arenas are made of regular ones.
   */
  private static final String[] OURS = {
    "dev/rockpool/arena/",
    "dev/rockpool/call/",
    "dev/rockpool/direct/",
    "dev/rockpool/internal/",
    "dev/rockpool/record/",
    "dev/rockpool/agent/"
  };

  /** What the library asks for the carrier of a virtual thread; it finds ours, if it is there. */
  private static final String CARRIER = "dev/rockpool/internal/Carrier";

  private static final String NO_ARENAS =
      "arenas can't be pooled on this JDK; the program runs on without";

  private static final String NO_BUFFERS =
      "direct buffers can't be ours on this JDK, which goes on with its own";

  private final AgentOptions options;
  private final PooledClasses pooled;

  /** What classes are redirected to while arenas are recorded, or null. */
  private final @Nullable RecordedSites sites;

  private final Set<String> rewritten = ConcurrentHashMap.newKeySet();

  /** What is redirected: all that the options say, except what turned out to be impossible. */
  private final Set<RedirectedMethod> methods = ConcurrentHashMap.newKeySet();

  CallSiteTransformer(AgentOptions options, PooledClasses pooled, @Nullable RecordedSites sites) {
    this.options = options;
    this.pooled = pooled;
    this.sites = sites;
    if (options.arenas() || sites != null) {
      methods.add(RedirectedMethod.OF_CONFINED);
    }
    if (options.direct()) {
      methods.add(RedirectedMethod.ALLOCATE_DIRECT);
    }
  }

  /** Whether there is anything to redirect. */
  boolean hasWork() {
    return !methods.isEmpty();
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    try {
      if (CARRIER.equals(className) && methods.contains(RedirectedMethod.OF_CONFINED)) {
        isDefined(RedirectedMethod.OF_CONFINED);
      }
      if (className == null
          || !isApplication(module, loader)
          || !mayRewrite(classFile)
          || !covers(className)) {
        return null;
      }
      return rewrite(className, classFile);
    } catch (Throwable failure) {
      // The JVM would swallow it; the class then stays as it is, and so does the program.
      Console.print("could not rewrite " + className + ", which goes on without the pool", failure);
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
    return name != null
        && (name.startsWith("java.") || name.startsWith("jdk."))
        && module.getLayer() == ModuleLayer.boot();
  }

  /** Whether a class file may have anything to redirect: a quick look. */
  boolean mayRewrite(byte[] classFile) {
    for (RedirectedMethod method : methods) {
      if (method.mayBeIn(classFile)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the options cover the class, its name in internal form. */
  boolean covers(String className) {
    for (String prefix : OURS) {
      if (className.startsWith(prefix)) {
        return false;
      }
    }
    return options.covers(className.replace('/', '.'));
  }

  private byte @Nullable [] rewrite(String className, byte[] classFile) throws Exception {
    CallSites found = CallSites.in(classFile, methods);
    Map<RedirectedMethod, String> targets = new EnumMap<>(RedirectedMethod.class);
    for (RedirectedMethod method : found.methods()) {
      if (isDefined(method)) {
        targets.put(method, target(method, className));
      }
    }
    if (targets.isEmpty()) {
      return null;
    }
    rewritten.add(className);
    if (options.verbose()) {
      targets.keySet().forEach(method -> tell(className, found, method));
    }
    return found.redirectedTo(targets);
  }

  private String target(RedirectedMethod method, String className) throws Exception {
    return switch (method) {
      case OF_CONFINED -> sites == null ? PooledClasses.ARENAS : sites.of(className);
      case ALLOCATE_DIRECT -> PooledClasses.DIRECT_BUFFERS;
    };
  }

  private static void tell(String className, CallSites found, RedirectedMethod method) {
    int count = found.count(method);
    String callSites =
        switch (count) {
          case CallSites.UNKNOWN -> "all call sites";
          case 1 -> "1 call site";
          default -> count + " call sites";
        };
    Console.print(
        className.replace('/', '.') + ": " + callSites + " of " + method.text() + " rewritten");
  }

  /** A class may be redirected only to what is there. */
  private boolean isDefined(RedirectedMethod method) {
    try {
      switch (method) {
        case OF_CONFINED -> pooled.define();
        case ALLOCATE_DIRECT -> pooled.defineDirect();
      }
      return true;
    } catch (Throwable failure) {
      // Of the threads that find it out at the same time, one says so.
      if (methods.remove(method)) {
        Console.print(method == RedirectedMethod.OF_CONFINED ? NO_ARENAS : NO_BUFFERS, failure);
      }
      return false;
    }
  }

  /** Whether this transformer changed the class, its name in internal form. */
  boolean hasRewritten(String className) {
    return rewritten.contains(className);
  }
}
