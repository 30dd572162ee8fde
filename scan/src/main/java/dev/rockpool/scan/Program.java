package dev.rockpool.scan;

import dev.rockpool.scan.Finding.Closing;
import dev.rockpool.scan.Finding.Escape;
import dev.rockpool.scan.Finding.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * The classes that code of an artifact may call, as far as it takes to understand that code; and
 * what their methods do with an arena that they are given. Only methods count that a call certainly
 * leads to, because nothing can override them. For one thread.
 */
final class Program {
  /** A call in a call in a call, and so on: what helpers of helpers come to. */
  private static final int DEEPEST = 8;

  /**
   * The use that a method makes of an arena that it is given.
   *
   * @param requests with the lines of the method
   * @param bytes as in {@link Finding}
   * @param closing as in {@link Finding}; {@code UNKNOWN} also if the arena is kept somewhere
   * @param returned whether the arena is what the method returns, if it returns at all
   * @param harmless whether it does nothing but return the arena, and throws no exception
   */
  record Effect(
      List<Request> requests,
      OptionalLong bytes,
      Closing closing,
      boolean returned,
      boolean harmless) {
    static final Effect UNKNOWN = ofLibrary(OptionalLong.empty(), Closing.UNKNOWN, false);

    static Effect ofLibrary(OptionalLong bytes, Closing closing, boolean returned) {
      return new Effect(List.of(), bytes, closing, returned, false);
    }
  }

  final Constants constants = new Constants(this);
  private final Classes classes;
  private final Contents artifact;
  private final int release;
  private final Map<String, @Nullable ClassReader> readers = new HashMap<>();

  /** Effects by all of a call that decides about them. */
  private final Map<List<Object>, Effect> known = new HashMap<>();

  /** Names and descriptors of methods that close the arena in a field, by class and field. */
  private final Map<String, Set<String>> closers = new HashMap<>();

  private int depth;

  /** The classes as code of an artifact finds them in a JVM of a release. */
  Program(Classes classes, Contents artifact, int release) {
    this.classes = classes;
    this.artifact = artifact;
    this.release = release;
  }

