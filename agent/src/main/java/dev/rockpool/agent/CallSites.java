package dev.rockpool.agent;

import dev.rockpool.agent.AgentReport.Skip;
import dev.rockpool.agent.ClassBytes.Code;
import dev.rockpool.agent.ClassBytes.Methods;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The uses of {@link RedirectedMethod}s in one class file, calls and method references alike.
 *
 * <p>All uses name the method through an entry of the constant pool, of which javac makes one. That
 * entry is redirected, in place, to the static method of our class; two entries for our class's
 * name are appended. No other byte of the class file changes. The code does not change, so stack
 * maps, line numbers and unknown attributes stay valid. Computing stack maps anew would load a
 * class hierarchy.
 *
 * <p>A single call is redirected by an entry of its own, which is appended: then the index in the
 * call's instruction changes, and for an instance method the instruction becomes {@code
 * invokestatic}. Both take the same operands and have the same length, so the above still holds.
 *
 * <p>The JVM must accept the result exactly if it accepts the original. A call of the method as
 * anything but a static method fails when it runs; redirected, the whole class would fail to load.
 * Therefore each instruction and each method handle that names such an entry is checked.
 */
final class CallSites {
  /** Returned instead of a count if the uses can't be counted. */
  static final int UNKNOWN = -1;

  private static final int MOST_ENTRIES = 0xFFFF;

  private final byte[] classFile;
  private final ClassBytes bytes;

  /** The method of each constant pool entry that names one. */
  private final Map<Integer, RedirectedMethod> named = new HashMap<>();

  /** The method of each method handle in the constant pool that leads to one. */
  private final Map<Integer, RedirectedMethod> handles = new HashMap<>();

  /** A call of a method, by the instruction at an offset. */
  record Call(RedirectedMethod method, Code code, int at) {}

  /** The calls of all wanted methods. */
  final List<Call> calls = new ArrayList<>();

  /**
   * The methods that have uses which may be redirected. No set or map for enums, here and where the
   * transformer reads these: each start would load nine more classes, which no archive has.
   */
  final Set<RedirectedMethod> methods = new LinkedHashSet<>();

  /** The methods that have uses which may not be redirected, with the reasons. */
  final Map<RedirectedMethod, Skip> skipped = new LinkedHashMap<>();

  private CallSites(byte[] classFile) {
    this.classFile = classFile;
    this.bytes = new ClassBytes(classFile);
  }

  /**
   * Finds the uses in a class file.
   *
   * @param wanted the methods to find
   * @throws IllegalArgumentException if {@code classFile} is no class file
   */
  static CallSites in(byte[] classFile, Set<RedirectedMethod> wanted) {
    try {
      CallSites sites = new CallSites(classFile);
      sites.find(wanted);
      return sites;
    } catch (IndexOutOfBoundsException cut) {
      throw new IllegalArgumentException("it is cut short, or damaged", cut);
    }
  }

  private void find(Set<RedirectedMethod> wanted) {
    for (int i = 1; i < bytes.poolLength(); i++) {
      for (RedirectedMethod method : wanted) {
        if (method.isNamedBy(bytes, i)) {
          named.put(i, method);
        }
      }
    }
    if (!named.isEmpty()) {
      Methods all = bytes.methods();
      lookAtCalls(all.codes());
      skipHandles(hasSerializableReferences(all));
      for (RedirectedMethod method : named.values()) {
        if (!method.isVirtual() || hasCall(method)) {
          methods.add(method);
        }
      }
      methods.removeAll(skipped.keySet());
      if (bytes.poolLength() + 2 * methods.size() > MOST_ENTRIES) {
        for (RedirectedMethod method : methods) {
          skipped.put(method, Skip.POOL_FULL);
        }
        methods.clear();
      }
    }
  }

  private boolean hasCall(RedirectedMethod method) {
    for (Call call : calls) {
      if (call.method() == method) {
        return true;
      }
    }
    return false;
  }

