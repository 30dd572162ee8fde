package dev.rockpool.structs;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A struct of the list: its fields, and in Java what {@link CSource} writes in C, so that both
 * sides can compute the same of the same value.
 */
final class CStruct {
  private final int number;
  private final CType.Struct type;
  private final MemoryLayout layout;
  private final CType.Field[] fields;

  CStruct(int number, CType.Struct type) {
    this.number = number;
    this.type = type;
    this.layout = type.layout();
    List<CType.Field> found = new ArrayList<>();
    type.addFields("", 0, found);
    this.fields = found.toArray(CType.Field[]::new);
  }

  int number() {
    return number;
  }

  CType.Struct type() {
    return type;
  }

  MemoryLayout layout() {
    return layout;
  }

  /** The prefix of its functions in C, and the name of the struct. */
  String name() {
    return "s" + number;
  }

  /**
   * Whether there are functions that take it together with other arguments: not for each of the
   * many that differ by size alone, nor where a method handle would get too many pieces.
   */
  boolean isMixed() {
    long size = layout.byteSize();
    return size <= 128 && (!isBytes() || size % 15 == 0 || size < 10);
  }

  private boolean isBytes() {
    return fields.length == layout.byteSize();
  }

  /** Mixes a value into a hash; the next pseudo-random number, where the value is 1. */
  static long mix(long hash, long value) {
    long product = (hash ^ value) * 0x9E3779B97F4A7C15L;
    return product ^ product >>> 29;
  }

  /** A new struct whose fields are made from the seed. */
  MemorySegment make(SegmentAllocator allocator, long seed) {
    return fill(allocator.allocate(layout), seed);
  }

  /** Makes the fields from the seed; returns the struct. */
  MemorySegment fill(MemorySegment struct, long seed) {
    long random = seed;
    for (CType.Field field : fields) {
      random = mix(random, 1);
      long at = field.offset();
      switch (field.type()) {
        case I8 -> struct.set(ValueLayout.JAVA_BYTE, at, (byte) random);
        case I16 -> struct.set(ValueLayout.JAVA_SHORT, at, (short) random);
        case U16 -> struct.set(ValueLayout.JAVA_CHAR, at, (char) random);
        case I32 -> struct.set(ValueLayout.JAVA_INT, at, (int) random);
        case I64, POINTER -> struct.set(ValueLayout.JAVA_LONG, at, random);
        case F32 -> struct.set(ValueLayout.JAVA_FLOAT, at, (int) random);
        case F64 -> struct.set(ValueLayout.JAVA_DOUBLE, at, random);
      }
    }
    return struct;
  }

  /** A hash of all fields, not of the bytes between them. */
  long hash(MemorySegment struct) {
    long hash = 0;
    for (CType.Field field : fields) {
      long at = field.offset();
      hash =
          mix(
              hash,
              switch (field.type()) {
                case I8 -> struct.get(ValueLayout.JAVA_BYTE, at);
                case I16 -> struct.get(ValueLayout.JAVA_SHORT, at);
                case U16 -> struct.get(ValueLayout.JAVA_CHAR, at);
                case I32, F32 -> struct.get(ValueLayout.JAVA_INT, at);
                case I64, F64, POINTER -> struct.get(ValueLayout.JAVA_LONG, at);
              });
    }
    return hash;
  }

  /** Inverts each field: all bits, or the sign; returns the struct. */
  MemorySegment turn(MemorySegment struct) {
    for (CType.Field field : fields) {
      long at = field.offset();
      switch (field.type()) {
        case I8 ->
            struct.set(ValueLayout.JAVA_BYTE, at, (byte) ~struct.get(ValueLayout.JAVA_BYTE, at));
        case I16, U16 ->
            struct.set(ValueLayout.JAVA_SHORT, at, (short) ~struct.get(ValueLayout.JAVA_SHORT, at));
        case I32 -> struct.set(ValueLayout.JAVA_INT, at, ~struct.get(ValueLayout.JAVA_INT, at));
        case I64, POINTER ->
            struct.set(ValueLayout.JAVA_LONG, at, ~struct.get(ValueLayout.JAVA_LONG, at));
        case F32 -> struct.set(ValueLayout.JAVA_FLOAT, at, -struct.get(ValueLayout.JAVA_FLOAT, at));
        case F64 ->
            struct.set(ValueLayout.JAVA_DOUBLE, at, -struct.get(ValueLayout.JAVA_DOUBLE, at));
      }
    }
    return struct;
  }

  /** The first field in which two structs differ, for the message of a failure. */
  String difference(MemorySegment expected, MemorySegment found) {
    for (CType.Field field : fields) {
      long size = field.type().layout().byteSize();
      MemorySegment before = expected.asSlice(field.offset(), size);
      MemorySegment after = found.asSlice(field.offset(), size);
      if (before.mismatch(after) >= 0) {
        return field.path() + " at byte " + field.offset();
      }
    }
    return "no field";
  }

  @Override
  public String toString() {
    return name() + ": struct " + type.body() + ", " + layout.byteSize() + " bytes";
  }
}
