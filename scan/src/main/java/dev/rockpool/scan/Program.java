package dev.rockpool.scan;

import dev.rockpool.scan.Finding.Closing;
import dev.rockpool.scan.Finding.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
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
   * @param closing as in {@link Finding}
   */
  record Effect(List<Request> requests, OptionalLong bytes, Closing closing) {
    static final Effect UNKNOWN = new Effect(List.of(), OptionalLong.empty(), Closing.NEVER);
  }

  /**
   * The part of a call that decides what it asks for.
   *
   * @param opcode a call of {@code super} certainly leads to the method, another one may not
   * @param arguments constants among them, else unknown
   * @param position which of them is the arena
   */
  private record Question(
      int opcode,
      String owner,
      String method,
      String descriptor,
      List<Fact> arguments,
      int position) {}

  final Constants constants = new Constants(this);
  private final Classes classes;
  private final Contents artifact;
  private final int release;
  private final Map<String, @Nullable ClassReader> readers = new HashMap<>();
  private final Map<Question, Effect> known = new HashMap<>();
  private int depth;

  /** The classes as code of an artifact finds them in a JVM of a release. */
  Program(Classes classes, Contents artifact, int release) {
    this.classes = classes;
    this.artifact = artifact;
    this.release = release;
  }

  /**
   * The class with that internal name, and of its methods the one that is asked for, if it declares
   * that. Null if the scan does not have the class, or what is asked for is not readable; where the
   * class is scanned itself it is named.
   *
   * <p>Only the code of that method is parsed. The constant pool, which methods have in common, is
   * looked at once.
   */
  @Nullable ClassNode find(String name, String method, String descriptor) {
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
              return itsName.equals(method) && itsDescriptor.equals(descriptor)
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
  Effect effect(MethodInsnNode call, List<Fact> arguments, int position) {
    if (depth == DEEPEST) {
      return Effect.UNKNOWN;
    }
    List<Fact> constant =
        arguments.stream()
            .map(f -> f instanceof Fact.Constant ? f : Fact.Unknown.ofSize(f.getSize()))
            .toList();
    Question question =
        new Question(call.getOpcode(), call.owner, call.name, call.desc, constant, position);
    Effect effect = known.get(question);
    if (effect == null) {
      known.put(question, Effect.UNKNOWN); // for a method that calls itself
      MethodNode method = target(call);
      if (method == null) {
        return Effect.UNKNOWN;
      }
      depth++;
      try {
        effect = effect(question, method);
      } finally {
        depth--;
      }
      known.put(question, effect);
    }
    return effect;
  }

  /** The method that runs, if that is certain. */
  private @Nullable MethodNode target(MethodInsnNode call) {
    ClassNode owner =
        call.owner.startsWith("java/") ? null : find(call.owner, call.name, call.desc);
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

  private Effect effect(Question question, MethodNode method) {
    AbstractInsnNode creation = new InsnNode(Opcodes.NOP); // somewhere else
    Facts facts = new Facts(question.owner(), constants);
    try {
      Facts.checkSize(method);
      Frame<Fact> start = start(method, question, creation);
      Life life = new Life(creation, start, new Graph(method), facts, this);
      Uses uses = new Uses(life, this);
      return new Effect(List.copyOf(uses.requests), uses.bytes(), life.closing());
    } catch (AnalyzerException | RuntimeException | AssertionError damaged) {
      return Effect.UNKNOWN; // where the class is scanned itself it is named
    }
  }

  private static Frame<Fact> start(
      MethodNode method, Question question, AbstractInsnNode creation) {
    Frame<Fact> frame = new Frame<>(method.maxLocals, method.maxStack);
    for (int i = 0; i < method.maxLocals; i++) {
      frame.setLocal(i, Fact.Unknown.ONE_SLOT);
    }
    int local = (method.access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
    List<Fact> arguments = question.arguments();
    for (int i = 0; i < arguments.size(); i++) {
      Fact argument =
          i == question.position() ? new Fact.Arena(Set.of(creation), true) : arguments.get(i);
      frame.setLocal(local, argument);
      local += argument.getSize();
    }
    return frame;
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
     * of the same outermost jar, else the first; and there the newest that a release uses. Null if
     * there is none.
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
      int nearer = nearness(place, artifact) - nearness(than, artifact);
      return nearer > 0
          || (nearer == 0
              && place.artifact == than.artifact
              && place.file.release() > than.file.release());
    }

    @SuppressWarnings("ReferenceEquality") // each jar is read once
    private static int nearness(Place place, Contents artifact) {
      if (place.artifact == artifact) {
        return 2;
      }
      return place.artifact.outermost == artifact.outermost ? 1 : 0;
    }
  }
}
