package dev.rockpool.scan;

import dev.rockpool.scan.Fact.Layout;
import dev.rockpool.scan.Fact.Numeric;
import dev.rockpool.scan.Finding.ArenaKind;
import dev.rockpool.scan.Finding.Closing;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Methods and constants that are known without a look at their code: those of the JDK that hand out
 * arenas, ask them for memory or make layouts; and those of Kotlin that its compiler calls of its
 * own accord.
 *
 * <p>Where a size depends on the platform it is that of 64-bit Linux.
 */
final class Library {
  static final String FOREIGN = "java/lang/foreign/";

  static final String ARENA_FACTORY = "()Ljava/lang/foreign/Arena;";

  /** The library's class that opens pooled arenas, also for classes rewritten at build time. */
  private static final String POOLED_ARENAS = "dev/rockpool/arena/Arenas";

  private static final Map<String, ArenaKind> FACTORIES =
      Map.of(
          "ofConfined", ArenaKind.CONFINED,
          "ofShared", ArenaKind.SHARED,
          "ofAuto", ArenaKind.AUTO,
          "global", ArenaKind.GLOBAL);

  /** Classes that have {@code closeFinally}, by version of the library and kind of resource. */
  private static final Set<String> KOTLIN_USE =
      Set.of("kotlin/AutoCloseableKt", "kotlin/jdk7/AutoCloseableKt", "kotlin/io/CloseableKt");

  /** Beginnings of the names of classes that keep what their methods are given. */
  private static final List<String> KEEPERS =
      List.of(
          "java/util/",
          "java/lang/ThreadLocal",
          "java/lang/InheritableThreadLocal",
          "java/lang/ScopedValue",
          "java/lang/invoke/VarHandle",
          "java/lang/ref/");

  private static final List<String> NO_KEEPERS =
      List.of("java/util/Objects", "java/util/Formatter", "java/util/logging/");

  /** Beginnings of the names of their methods that only compare. */
  private static final List<String> LOOK_UPS =
      List.of("contains", "equals", "indexOf", "lastIndexOf", "remove");

  /** Layouts by name of the constant, and by internal name of the type. */
  private static final Map<String, Layout> VALUE_LAYOUTS = new HashMap<>();

  static {
    Map.of("Byte", 1, "Boolean", 1, "Char", 2, "Short", 2, "Int", 4, "Float", 4, "Long", 8)
        .forEach(Library::addValueLayout);
    addValueLayout("Double", 8);
    addValueLayout("ADDRESS", FOREIGN + "AddressLayout", 8);
  }

  private static void addValueLayout(String type, int byteSize) {
    String constant = "JAVA_" + type.toUpperCase(Locale.ROOT);
    addValueLayout(constant, FOREIGN + "ValueLayout$Of" + type, byteSize);
  }

  private static void addValueLayout(String constant, String type, int byteSize) {
    VALUE_LAYOUTS.put(constant, Layout.ofValue(byteSize));
    VALUE_LAYOUTS.put(constant + "_UNALIGNED", new Layout(byteSize, 1));
    VALUE_LAYOUTS.put(type, Layout.ofValue(byteSize));
  }

  private Library() {}

  static @Nullable ArenaKind arenaKind(MethodInsnNode call) {
    return arenaKind(call.owner, call.name, call.desc);
  }

  static @Nullable ArenaKind arenaKind(Handle method) {
    return arenaKind(method.getOwner(), method.getName(), method.getDesc());
  }

  private static @Nullable ArenaKind arenaKind(String owner, String name, String descriptor) {
    return (owner.equals("java/lang/foreign/Arena") || owner.equals(POOLED_ARENAS))
            && descriptor.equals(ARENA_FACTORY)
        ? FACTORIES.get(name)
        : null;
  }

  /** Whether it is the end of Kotlin's {@code use}: closes the first of two arguments. */
  static boolean isCloseOfUse(MethodInsnNode call) {
    return call.name.equals("closeFinally") && KOTLIN_USE.contains(call.owner);
  }

  /** Whether Kotlin refuses null as the first argument, and does nothing else with it. */
  static boolean isNullCheck(MethodInsnNode call) {
    return call.owner.equals("kotlin/jvm/internal/Intrinsics") && call.name.startsWith("check");
  }

  /**
   * Whether it is a call that a compiler adds and that never throws: a mark in Kotlin's inline
   * functions, or one that makes a closure of Groovy.
   */
  static boolean isMark(MethodInsnNode call) {
    return call.owner.equals("kotlin/jvm/internal/InlineMarker")
        || (call.owner.equals("groovy/lang/Closure") && call.name.equals("getThisObject"))
        || (call.name.equals("<init>") && call.owner.matches(".*\\$_\\w*closure\\d+"));
  }

  /** Whether it makes a lambda, or the object for a method reference. */
  static boolean isLambda(InvokeDynamicInsnNode call) {
    return call.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory");
  }

