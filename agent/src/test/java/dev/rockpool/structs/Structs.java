package dev.rockpool.structs;

import static dev.rockpool.structs.CType.array;
import static dev.rockpool.structs.CType.struct;
import static dev.rockpool.structs.CType.union;

import dev.rockpool.structs.CType.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The structs that are checked: the same list in each JVM. */
final class Structs {
  static final int LARGEST = 256;
  private static final int RANDOM = 80;
  private static final long SEED = 23142;

  /** Kinds for {@link ChainCalls}, of each way to be passed; they come first in the list. */
  private static final List<CType.Struct> CHAIN =
      List.of(
          struct(Scalar.I64, Scalar.I64),
          struct(Scalar.F64, Scalar.F64),
          struct(Scalar.I64, Scalar.F64),
          struct(Scalar.F32, Scalar.F32, Scalar.I32),
          struct(Scalar.I64, Scalar.F64, Scalar.I32, Scalar.F32),
          struct(Scalar.I8, Scalar.I16, Scalar.I32),
          struct(struct(Scalar.POINTER, array(Scalar.F32, 2)), union(Scalar.F64, Scalar.I64)),
          struct(array(Scalar.I64, 16)));

  /** More than a block of the agent. */
  private static final CType.Struct LARGE = struct(array(Scalar.I64, 75));

  /** More than the JDK keeps for a thread. */
  private static final CType.Struct BEYOND = struct(array(Scalar.I64, 38));

  /**
   * The ways to fill eight bytes of a struct: integers go one way, floats another, mixed ones
   * either.
   */
  private static final List<List<CType>> EIGHT_BYTES =
      List.of(
          List.of(Scalar.I64),
          List.of(Scalar.F64),
          List.of(Scalar.POINTER),
          List.of(Scalar.I32, Scalar.I32),
          List.of(Scalar.F32, Scalar.F32),
          List.of(Scalar.I32, Scalar.F32),
          List.of(Scalar.F32, Scalar.I32),
          List.of(Scalar.I8, Scalar.U16, Scalar.F32),
          List.of(array(Scalar.I8, 8)));

  private static final List<CType.Struct> ODD =
      List.of(
          struct(Scalar.I8),
          struct(Scalar.F32),
          struct(Scalar.F64),
          struct(Scalar.I8, Scalar.I64),
          struct(Scalar.I64, Scalar.I8),
          struct(Scalar.I8, Scalar.F64, Scalar.I8),
          struct(Scalar.F32, Scalar.F32, Scalar.F32),
          struct(Scalar.F64, Scalar.F32),
          struct(struct(struct(Scalar.F32), Scalar.I8), Scalar.F32),
          struct(array(struct(Scalar.I16, Scalar.I8), 3)),
          struct(array(array(Scalar.F32, 2), 2)),
          struct(array(struct(Scalar.F32, array(Scalar.I16, 2)), 2)),
          struct(union(Scalar.F64, Scalar.I64)),
          struct(union(Scalar.F32, Scalar.I8)),
          struct(union(Scalar.F64, array(Scalar.F32, 2)), Scalar.I32),
          struct(union(array(Scalar.I8, 12), Scalar.F64)),
          struct(union(struct(Scalar.F64, Scalar.F64), struct(Scalar.F32, Scalar.I64))),
          struct(Scalar.I8, union(array(Scalar.I32, 5), Scalar.F64), array(Scalar.F32, 3)));

  /** All of them, by number. */
  static final List<CStruct> ALL = all();

  /** Those that are passed together with others: each with the next one of this list. */
  static final List<CStruct> MIXED = ALL.stream().filter(CStruct::isMixed).toList();

  private Structs() {}

  static List<CStruct> chain() {
    return ALL.subList(0, CHAIN.size());
  }

  static CStruct beyond() {
    return ALL.getLast();
  }

  /** The one after it in the list, and after the last one the first. */
  static CStruct next(List<CStruct> structs, CStruct struct) {
    return structs.get((structs.indexOf(struct) + 1) % structs.size());
  }

  private static List<CStruct> all() {
    List<CType.Struct> types = new ArrayList<>(CHAIN);
    types.addAll(ODD);
    for (List<CType> first : EIGHT_BYTES) {
      types.add(new CType.Struct(first));
      for (List<CType> second : EIGHT_BYTES) {
        types.add(joined(first, second));
      }
    }
    Random random = new Random(SEED);
    for (int i = 0; i < RANDOM; i++) {
      types.add(i % 4 == 0 ? rowOfEightBytes(random) : randomStruct(random));
    }
    for (int size = 1; size <= LARGEST; size++) {
      types.add(struct(array(Scalar.I8, size)));
    }
    types.add(LARGE);
    types.add(BEYOND);
    List<CStruct> structs = new ArrayList<>();
    for (CType.Struct type : types) {
      structs.add(new CStruct(structs.size(), type));
    }
    return List.copyOf(structs);
  }

  private static CType.Struct joined(List<CType> first, List<CType> second) {
    List<CType> members = new ArrayList<>(first);
    members.addAll(second);
    return new CType.Struct(members);
  }

  /** Structs of three or four times eight bytes, which never go in registers. */
  private static CType.Struct rowOfEightBytes(Random random) {
    List<CType> members = new ArrayList<>();
    int length = 3 + random.nextInt(2);
    for (int i = 0; i < length; i++) {
      members.addAll(EIGHT_BYTES.get(random.nextInt(EIGHT_BYTES.size())));
    }
    return new CType.Struct(members);
  }

  private static CType.Struct randomStruct(Random random) {
    while (true) {
      CType.Struct struct = new CType.Struct(randomMembers(random, 3));
      if (struct.layout().byteSize() <= LARGEST) {
        return struct;
      }
    }
  }

  private static List<CType> randomMembers(Random random, int depth) {
    List<CType> members = new ArrayList<>();
    int length = 1 + random.nextInt(4);
    for (int i = 0; i < length; i++) {
      members.add(randomType(random, depth));
    }
    return List.copyOf(members);
  }

  private static CType randomType(Random random, int depth) {
    int kind = random.nextInt(8);
    if (depth == 0 || kind < 5) {
      return Scalar.values()[random.nextInt(Scalar.values().length)];
    }
    return switch (kind) {
      case 5 -> array(randomType(random, depth - 1), 1 + random.nextInt(4));
      case 6 -> new CType.Struct(randomMembers(random, depth - 1));
      default -> new CType.Union(randomMembers(random, depth - 1));
    };
  }
}