  /**
   * The class with that internal name, and of its methods the one that is asked for, if it declares
   * that, or all if none is. Null if the scan does not have the class, or what is asked for is not
   * readable; where the class is scanned itself it is named.
   *
   * <p>Only the code of that method is parsed. The constant pool, which methods have in common, is
   * looked at once.
   */
  @Nullable ClassNode find(String name, @Nullable String method, String descriptor) {
    try {
      if (!readers.containsKey(name)) {
        readers.put(name, null); // stays so if it is not readable
        ClassFile file = classes.find(name, artifact, release);
        readers.put(name, file == null ? null : new ClassReader(file.content()));
      }
      ClassReader reader = readers.get(name);
      if (reader == null) {
        return null;
      }
      ClassNode type =
          new ClassNode(Opcodes.ASM9) {
            @Override
            public @Nullable MethodVisitor visitMethod(
                int access,
                String itsName,
                String itsDescriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
              return method == null || (itsName.equals(method) && itsDescriptor.equals(descriptor))
                  ? super.visitMethod(access, itsName, itsDescriptor, signature, exceptions)
                  : null;
            }
          };
      reader.accept(type, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      return type;
    } catch (RuntimeException | AssertionError unreadable) {
      return null;
    }
  }

  /**
   * Looks up what {@code call} does with the arena.
   *
   * @param arguments what is known of them; constants help
   * @param position which of them is the arena
   */
  Effect effect(MethodInsnNode call, List<? extends Fact> arguments, int position) {
    Effect library = Library.effect(call, position);
    if (library != null || depth == DEEPEST) {
      return library == null ? Effect.UNKNOWN : library;
    }
    List<Fact> constants =
        arguments.stream()
            .<Fact>map(f -> f instanceof Fact.Constant ? f : Fact.Unknown.ofSize(f.getSize()))
            .toList();
    // A call of super certainly leads to the method, another one may not: hence the opcode.
    List<Object> question =
        List.of(call.getOpcode(), call.owner, call.name, call.desc, constants, position);
    Effect effect = known.get(question);
    if (effect == null) {
      known.put(question, Effect.UNKNOWN); // for a method that calls itself
      MethodNode method = target(call);
      if (method == null) {
        return Effect.UNKNOWN;
      }
      depth++;
      try {
        effect = effect(call.owner, method, constants, position);
      } finally {
        depth--;
      }
      known.put(question, effect);
    }
    return effect;
  }

  /** The method that runs, if that is certain. */
  private @Nullable MethodNode target(MethodInsnNode call) {
    ClassNode owner = Library.isOfTheJdk(call) ? null : find(call.owner, call.name, call.desc);
    if (owner == null || owner.methods.isEmpty()) {
      return null;
    }
    MethodNode method = owner.methods.getFirst();
    int fixed = Opcodes.ACC_FINAL | Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC;
    boolean certain =
        call.getOpcode() == Opcodes.INVOKESPECIAL
            || (method.access & fixed) != 0
            || (owner.access & Opcodes.ACC_FINAL) != 0;
    return certain && method.instructions.size() > 0 ? method : null;
  }

  private Effect effect(String owner, MethodNode method, List<Fact> constants, int position) {
    AbstractInsnNode creation = new InsnNode(Opcodes.NOP); // somewhere else
    List<Fact> arguments = new ArrayList<>(constants);
    arguments.set(position, new Fact.Arena(Set.of(creation), true));
    try {
      Life life = life(method, arguments, creation, new Facts(owner, this));
      Uses uses = new Uses(life, this);
      boolean returned = life.isAlwaysReturned();
      boolean kept =
          uses.escapes.contains(Escape.STORED)
              || uses.escapes.contains(Escape.CAPTURED)
              || (uses.escapes.contains(Escape.RETURNED) && !returned);
      Closing closing = kept && life.closing() == Closing.NEVER ? Closing.UNKNOWN : life.closing();
      return new Effect(
          List.copyOf(uses.requests), uses.bytes(), closing, returned, returned && !life.mayThrow);
    } catch (AnalyzerException | RuntimeException | AssertionError damaged) {
      return Effect.UNKNOWN; // where the class is scanned itself it is named
    }
  }

  /** Follows an arena that was made somewhere else, from the start of the method on. */
  private Life life(MethodNode method, List<Fact> arguments, AbstractInsnNode creation, Facts facts)
      throws AnalyzerException {
    Facts.checkSize(method);
    Frame<Fact> start = new Frame<>(method.maxLocals, method.maxStack);
    for (int i = 0; i < method.maxLocals; i++) {
      start.setLocal(i, Fact.Unknown.ONE_SLOT);
    }
    int local = (method.access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
    for (Fact argument : arguments) {
      start.setLocal(local, argument);
      local += argument.getSize();
    }
    return new Life(creation, start, new Graph(method), facts, this);
  }

  /**
   * Whether the class of the field, one that it inherits the field from, or another one nested in
   * the same has a method that closes the arena in the field.
   *
   * @param except the method that stores it there, which may close it only if something fails
   */
  boolean closesField(FieldInsnNode field, MethodNode except) {
    String key = field.owner + "." + field.name;
    Set<String> methods = closers.get(key);
    if (methods == null) {
      closers.put(key, Set.of()); // for methods that look for it again
      methods = new HashSet<>();
      String owner = field.owner;
      for (int i = 0; owner != null && i < DEEPEST; i++) { // or until a class has no arenas
        Facts.Kept kept = new Facts.Kept(owner, field.name, new InsnNode(Opcodes.NOP));
        for (String type : nest(owner)) {
          addClosers(type, kept, methods);
        }
        ClassNode type = find(owner, "", "");
        boolean inherits =
            type != null && type.fields.stream().noneMatch(each -> each.name.equals(field.name));
        owner = type != null && inherits ? type.superName : null;
      }
      closers.put(key, methods);
    }
    return methods.stream().anyMatch(method -> !method.equals(except.name + except.desc));
  }

  /** The class, the outermost one that it is in, and the classes in these. */
  private Set<String> nest(String name) {
    Set<String> nest = new LinkedHashSet<>(List.of(name, name.replaceFirst("(?<=.)\\$.*", "")));
    for (String around : List.copyOf(nest)) {
      ClassNode type = find(around, null, "");
      if (type != null) {
        type.innerClasses.stream()
            .map(inner -> inner.name)
            .filter(inner -> inner.startsWith(around + "$"))
            .forEach(nest::add);
      }
    }
    return nest;
  }

  private void addClosers(String name, Facts.Kept kept, Set<String> methods) {
    ClassNode type = find(name, null, "");
    for (MethodNode method : type == null ? List.<MethodNode>of() : type.methods) {
      try {
        if (Stream.of(method.instructions.toArray()).anyMatch(kept::isReadBy)) {
          List<Fact> arguments =
              Arrays.stream(Type.getArgumentTypes(method.desc))
                  .<Fact>map(argument -> Fact.Unknown.ofSize(argument.getSize()))
                  .toList();
          Life life = life(method, arguments, kept.creation(), new Facts(name, this, kept));
          if (life.closing().isInMethod() || life.closing() == Closing.BY_HOLDER) {
            methods.add(method.name + method.desc);
          }
        }
      } catch (AnalyzerException | RuntimeException | AssertionError damaged) {
        // Where the class is scanned itself it is named.
      }
    }
  }

  /**
   * The classes of a scan by name, as a class loader finds them. It never changes once all are
   * added.
   */
  static final class Classes {
    private record Place(Contents artifact, ClassFile file) {}

    private final Map<String, List<Place>> byName = new HashMap<>();

    /** Adds the classes of an artifact, after those that come before it on the class path. */
    void add(Contents artifact) {
      for (ClassFile file : artifact.foreign) {
        byName
            .computeIfAbsent(file.internalName(), name -> new ArrayList<>(1))
            .add(new Place(artifact, file));
      }
      artifact.nested.forEach(this::add);
    }

    /**
     * The class that code of an artifact means by an internal name: that of the same artifact, else
     * of the innermost jar that has both, else the first; and there the newest that a release uses.
     * Null if there is none.
     *
     * @param release that of the JVM, or 0 for one that knows nothing of jars for several
     */
    @Nullable ClassFile find(String name, Contents artifact, int release) {
      Place best = null;
      for (Place place : byName.getOrDefault(name, List.of())) {
        if (place.file.release() <= release && (best == null || isBetter(place, best, artifact))) {
          best = place;
        }
      }
      return best == null ? null : best.file;
    }

    private static boolean isBetter(Place place, Place than, Contents artifact) {
      int nearer = Integer.compare(nearness(place, artifact), nearness(than, artifact));
      return nearer > 0
          || (nearer == 0
              && place.artifact == than.artifact
              && place.file.release() > than.file.release());
    }

    /** The number of jars that both are in, from the outermost on; most of all for itself. */
    private static int nearness(Place place, Contents artifact) {
      int common = Arrays.mismatch(place.artifact.name.split("!/"), artifact.name.split("!/"));
      return common < 0 ? Integer.MAX_VALUE : common;
    }
  }
}