  /** Whether classes with that superclass are closures. */
  static boolean isClosure(@Nullable String superName) {
    return "groovy/lang/Closure".equals(superName)
        || "kotlin/jvm/internal/Lambda".equals(superName);
  }

  /**
   * Whether the field is in truth a local variable: one that a closure of Kotlin or Scala may set,
   * or that a coroutine of Kotlin keeps while it is suspended.
   */
  static boolean isVariable(FieldInsnNode field) {
    return field.owner.equals("kotlin/jvm/internal/Ref$ObjectRef")
        || field.owner.equals("scala/runtime/ObjectRef")
        || field.name.matches("L\\$\\d+");
  }

  /**
   * The effect of a method of another language's library on an argument that is an arena, or null
   * if the method is not known here. Each calls a closure with the arena, which may ask for memory.
   */
  static Program.@Nullable Effect effect(MethodInsnNode call, int position) {
    if (position > 0) {
      return null;
    }
    return switch (call.owner + "." + call.name) {
      case "scala/util/Using$.resource",
          "scala/util/Using$.resources",
          "org/codehaus/groovy/runtime/IOGroovyMethods.withCloseable" ->
          Program.Effect.ofLibrary(OptionalLong.empty(), Closing.ALL_PATHS, false);
      case "scala/util/Using$Manager.acquire" ->
          Program.Effect.ofLibrary(OptionalLong.of(0), Closing.BY_HOLDER, false);
      case "scala/util/Using$Manager.apply" ->
          Program.Effect.ofLibrary(OptionalLong.of(0), Closing.BY_HOLDER, true);
      default -> null;
    };
  }

  /** Calls that compilers add; none of them keeps an arena, or asks it for anything. */
  static boolean isPlumbing(MethodInsnNode call) {
    return isCloseOfUse(call) || isNullCheck(call) || isRequireNonNull(call);
  }

  static boolean isOfTheJdk(MethodInsnNode call) {
    return call.owner.startsWith("java/") || call.owner.startsWith("javax/");
  }

  /** Whether it refuses null as its first argument, and returns that. */
  static boolean isRequireNonNull(MethodInsnNode call) {
    return call.owner.equals("java/util/Objects") && call.name.equals("requireNonNull");
  }

  /** Whether it is a method of the JDK that keeps its arguments where others can get at them. */
  static boolean keepsArguments(MethodInsnNode call) {
    return KEEPERS.stream().anyMatch(call.owner::startsWith)
        && NO_KEEPERS.stream().noneMatch(call.owner::startsWith)
        && LOOK_UPS.stream().noneMatch(call.name::startsWith);
  }

  /** Whether it asks what it is called on for memory, if that is an arena. */
  static boolean isRequest(MethodInsnNode call) {
    return (call.name.equals("allocate") || call.name.equals("allocateFrom"))
        && call.getOpcode() != Opcodes.INVOKESTATIC;
  }

  /** The size in bytes of what a request returns, if the code tells. */
  static OptionalLong bytes(MethodInsnNode request, List<Fact> arguments) {
    Type[] types = Type.getArgumentTypes(request.desc);
    if (types.length == 0) {
      return OptionalLong.empty();
    }
    try {
      return switch (types[0].getSort()) {
        case Type.LONG -> number(arguments.getFirst());
        case Type.OBJECT ->
            types[0].getInternalName().equals("java/lang/String")
                ? text(arguments)
                : layouts(request.name, types, arguments);
        default -> OptionalLong.empty();
      };
    } catch (ArithmeticException overflow) {
      return OptionalLong.empty(); // refused at run time
    }
  }

  private static OptionalLong number(Fact fact) {
    return fact instanceof Numeric number && number.value() >= 0
        ? OptionalLong.of(number.value())
        : OptionalLong.empty();
  }

  private static OptionalLong text(List<Fact> arguments) {
    if (arguments.size() > 2) {
      return OptionalLong.empty(); // part of a string
    }
    Fact encoding =
        arguments.size() > 1 ? arguments.get(1) : new Fact.Encoding(StandardCharsets.UTF_8);
    if (!(encoding instanceof Fact.Encoding(Charset charset))
        || !(arguments.getFirst() instanceof Fact.Text(String text))) {
      return OptionalLong.empty();
    }
    // Without the mark that getBytes puts before UTF-16; the JDK does not write one.
    boolean wide = charset.name().startsWith("UTF-16");
    return OptionalLong.of(wide ? 2L * text.length() + 2 : text.getBytes(charset).length + 1L);
  }

