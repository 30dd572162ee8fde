package dev.rockpool.cli.scan.flow;

import dev.rockpool.cli.scan.flow.Fact.Unknown;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * What static final fields hold, and static methods without parameters return: those of the JDK
 * that matter here, and those of the artifact, whose code is looked at when somebody asks. For one
 * thread.
 */
final class Constants {
  /** Longer methods compute more than a constant. */
  private static final int LONGEST_METHOD = 2000;

  /** Classes that need classes that need classes, and so on, to begin with. */
  private static final int DEEPEST = 64;

  /** Then no more is tried again, lest it take forever. */
  private static final int MOST_CIRCLES = 1000;

  private static final Map<String, Fact> VALUE_LAYOUTS = new HashMap<>();
  private static final Map<String, Charset> CHARSETS =
      Map.of(
          "UTF_8", StandardCharsets.UTF_8,
          "US_ASCII", StandardCharsets.US_ASCII,
          "ISO_8859_1", StandardCharsets.ISO_8859_1,
          "UTF_16", StandardCharsets.UTF_16,
          "UTF_16LE", StandardCharsets.UTF_16LE,
          "UTF_16BE", StandardCharsets.UTF_16BE);

  static {
    Map<String, Integer> sizes =
        Map.of(
            "JAVA_BYTE", 1,
            "JAVA_BOOLEAN", 1,
            "JAVA_CHAR", 2,
            "JAVA_SHORT", 2,
            "JAVA_INT", 4,
            "JAVA_FLOAT", 4,
            "JAVA_LONG", 8,
            "JAVA_DOUBLE", 8,
            "ADDRESS", 8);
    sizes.forEach(
        (name, size) -> {
          VALUE_LAYOUTS.put(name, Fact.Layout.ofValue(size));
          VALUE_LAYOUTS.put(name + "_UNALIGNED", new Fact.Layout(size, 1));
        });
  }

  /** What is known of a class: its constants, and where it inherits more. */
  private record Fields(Set<String> declared, Map<String, Fact> values, List<String> parents) {
    static final Fields NONE = new Fields(Set.of(), Map.of(), List.of());

    /** What the class says without its code. */
    static Fields ofAttributes(ClassNode type) {
      Fields known = new Fields(new HashSet<>(), new HashMap<>(), new ArrayList<>(type.interfaces));
      if (type.superName != null) {
        known.parents.add(type.superName);
      }
      for (FieldNode field : type.fields) {
        known.declared.add(field.name);
        Fact value =
            switch (field.value) {
              case Integer number -> new Fact.Numeric(number, 1);
              case Long number -> new Fact.Numeric(number, 2);
              case String text -> new Fact.Text(text);
              case null, default -> null;
            };
        if (isStaticFinal(field.access) && value != null) {
          known.values.put(field.name, value);
        }
      }
      return known;
    }
  }

  private final Classes classes;
  private final Map<String, Fields> fields = new HashMap<>();
  private final Map<String, Fact> results = new HashMap<>();
  private final Set<String> inProgress = new HashSet<>();

  /** How often something was needed to find out itself, or too much to find out something. */
  private int circles;

  Constants(Classes classes) {
    this.classes = classes;
  }

  /** What the static field holds; its type takes that many slots. */
  Fact field(String owner, String name, int slots) {
    Fact value = null;
    if (owner.startsWith("java/lang/foreign/")) {
      value = VALUE_LAYOUTS.get(name);
    } else if (owner.equals("java/nio/charset/StandardCharsets")) {
      Charset charset = CHARSETS.get(name);
      value = charset == null ? null : new Fact.Encoding(charset);
    } else {
      value = inherited(owner, name);
    }
    return value == null ? Unknown.ofSize(slots) : value;
  }

  private @Nullable Fact inherited(String owner, String name) {
    Fields known = fieldsOf(owner);
    if (known.declared().contains(name)) {
      return known.values().get(name);
    }
    for (String parent : known.parents()) {
      Fact value = inherited(parent, name);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  private Fields fieldsOf(String owner) {
    Fields known = fields.get(owner);
    if (known != null) {
      return known;
    }
    ClassNode type = classes.find(owner, "<clinit>", "()V");
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

  /** Adds what the class initialiser sets. */
  private void initialise(Fields known, ClassNode type) {
    for (MethodNode method : type.methods) { // one, if any
      Facts facts = new Facts(type.name, this);
      if (analyze(type.name, method, facts) != null) {
        for (FieldNode field : type.fields) {
          Fact value = facts.staticField(field.name);
          if (isStaticFinal(field.access) && isConstant(value)) {
            known.values().putIfAbsent(field.name, value);
          }
        }
      }
    }
  }

  private static boolean isStaticFinal(int access) {
    int both = Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
    return (access & both) == both;
  }

  /** Whether the fact means the same in other methods. */
  static boolean isConstant(@Nullable Fact fact) {
    return switch (fact) {
      case Fact.Numeric n -> true;
      case Fact.Text t -> true;
      case Fact.Encoding e -> true;
      case Fact.Layout l -> true;
      case Fact.CanonicalLayouts c -> true;
      case null, default -> false;
    };
  }

  /** What a static method without parameters returns, or null if that is not known. */
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
    Fact result = returned(owner, name, descriptor);
    Fact constant = isConstant(result) ? result : null;
    if (end(key, circlesBefore)) {
      results.put(key, constant);
    }
    return constant;
  }

  private @Nullable Fact returned(String owner, String name, String descriptor) {
    ClassNode type = classes.find(owner, name, descriptor);
    if (type == null || type.methods.isEmpty()) {
      return null;
    }
    MethodNode method = type.methods.getFirst();
    if (method.instructions.size() > LONGEST_METHOD) {
      return null;
    }
    Frame<Fact>[] frames = analyze(owner, method, new Facts(owner, this));
    return frames == null ? null : returned(method, frames);
  }

  private static @Nullable Fact returned(MethodNode method, Frame<Fact>[] frames) {
    Fact result = null;
    for (int i = 0; i < frames.length; i++) {
      AbstractInsnNode instruction = method.instructions.get(i);
      if (frames[i] != null && Graph.isReturn(instruction)) {
        Fact value = frames[i].getStack(frames[i].getStackSize() - 1);
        result = result == null ? value : Fact.either(result, value);
      }
    }
    return result;
  }

  /** The facts before each instruction; null if there is no code, or nothing is certain. */
  private static Frame<Fact> @Nullable [] analyze(String owner, MethodNode method, Facts facts) {
    if (method.instructions.size() == 0) {
      return null;
    }
    try {
      Frame<Fact>[] frames = Frames.of(owner, method, facts);
      return facts.reliable() ? frames : null;
    } catch (AnalyzerException e) {
      return null;
    }
  }
}
