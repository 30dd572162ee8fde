package dev.rockpool.cli.scan.flow;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * What methods of the JDK return that make layouts, or ask them for their size.
 *
 * <p>Where the size depends on the platform it is that of 64-bit Linux.
 */
final class Calls {
  private static final String FOREIGN = "java/lang/foreign/";

  /** On Linux {@code errno} is all that is captured. */
  private static final Fact.Layout CAPTURE_STATE = Fact.Layout.ofValue(4);

  private static final Map<String, Fact.Layout> CANONICAL =
      Map.ofEntries(
          Map.entry("bool", Fact.Layout.ofValue(1)),
          Map.entry("char", Fact.Layout.ofValue(1)),
          Map.entry("short", Fact.Layout.ofValue(2)),
          Map.entry("int", Fact.Layout.ofValue(4)),
          Map.entry("float", Fact.Layout.ofValue(4)),
          Map.entry("long", Fact.Layout.ofValue(8)),
          Map.entry("long long", Fact.Layout.ofValue(8)),
          Map.entry("double", Fact.Layout.ofValue(8)),
          Map.entry("void*", Fact.Layout.ofValue(8)),
          Map.entry("size_t", Fact.Layout.ofValue(8)),
          Map.entry("wchar_t", Fact.Layout.ofValue(4)));

  private Calls() {}

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
      return elsewhere(call, values);
    } catch (ArithmeticException overflow) {
      return null; // no such layout can be made
    }
  }

  private static @Nullable Fact made(String method, List<? extends Fact> arguments, Facts facts) {
    return switch (method) {
      case "structLayout" -> group(arguments.getFirst(), facts, true);
      case "unionLayout" -> group(arguments.getFirst(), facts, false);
      case "sequenceLayout" -> sequence(arguments);
      case "paddingLayout" ->
          arguments.getFirst() instanceof Fact.Numeric size
              ? new Fact.Layout(size.value(), 1)
              : null;
      case "captureStateLayout" -> CAPTURE_STATE;
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
      if (!(element instanceof Fact.Layout member)) {
        return null;
      }
      // The JDK adds no padding: it refuses members that need some.
      byteSize =
          oneAfterTheOther
              ? Math.addExact(byteSize, member.byteSize())
              : Math.max(byteSize, member.byteSize());
      byteAlignment = Math.max(byteAlignment, member.byteAlignment());
    }
    return new Fact.Layout(byteSize, byteAlignment);
  }

  private static @Nullable Fact sequence(List<? extends Fact> arguments) {
    return arguments.size() == 2
            && arguments.getFirst() instanceof Fact.Numeric count
            && arguments.getLast() instanceof Fact.Layout element
        ? new Fact.Layout(
            Math.multiplyExact(count.value(), element.byteSize()), element.byteAlignment())
        : null;
  }

  private static @Nullable Fact derived(String method, List<? extends Fact> values) {
    if (method.equals("canonicalLayouts")) {
      return Fact.CanonicalLayouts.MAP;
    }
    if (!(values.getFirst() instanceof Fact.Layout layout)) {
      return null;
    }
    return switch (method) {
      case "withName", "withoutName", "withOrder", "withTargetLayout", "withoutTargetLayout" ->
          layout;
      case "withByteAlignment" ->
          values.getLast() instanceof Fact.Numeric alignment
              ? new Fact.Layout(layout.byteSize(), alignment.value())
              : null;
      case "byteSize" -> new Fact.Numeric(layout.byteSize(), 2);
      case "byteAlignment" -> new Fact.Numeric(layout.byteAlignment(), 2);
      default -> null;
    };
  }

  private static @Nullable Fact elsewhere(MethodInsnNode call, List<? extends Fact> values) {
    if (call.owner.equals("java/util/Objects") && call.name.equals("requireNonNull")) {
      return values.getFirst();
    }
    return call.name.equals("get")
            && values.size() == 2
            && values.getFirst() == Fact.CanonicalLayouts.MAP
            && values.getLast() instanceof Fact.Text name
        ? CANONICAL.get(name.value())
        : null;
  }
}