  private static OptionalLong layouts(String method, Type[] types, List<Fact> arguments) {
    Layout element =
        arguments.getFirst() instanceof Layout layout
            ? layout
            : VALUE_LAYOUTS.get(types[0].getInternalName());
    OptionalLong count =
        switch (types.length) {
          case 1 -> OptionalLong.of(1);
          case 2 ->
              method.equals("allocate")
                  ? number(arguments.get(1))
                  : count(types[1], arguments.get(1));
          default -> number(arguments.getLast()); // (layout, segment, layout, offset, count)
        };
    return element != null && count.isPresent()
        ? OptionalLong.of(Math.multiplyExact(element.byteSize(), count.getAsLong()))
        : OptionalLong.empty();
  }

  /** The number of values that {@code allocateFrom} is given: those of an array, or one. */
  private static OptionalLong count(Type type, Fact fact) {
    if (type.getSort() != Type.ARRAY) {
      return OptionalLong.of(1);
    }
    return fact instanceof Fact.Array array
        ? OptionalLong.of(array.length())
        : OptionalLong.empty();
  }

  /** Whether {@link #constant} knows the static fields of the class. */
  static boolean hasConstants(String owner) {
    return owner.startsWith(FOREIGN) || owner.equals("java/nio/charset/StandardCharsets");
  }

  /** The value of the static field of such a class, or null if it is not known. */
  static @Nullable Fact constant(String owner, String name) {
    return owner.startsWith(FOREIGN)
        ? VALUE_LAYOUTS.get(name)
        : new Fact.Encoding(Charset.forName(name.replace('_', '-')));
  }

  /**
   * The result of {@code call}, or null if it is not known.
   *
   * @param values what it is called on, unless it is static, and its arguments
   */
  static @Nullable Fact result(MethodInsnNode call, List<? extends Fact> values, Facts facts) {
    try {
      if (call.owner.startsWith(FOREIGN)) {
        return call.getOpcode() == Opcodes.INVOKESTATIC
            ? made(call.name, values, facts)
            : derived(call.name, values);
      }
    } catch (ArithmeticException overflow) {
      return null; // no such layout can be made
    }
    if (isRequireNonNull(call)) {
      return values.getFirst();
    }
    return call.name.equals("get")
            && values.size() == 2
            && values.getFirst() == Fact.CanonicalLayouts.MAP
            && values.getLast() instanceof Fact.Text(String name)
        ? canonical(name)
        : null;
  }

  private static @Nullable Layout canonical(String name) {
    return switch (name) {
      case "bool", "char" -> Layout.ofValue(1);
      case "short" -> Layout.ofValue(2);
      case "int", "float", "wchar_t" -> Layout.ofValue(4);
      case "long", "long long", "double", "void*", "size_t" -> Layout.ofValue(8);
      default -> null;
    };
  }

  private static @Nullable Fact made(String method, List<? extends Fact> arguments, Facts facts) {
    return switch (method) {
      case "structLayout" -> group(arguments.getFirst(), facts, true);
      case "unionLayout" -> group(arguments.getFirst(), facts, false);
      case "sequenceLayout" ->
          arguments.size() == 2
                  && arguments.getFirst() instanceof Numeric count
                  && arguments.getLast() instanceof Layout(long byteSize, long byteAlignment)
              ? new Layout(Math.multiplyExact(count.value(), byteSize), byteAlignment)
              : null;
      case "paddingLayout" ->
          arguments.getFirst() instanceof Numeric size ? new Layout(size.value(), 1) : null;
      case "captureStateLayout" -> Layout.ofValue(4); // errno
      default -> null;
    };
  }

  private static @Nullable Fact group(Fact members, Facts facts, boolean oneAfterTheOther) {
    if (!(members instanceof Fact.Array array)) {
      return null;
    }
    long byteSize = 0;
    long byteAlignment = 1;
    for (Fact element : facts.elements(array)) {
      if (!(element instanceof Layout member)) {
        return null;
      }
      // The JDK adds no padding: it refuses members that need some.
      byteSize =
          oneAfterTheOther
              ? Math.addExact(byteSize, member.byteSize())
              : Math.max(byteSize, member.byteSize());
      byteAlignment = Math.max(byteAlignment, member.byteAlignment());
    }
    return new Layout(byteSize, byteAlignment);
  }

  private static @Nullable Fact derived(String method, List<? extends Fact> values) {
    if (method.equals("canonicalLayouts")) {
      return Fact.CanonicalLayouts.MAP;
    }
    if (!(values.getFirst() instanceof Layout layout)) {
      return null;
    }
    return switch (method) {
      case "withName", "withoutName", "withOrder", "withTargetLayout", "withoutTargetLayout" ->
          layout;
      case "withByteAlignment" ->
          values.getLast() instanceof Numeric alignment
              ? new Layout(layout.byteSize(), alignment.value())
              : null;
      case "byteSize" -> new Numeric(layout.byteSize(), 2);
      case "byteAlignment" -> new Numeric(layout.byteAlignment(), 2);
      default -> null;
    };
  }
}
