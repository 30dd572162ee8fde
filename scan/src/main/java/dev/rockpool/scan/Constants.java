package dev.rockpool.scan;

import dev.rockpool.scan.Fact.Unknown;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Values of static final fields, and results of static methods without parameters: those of the JDK
 * that matter here, and those of the artifact, whose code is looked at when somebody asks. One
 * thread may use it.
 */
final class Constants {
  /** Longer methods compute more than a constant. */
  private static final int LONGEST_METHOD = 2000;

  /** Classes that need classes that need classes, and so on, to begin with. */
  private static final int DEEPEST = 64;

  /** The number of circles from which on nothing is tried again, lest it take forever. */
  private static final int MOST_CIRCLES = 1000;

  /**
   * The knowledge of a class.
   *
   * @param values by each field that it declares; null if the value is not known
   * @param parents where it inherits more
   */
  private record Fields(Map<String, @Nullable Fact> values, List<String> parents) {
    static final Fields NONE = new Fields(Map.of(), List.of());

    /** Takes what the class says without its code. */
    static Fields ofAttributes(ClassNode type) {
      Fields known = new Fields(new HashMap<>(), new ArrayList<>(type.interfaces));
      if (type.superName != null) {
        known.parents.add(type.superName);
      }
      for (FieldNode field : type.fields) {
        Fact value = isFixed(field) ? Fact.Constant.of(field.value) : null;
        if (value != null) {
          known.values.put(field.name, value);
        } else {
          known.values.putIfAbsent(field.name, null); // there may be several of that name
        }
      }
      return known;
    }
  }

  private final Program program;
  private final Map<String, Fields> fields = new HashMap<>();
  private final Map<String, @Nullable Fact> results = new HashMap<>();
  private final Set<String> inProgress = new HashSet<>();

  /**
   * Counts how often something was needed to find out itself, or too much to find out something.
   */
  private int circles;

  Constants(Program program) {
    this.program = program;
  }

  private static boolean isFixed(FieldNode field) {
    int both = Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
    return (field.access & both) == both;
  }

  /** The value of the static field; its type takes that many slots. */
  Fact field(String owner, String name, int slots) {
    Fact value =
        Library.hasConstants(owner) ? Library.constant(owner, name) : inherited(owner, name);
    return value == null ? Unknown.ofSize(slots) : value;
  }

  private @Nullable Fact inherited(String owner, String name) {
    Set<String> seen = new HashSet<>(); // classes of several jars may be each other's parents
    Deque<String> next = new ArrayDeque<>(List.of(owner));
    while (!next.isEmpty()) {
      String type = next.pop();
      if (seen.add(type)) {
        Fields known = fieldsOf(type);
        if (known.values.containsKey(name)) {
          return known.values.get(name);
        }
        known.parents.reversed().forEach(next::push);
      }
    }
    return null;
  }

  private Fields fieldsOf(String owner) {
    Fields known = fields.get(owner);
    if (known != null) {
      return known;
    }
    ClassNode type = program.find(owner, "<clinit>", "()V");
    if (type == null) {
      fields.put(owner, Fields.NONE);
      return Fields.NONE;
    }
    known = Fields.ofAttributes(type);
    if (begin(owner)) {
      int circlesBefore = circles;
      initialise(known, type);
      if (end(owner, circlesBefore)) {
        fields.put(owner, known);
      }
    }
    return known;
  }

  private boolean begin(String what) {
    boolean begun = inProgress.size() < DEEPEST && inProgress.add(what);
    circles += begun ? 0 : 1;
    return begun;
  }

  /** Whether the result is worth keeping: not if something in it was left open on our account. */
  private boolean end(String what, int circlesBefore) {
    inProgress.remove(what);
    return circles == circlesBefore || inProgress.isEmpty() || circles > MOST_CIRCLES;
  }

  private void initialise(Fields known, ClassNode type) {
    for (MethodNode method : type.methods) { // one, if any
      Facts facts = new Facts(type.name, program);
      if (analyze(method, facts) != null) {
        for (FieldNode field : type.fields) {
          if (isFixed(field) && facts.staticField(field.name) instanceof Fact.Constant value) {
            known.values.putIfAbsent(field.name, value);
          }
        }
      }
    }
  }

  /** The result of a static method without parameters, or null if that is not known. */
  @Nullable Fact call(String owner, String name, String descriptor) {
    if (owner.startsWith("java/") || descriptor.endsWith(")V")) {
      return null;
    }
    String key = owner + "." + name + descriptor;
    if (results.containsKey(key)) {
      return results.get(key);
    }
    if (!begin(key)) {
      return null;
    }
    int circlesBefore = circles;
    Fact result = returned(owner, name, descriptor) instanceof Fact.Constant known ? known : null;
    if (end(key, circlesBefore)) {
      results.put(key, result);
    }
    return result;
  }

  private @Nullable Fact returned(String owner, String name, String descriptor) {
    ClassNode type = program.find(owner, name, descriptor);
    if (type == null || type.methods.isEmpty()) {
      return null;
    }
    MethodNode method = type.methods.getFirst();
    Frame<Fact>[] frames =
        method.instructions.size() > LONGEST_METHOD
            ? null
            : analyze(method, new Facts(owner, program));
    Fact result = null;
    for (int i = 0; frames != null && i < frames.length; i++) {
      int opcode = method.instructions.get(i).getOpcode();
      if (frames[i] != null && opcode >= Opcodes.IRETURN && opcode <= Opcodes.ARETURN) {
        Fact value = frames[i].getStack(frames[i].getStackSize() - 1);
        result = result == null ? value : Fact.either(result, value);
      }
    }
    return result;
  }

  /** The facts before each instruction; null if there is no code, or nothing is certain. */
  private static Frame<Fact> @Nullable [] analyze(MethodNode method, Facts facts) {
    if (method.instructions.size() == 0) {
      return null;
    }
    try {
      Frame<Fact>[] frames = facts.framesOf(method);
      return facts.reliable ? frames : null;
    } catch (AnalyzerException | RuntimeException | AssertionError damaged) {
      return null;
    }
  }
}
