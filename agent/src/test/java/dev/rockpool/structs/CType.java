package dev.rockpool.structs;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A type of C that can be a field of a struct. */
sealed interface CType {
  MemoryLayout layout();

  /** The declaration in C of a field of this type. */
  String declaration(String name);

  /** Adds what can be read and written of a value at {@code offset}, in the order of C. */
  void addFields(String path, long offset, List<Field> fields);

  /** A number or a pointer inside a struct; the offset is from the start of the struct. */
  record Field(String path, long offset, Scalar type) {}

  /** Numbers and pointers. */
  enum Scalar implements CType {
    I8("int8_t", ValueLayout.JAVA_BYTE),
    I16("int16_t", ValueLayout.JAVA_SHORT),
    U16("uint16_t", ValueLayout.JAVA_CHAR),
    I32("int32_t", ValueLayout.JAVA_INT),
    I64("int64_t", ValueLayout.JAVA_LONG),
    F32("float", ValueLayout.JAVA_FLOAT),
    F64("double", ValueLayout.JAVA_DOUBLE),
    POINTER("void *", ValueLayout.ADDRESS);

    final String inC;
    private final ValueLayout layout;

    Scalar(String inC, ValueLayout layout) {
      this.inC = inC;
      this.layout = layout;
    }

    @Override
    public ValueLayout layout() {
      return layout;
    }

    @Override
    public String declaration(String name) {
      return inC + " " + name;
    }

    @Override
    public void addFields(String path, long offset, List<Field> fields) {
      fields.add(new Field(path, offset, this));
    }
  }

  record Array(CType element, int length) implements CType {
    @Override
    public MemoryLayout layout() {
      return MemoryLayout.sequenceLayout(length, element.layout());
    }

    @Override
    public String declaration(String name) {
      return element.declaration(name + "[" + length + "]");
    }

    @Override
    public void addFields(String path, long offset, List<Field> fields) {
      long step = element.layout().byteSize();
      for (int i = 0; i < length; i++) {
        element.addFields(path + "[" + i + "]", offset + i * step, fields);
      }
    }
  }

  /** Its members are called a, b, c and so on. */
  record Struct(List<CType> members) implements CType {
    @Override
    public MemoryLayout layout() {
      List<MemoryLayout> parts = new ArrayList<>();
      long end = 0;
      for (CType member : members) {
        pad(parts, paddingTo(member, end));
        parts.add(member.layout());
        end += paddingTo(member, end) + member.layout().byteSize();
      }
      long alignment = alignmentOf(members);
      pad(parts, -end & alignment - 1);
      return MemoryLayout.structLayout(parts.toArray(MemoryLayout[]::new));
    }

    @Override
    public String declaration(String name) {
      return "struct " + body() + " " + name;
    }

    /** The members, in braces. */
    String body() {
      return bodyOf(members);
    }

    @Override
    public void addFields(String path, long offset, List<Field> fields) {
      long end = offset;
      for (int i = 0; i < members.size(); i++) {
        CType member = members.get(i);
        long start = end + paddingTo(member, end);
        member.addFields(path + "." + nameOf(i), start, fields);
        end = start + member.layout().byteSize();
      }
    }
  }

  /** Only the largest member is read and written; the others decide how the union is passed. */
  record Union(List<CType> members) implements CType {
    @Override
    public MemoryLayout layout() {
      MemoryLayout[] parts = members.stream().map(CType::layout).toArray(MemoryLayout[]::new);
      MemoryLayout union = MemoryLayout.unionLayout(parts);
      long padding = -union.byteSize() & union.byteAlignment() - 1;
      if (padding == 0) {
        return union;
      }
      parts = Arrays.copyOf(parts, parts.length + 1);
      parts[parts.length - 1] = MemoryLayout.paddingLayout(union.byteSize() + padding);
      return MemoryLayout.unionLayout(parts);
    }

    @Override
    public String declaration(String name) {
      return "union " + bodyOf(members) + " " + name;
    }

    /** The member that is read and written: the first of the largest ones. */
    int largest() {
      long size = members.stream().mapToLong(each -> each.layout().byteSize()).max().getAsLong();
      int index = 0;
      while (members.get(index).layout().byteSize() < size) {
        index++;
      }
      return index;
    }

    @Override
    public void addFields(String path, long offset, List<Field> fields) {
      members.get(largest()).addFields(path + "." + nameOf(largest()), offset, fields);
    }
  }

  static Struct struct(CType... members) {
    return new Struct(List.of(members));
  }

  static Union union(CType... members) {
    return new Union(List.of(members));
  }

  static Array array(CType element, int length) {
    return new Array(element, length);
  }

  static String nameOf(int member) {
    return String.valueOf((char) ('a' + member));
  }

  private static String bodyOf(List<CType> members) {
    StringBuilder body = new StringBuilder("{ ");
    for (int i = 0; i < members.size(); i++) {
      body.append(members.get(i).declaration(nameOf(i))).append("; ");
    }
    return body.append("}").toString();
  }

  private static long paddingTo(CType member, long end) {
    return -end & member.layout().byteAlignment() - 1;
  }

  private static long alignmentOf(List<CType> members) {
    return members.stream().mapToLong(each -> each.layout().byteAlignment()).max().getAsLong();
  }

  private static void pad(List<MemoryLayout> parts, long padding) {
    if (padding > 0) {
      parts.add(MemoryLayout.paddingLayout(padding));
    }
  }
}
