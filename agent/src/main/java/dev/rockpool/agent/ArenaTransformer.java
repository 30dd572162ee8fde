package dev.rockpool.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Looks at each class of the application as it is loaded, and has its arenas pooled. */
final class ArenaTransformer implements ClassFileTransformer {
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

  private final AgentOptions options;
  private final PooledClasses pooled;

  /** What classes are redirected to while arenas are recorded, or null. */
  private final @Nullable RecordedSites sites;

  private final Set<String> rewritten = ConcurrentHashMap.newKeySet();
  private volatile boolean broken;

  ArenaTransformer(AgentOptions options, PooledClasses pooled, @Nullable RecordedSites sites) {
    this.options = options;
    this.pooled = pooled;
    this.sites = sites;
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
      if (CARRIER.equals(className) && !broken) {
        definePooled();
      }
      if (broken
          || className == null
          || !isApplication(module, loader)
          || !ArenaCallSites.mayBeIn(classFile)
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
    ArenaCallSites.Rewritten result = ArenaCallSites.rewrite(classFile, PooledClasses.ARENAS);
    if (result != null && definePooled() && sites != null) {
      result = ArenaCallSites.rewrite(classFile, sites.of(className));
    }
    if (result == null || broken) {
      return null;
    }
    rewritten.add(className);
    if (options.verbose()) {
      Console.print(
          className.replace('/', '.')
              + ": "
              + callSites(result.count())
              + " of Arena.ofConfined() rewritten");
    }
    return result.bytes();
  }

  private static String callSites(int count) {
    return switch (count) {
      case ArenaCallSites.UNKNOWN -> "all call sites";
      case 1 -> "1 call site";
      default -> count + " call sites";
    };
  }

  /** A class may be redirected only to what is there. */
  private boolean definePooled() {
    try {
      pooled.define();
      return true;
    } catch (Throwable failure) {
      broken = true;
      Console.print("arenas can't be pooled on this JDK; the program runs on without", failure);
      return false;
    }
  }

  /** Whether this transformer changed the class, its name in internal form. */
  boolean hasRewritten(String className) {
    return rewritten.contains(className);
  }
}
