package dev.rockpool.structs;

import dev.rockpool.structs.CType.Scalar;
import java.util.function.BiFunction;

/**
 * The C source of the functions that the structs are passed to.
 *
 * <p>Of each struct {@code s1} there are, by pointer, {@code s1_fill}, {@code s1_hash} and {@code
 * s1_turn}; all others pass it by value and use those. What a call from Java has to return, C finds
 * out by the same call from C.
 */
public final class CSource {
  private static final String PRELUDE =
      """
      #include <errno.h>
      #include <pthread.h>
      #include <stdarg.h>
      #include <stdint.h>
      #include <string.h>

      #define NOINLINE __attribute__((noinline))

      static inline uint64_t mix(uint64_t hash, uint64_t value) {
        uint64_t product = (hash ^ value) * 0x9E3779B97F4A7C15u;
        return product ^ product >> 29;
      }
      static inline uint64_t bits_f32(float f) { int32_t i; memcpy(&i, &f, 4); return (uint64_t) (int64_t) i; }
      static inline uint64_t bits_f64(double f) { uint64_t i; memcpy(&i, &f, 8); return i; }
      """;

  /** Named after the struct by {@code S}, and after the next one in the list by {@code T}. */
  private static final String EACH =
      """
      uint64_t S_size(void) { return sizeof(struct S) | (uint64_t) _Alignof(struct S) << 32; }
      uint64_t S_take(struct S s) { return S_hash(&s); }
      struct S S_make(uint64_t seed) { struct S s; S_fill(&s, seed); return s; }
      struct S S_invert(struct S s) { S_turn(&s); return s; }
      struct S S_call(struct S (*f)(struct S), struct S s) { return f(s); }
      uint64_t S_repeat(struct S (*f)(struct S), struct S s, int32_t times) {
        for (int32_t i = 0; i < times; i++) s = f(s);
        return S_hash(&s);
      }
      """;

  /** Calls back on threads that C has started, one after another. */
  private static final String ON_THREADS =
      """
      struct S_work { struct S (*f)(struct S); struct S s; };
      static void *S_on_thread(void *argument) {
        struct S_work *work = argument;
        for (int i = 0; i < 3; i++) work->s = work->f(work->s);
        return 0;
      }
      uint64_t S_on_threads(struct S (*f)(struct S), struct S s, int32_t threads) {
        struct S_work work = {f, s};
        for (int32_t i = 0; i < threads; i++) {
          pthread_t thread;
          if (pthread_create(&thread, 0, S_on_thread, &work) != 0) return 0;
          pthread_join(thread, 0);
        }
        return S_hash(&work.s);
      }
      """;

  /** More arguments than there are registers, of each kind. */
  private static final String MIXED =
      """
      typedef struct S S_function(int8_t, struct S, double, struct T, float, struct S, int64_t, struct T,
          int32_t, double, float, double, double, double, struct S, int64_t, int16_t);
      struct S S_mixed(int8_t a, struct S b, double c, struct T d, float e, struct S f, int64_t g, struct T h,
          int32_t i, double j, float k, double l, double m, double n, struct S o, int64_t p, int16_t q) {
        uint64_t all = mix(0, (uint64_t) (int64_t) a);
        all = mix(all, S_hash(&b));
        all = mix(all, bits_f64(c));
        all = mix(all, T_hash(&d));
        all = mix(all, bits_f32(e));
        all = mix(all, S_hash(&f));
        all = mix(all, (uint64_t) g);
        all = mix(all, T_hash(&h));
        all = mix(all, (uint64_t) (int64_t) i);
        all = mix(all, bits_f64(j));
        all = mix(all, bits_f32(k));
        all = mix(all, bits_f64(l));
        all = mix(all, bits_f64(m));
        all = mix(all, bits_f64(n));
        all = mix(all, S_hash(&o));
        all = mix(all, (uint64_t) p);
        all = mix(all, (uint64_t) (int64_t) q);
        return S_make(all);
      }
      struct S S_call_mixed(S_function *f, int64_t x) {
        return f((int8_t) x, S_make(x + 1), x + 2, T_make(x + 3), x + 4, S_make(x + 5), x + 6, T_make(x + 7),
            (int32_t) (x + 8), x + 9, x + 10, x + 11, x + 12, x + 13, S_make(x + 14), x + 15, (int16_t) (x + 16));
      }
      struct S S_fail(struct S s, int32_t error) { errno = error; S_turn(&s); return s; }
      struct S S_mixed_in_c(int64_t x) { return S_call_mixed(S_mixed, x); }
      uint64_t S_sum(int32_t times, ...) {
        uint64_t all = 0;
        va_list rest;
        va_start(rest, times);
        for (int32_t i = 0; i < times; i++) {
          struct S s = va_arg(rest, struct S);
          all = mix(all, S_hash(&s));
          all = mix(all, bits_f64(va_arg(rest, double)));
          all = mix(all, va_arg(rest, int64_t));
        }
        va_end(rest);
        return all;
      }
      uint64_t S_sum_in_c(int64_t x) {
        return S_sum(3, S_make(x), (double) x, x, S_make(x + 1), (double) (x + 1), x + 1, S_make(x + 2), (double) (x + 2), x + 2);
      }
      """;