  private void lookAtCalls(List<Code> codes) {
    for (Code code : codes) {
      for (int at = code.start(); at < code.end(); at = bytes.next(code, at)) {
        int opcode = bytes.u1(at);
        if (opcode >= ClassBytes.INVOKEVIRTUAL && opcode <= ClassBytes.INVOKEINTERFACE) {
          RedirectedMethod method = named.get(bytes.u2(at + 1));
          if (method != null && opcode == method.opcode()) {
            calls.add(new Call(method, code, at));
          } else if (method != null && !method.isVirtual()) {
            skipped.put(method, Skip.ODD_CALL);
          }
        }
      }
    }
  }

  private void skipHandles(boolean serializable) {
    for (int i = 1; i < bytes.poolLength(); i++) {
      RedirectedMethod method =
          bytes.isEntry(i, ClassBytes.METHOD_HANDLE) ? named.get(bytes.handleMethod(i)) : null;
      if (method != null && !method.isVirtual()) {
        handles.put(i, method);
        if (bytes.handleKind(i) != ClassBytes.INVOKES_STATIC) {
          skipped.put(method, Skip.ODD_CALL);
        } else if (serializable) {
          skipped.put(method, Skip.SERIALIZABLE);
        }
      }
    }
  }

  /**
   * Whether the class may have serializable method references. Their serial form states the owner
   * of the method, which {@code $deserializeLambda$} compares, in this JVM or another. So the owner
   * must not change.
   */
  private boolean hasSerializableReferences(Methods methods) {
    for (int method : methods.starts()) {
      if (bytes.isText(bytes.u2(method + 2), "$deserializeLambda$")) {
        return true;
      }
    }
    return false;
  }

  /** Whether a class is the library's, which is never rewritten: its arenas wrap the JDK's. */
  static boolean isOurs(String className) {
    return className.startsWith("dev/rockpool/arena/")
        || className.startsWith("dev/rockpool/call/")
        || className.startsWith("dev/rockpool/direct/")
        || className.startsWith("dev/rockpool/internal/")
        || className.startsWith("dev/rockpool/record/")
        || className.startsWith("dev/rockpool/agent/");
  }

  /** Returns the method that a call is in, and its line if that is known: {@code open:12}. */
  String place(Call call) {
    int line = bytes.line(call.code(), call.at());
    return bytes.methodName(call.code()) + (line == 0 ? "" : ":" + line);
  }

  /** Whether method references lead to a method. */
  boolean hasReferences(RedirectedMethod method) {
    return handles.containsValue(method);
  }

  /**
   * Whether the constant pool has room to redirect that many calls each to a class of its own, and
   * all methods besides.
   */
  boolean hasRoomFor(int more) {
    int each = Added.MOST_FOR_A_METHOD * RedirectedMethod.values().length;
    return bytes.poolLength() + each + Added.FOR_A_CALL * more <= MOST_ENTRIES;
  }

  /** Returns the class file with all uses of some methods redirected, see below. */
  byte[] redirectedTo(Map<RedirectedMethod, String> targets) {
    return redirectedTo(targets, Map.of());
  }

