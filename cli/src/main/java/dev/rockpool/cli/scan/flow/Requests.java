package dev.rockpool.cli.scan.flow;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/** How many bytes a call of {@code allocate} or {@code allocateFrom} asks for. */
final class Requests {
  private static final Map<String, Long> VALUE_LAYOUTS =
      Map.of(
          "java/lang/foreign/ValueLayout$OfByte", 1L,
          "java/lang/foreign/ValueLayout$OfBoolean", 1L,
          "java/lang/foreign/ValueLayout$OfChar", 2L,
          "java/lang/foreign/ValueLayout$OfShort", 2L,
          "java/lang/foreign/ValueLayout$OfInt", 4L,
          "java/lang/foreign/ValueLayout$OfFloat", 4L,
          "java/lang/foreign/ValueLayout$OfLong", 8L,
          "java/lang/foreign/ValueLayout$OfDouble", 8L,
          "java/lang/foreign/AddressLayout", 8L);

  private Requests() {}

  static boolean isRequest(MethodInsnNode call) {
    return call.name.equals("allocate") || call.name.equals("allocateFrom");
  }

  /** The size in bytes of what {@code call} returns, if the code tells. */
  static OptionalLong bytes(MethodInsnNode call, List<Fact> arguments) {
    Type[] types = Type.getArgumentTypes(call.desc);
    if (types.length == 0) {
      return OptionalLong.empty();
    }
    try {
      return switch (types[0].getSort()) {
        case Type.LONG -> number(arguments.getFirst());
        case Type.OBJECT ->
            types[0].getInternalName().equals("java/lang/String")
                ? text(arguments)
                : layouts(types, arguments);
        default -> OptionalLong.empty();
      };
    } catch (ArithmeticException overflow) {
      return OptionalLong.empty(); // refused at run time
    }
  }

  private static OptionalLong number(Fact fact) {
    return fact instanceof Fact.Numeric number && number.value() >= 0
        ? OptionalLong.of(number.value())
        : OptionalLong.empty();
  }

  private static OptionalLong text(List<Fact> arguments) {
    Charset charset = StandardCharsets.UTF_8;
    if (arguments.size() > 1) {
      if (!(arguments.get(1) instanceof Fact.Encoding encoding)) {
        return OptionalLong.empty();
      }
      charset = encoding.value();
    }
    if (!(arguments.getFirst() instanceof Fact.Text text)) {
      return OptionalLong.empty();
    }
    // Without the mark that getBytes puts before UTF-16; the JDK does not write one.
    boolean wide = charset.name().startsWith("UTF-16");
    return OptionalLong.of(
        wide ? 2L * text.value().length() + 2 : text.value().getBytes(charset).length + 1L);
  }

  private static OptionalLong layouts(Type[] types, List<Fact> arguments) {
    OptionalLong element = layout(types[0], arguments.getFirst());
    OptionalLong count =
        switch (types.length) {
          case 1 -> OptionalLong.of(1);
          case 2 -> count(types[1], arguments.get(1));
          default -> number(arguments.getLast()); // (layout, segment, layout, offset, count)
        };
    return element.isPresent() && count.isPresent()
        ? OptionalLong.of(Math.multiplyExact(element.getAsLong(), count.getAsLong()))
        : OptionalLong.empty();
  }

  private static OptionalLong layout(Type type, Fact fact) {
    if (fact instanceof Fact.Layout layout) {
      return OptionalLong.of(layout.byteSize());
    }
    Long size = VALUE_LAYOUTS.get(type.getInternalName());
    return size == null ? OptionalLong.empty() : OptionalLong.of(size);
  }

  /** A second argument is how many, all of them, or the one. */
  private static OptionalLong count(Type type, Fact fact) {
    return switch (type.getSort()) {
      case Type.LONG -> number(fact);
      case Type.ARRAY ->
          fact instanceof Fact.Array array ? OptionalLong.of(array.length()) : OptionalLong.empty();
      default -> OptionalLong.of(1);
    };
  }
}