  /**
   * A ring of calls: a struct goes up into Java, from there the next kind of struct goes down to
   * its own function, and so on. The argument is used once more after all of that.
   */
  private static final String CHAIN_HEAD =
      """
      typedef struct S S_upward(struct S, int32_t, int32_t);
      struct S S_chain(struct S s, int32_t depth, int32_t context, S_upward *up);
      struct S S_up_in_c(struct S s, int32_t depth, int32_t context);
      """;

  private static final String CHAIN =
      """
      struct S S_chain(struct S s, int32_t depth, int32_t context, S_upward *up) {
        uint64_t before = S_hash(&s);
        struct S result = up(S_make(mix(before, depth)), depth, context);
        return S_make(mix(mix(before, S_hash(&s)), S_hash(&result)));
      }
      struct S S_up_in_c(struct S s, int32_t depth, int32_t context) {
        uint64_t before = S_hash(&s);
        if (depth == 0) return S_make(mix(before, 77));
        struct T result = T_chain(T_make(mix(before, depth)), depth - 1, context, T_up_in_c);
        return S_make(mix(mix(before, S_hash(&s)), T_hash(&result)));
      }
      uint64_t S_chain_in_c(uint64_t seed, int32_t depth) {
        struct S result = S_chain(S_make(seed), depth, 0, S_up_in_c);
        return S_hash(&result);
      }
      """;

  private final StringBuilder source = new StringBuilder(PRELUDE);

  private CSource() {}

  /** The whole source. */
  public static String text() {
    CSource text = new CSource();
    for (CStruct struct : Structs.ALL) {
      text.addByPointer(struct);
      text.add(EACH, struct, struct);
    }
    for (CStruct struct : Structs.MIXED) {
      text.add(MIXED, struct, Structs.next(Structs.MIXED, struct));
    }
    for (CStruct struct : Structs.chain()) {
      text.add(ON_THREADS, struct, struct);
      text.add(CHAIN_HEAD, struct, struct);
    }
    for (CStruct struct : Structs.chain()) {
      text.add(CHAIN, struct, Structs.next(Structs.chain(), struct));
    }
    return text.source.toString();
  }

  private void add(String template, CStruct struct, CStruct other) {
    source.append(
        template
            .replaceAll("\\bS\\b|\\bS(?=_)", struct.name())
            .replaceAll("\\bT\\b|\\bT(?=_)", other.name()));
  }

  private void addByPointer(CStruct struct) {
    String name = struct.name();
    source.append("struct " + name + " " + struct.type().body() + ";\n");
    source.append("NOINLINE void " + name + "_fill(struct " + name + " *s, uint64_t r) {\n");
    addEach(struct.type(), "(*s)", 0, CSource::assignment);
    source.append("}\nNOINLINE uint64_t " + name + "_hash(const struct " + name + " *s) {\n");
    source.append("  uint64_t h = 0;\n");
    addEach(struct.type(), "(*s)", 0, (type, path) -> "h = mix(h, " + bits(type, path) + ");");
    source.append("  return h;\n}\nNOINLINE void " + name + "_turn(struct " + name + " *s) {\n");
    addEach(struct.type(), "(*s)", 0, CSource::inversion);
    source.append("}\n");
  }

  /** Statements for each field, in loops where there are arrays. */
  private void addEach(
      CType type, String path, int depth, BiFunction<Scalar, String, String> statement) {
    switch (type) {
      case Scalar scalar -> source.append("  " + statement.apply(scalar, path) + "\n");
      case CType.Array array -> {
        String i = "i" + depth;
        source.append(
            "  for (int " + i + " = 0; " + i + " < " + array.length() + "; " + i + "++) {\n");
        addEach(array.element(), path + "[" + i + "]", depth + 1, statement);
        source.append("  }\n");
      }
      case CType.Struct struct -> {
        for (int i = 0; i < struct.members().size(); i++) {
          addEach(struct.members().get(i), path + "." + CType.nameOf(i), depth, statement);
        }
      }
      case CType.Union union -> {
        int largest = union.largest();
        addEach(union.members().get(largest), path + "." + CType.nameOf(largest), depth, statement);
      }
    }
  }

  private static String assignment(Scalar type, String path) {
    String value =
        switch (type) {
          case I8, I16, U16, I32, I64 -> "(" + type.inC + ") r";
          case F32 -> "(float) (int32_t) r";
          case F64 -> "(double) (int64_t) r";
          case POINTER -> "(void *) r";
        };
    return "r = mix(r, 1); " + path + " = " + value + ";";
  }

  private static String bits(Scalar type, String path) {
    return switch (type) {
      case I8, I16, U16, I32, I64, POINTER -> "(uint64_t) (int64_t) " + path;
      case F32 -> "bits_f32(" + path + ")";
      case F64 -> "bits_f64(" + path + ")";
    };
  }

  private static String inversion(Scalar type, String path) {
    return switch (type) {
      case I8, I16, U16, I32, I64 -> path + " = (" + type.inC + ") ~" + path + ";";
      case F32, F64 -> path + " = -" + path + ";";
      case POINTER -> path + " = (void *) ~(uint64_t) " + path + ";";
    };
  }
}