  /**
   * Returns the class file with uses redirected to the static method of the same name and type in
   * another class.
   *
   * @param targets the class, not an interface, in internal form, for some or all of {@link
   *     #methods}
   * @param ofCalls the class for single calls; with more than none, {@link #hasRoomFor} them
   */
  byte[] redirectedTo(Map<RedirectedMethod, String> targets, Map<Call, String> ofCalls) {
    Added added = new Added();
    byte[] result = classFile.clone();
    ByteBuffer changed = ByteBuffer.wrap(result);
    for (Map.Entry<RedirectedMethod, String> each : targets.entrySet()) {
      int target = added.ofClass(each.getValue());
      for (Map.Entry<Integer, RedirectedMethod> entry : named.entrySet()) {
        if (entry.getValue() == each.getKey()) {
          int at = bytes.entryAt(entry.getKey());
          changed.put(at, (byte) ClassBytes.METHOD).putShort(at + 1, (short) target);
        }
      }
    }
    for (Map.Entry<Call, String> each : ofCalls.entrySet()) {
      int at = each.getKey().at();
      changed
          .put(at, (byte) ClassBytes.INVOKESTATIC)
          .putShort(at + 1, (short) added.method(each.getKey(), each.getValue()));
    }
    byte[] more = added.bytes.toByteArray();
    int end = bytes.poolEnd;
    return ByteBuffer.allocate(result.length + more.length)
        .put(result, 0, end)
        .put(more)
        .put(result, end, result.length - end)
        .putShort(ClassBytes.POOL_LENGTH_AT, (short) added.next)
        .array();
  }

  /** The entries that targets take. */
  private final class Added extends ClassBytes.Added {
    /** Entries for a class, and for the name and type of an instance method's target. */
    static final int MOST_FOR_A_METHOD = 4;

    static final int FOR_A_CALL = 3;

    private final Map<String, Integer> methods = new HashMap<>();
    private final Map<RedirectedMethod, Integer> types = new HashMap<>();

    Added() {
      super(CallSites.this.bytes);
    }

    /** Returns the entry of a call's target. */
    int method(Call call, String target) {
      String key = call.method() + " of " + target;
      Integer known = methods.get(key);
      if (known == null) {
        known = entry(ClassBytes.METHOD, ofClass(target), nameAndType(call));
        methods.put(key, known);
      }
      return known;
    }

    private int nameAndType(Call call) {
      int theirs = CallSites.this.bytes.secondIn(CallSites.this.bytes.u2(call.at() + 1));
      if (!call.method().isVirtual()) {
        return theirs;
      }
      Integer known = types.get(call.method());
      if (known == null) {
        int name = CallSites.this.bytes.firstIn(theirs);
        known = entry(ClassBytes.NAME_AND_TYPE, name, text(call.method().targetType()));
        types.put(call.method(), known);
      }
      return known;
    }
  }

  /** Returns the number of calls of a method and of references to it, for messages only. */
  int count(RedirectedMethod method) {
    try {
      return countIn(bytes.methods(), method);
    } catch (RuntimeException unreadable) {
      return UNKNOWN;
    }
  }

  private int countIn(Methods methods, RedirectedMethod method) {
    int count = 0;
    for (Code code : methods.codes()) {
      for (int at = code.start(); at < code.end(); at = bytes.next(code, at)) {
        int opcode = bytes.u1(at);
        count +=
            switch (opcode) {
              case ClassBytes.INVOKESTATIC, ClassBytes.INVOKEVIRTUAL ->
                  opcode == method.opcode() && named.get(bytes.u2(at + 1)) == method ? 1 : 0;
              case ClassBytes.LDC -> handles.get(bytes.u1(at + 1)) == method ? 1 : 0;
              case ClassBytes.LDC_W -> handles.get(bytes.u2(at + 1)) == method ? 1 : 0;
              case ClassBytes.INVOKEDYNAMIC ->
                  countArguments(methods, bytes.firstIn(bytes.u2(at + 1)), method);
              default -> 0;
            };
      }
    }
    return count;
  }

  /** Returns how many static arguments of a bootstrap method (JVMS 4.7.23) are the method. */
  private int countArguments(Methods methods, int bootstrapMethod, RedirectedMethod method) {
    int at = methods.bootstrapMethodsAt() + 2;
    for (int i = 0; i < bootstrapMethod; i++) {
      at += 4 + 2 * bytes.u2(at + 2);
    }
    int count = 0;
    for (int left = bytes.u2(at + 2); left > 0; left--) {
      count += handles.get(bytes.u2(at + 2 + 2 * left)) == method ? 1 : 0;
    }
    return count;
  }
}
