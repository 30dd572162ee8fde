package dev.rockpool.rewrite;

import dev.rockpool.rewrite.ClassBytes.Extended;
import dev.rockpool.rewrite.ClassBytes.Method;
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
public final class CallSites {
  /** Constants for a target: a class, and the name and type of an instance method. */
  private static final int MAX_CONSTANTS_OF_METHOD = 4;

  /** Constants for a target of its own: a class, and a method. */
  private static final int CONSTANTS_OF_CALL = 3;

  private final ClassBytes bytes;

  /** The method of each constant pool entry that names one. */
  private final Map<Integer, RedirectedMethod> named = new HashMap<>();

  /** The methods of the method handles in the constant pool that lead to one. */
  private final List<RedirectedMethod> handles = new ArrayList<>();

  /**
   * A call of a method, by the instruction at an offset.
   *
   * @param method the method
   * @param within the method of the class file that has the instruction
   * @param at the offset
   */
  public record Call(RedirectedMethod method, Method within, int at) {
    /** Not the one that records have, which takes milliseconds to link at each start. */
    @Override
    public int hashCode() {
      return at;
    }
  }

  public final List<Call> calls = new ArrayList<>();

  /**
   * The methods that have uses which may be redirected. No set or map for enums, here and where the
   * agent reads these: each start would load nine more classes, which no archive has.
   */
  public final Set<RedirectedMethod> methods = new LinkedHashSet<>();

  /** The methods that have uses which may not be redirected, with the reasons. */
  public final Map<RedirectedMethod, Skip> skipped = new LinkedHashMap<>();

  private CallSites(byte[] classFile) {
    this.bytes = new ClassBytes(classFile);
  }

  /**
   * Finds the uses in a class file.
   *
   * @param wanted the methods to find
   * @throws IllegalArgumentException if {@code classFile} is no class file
   */
  public static CallSites in(byte[] classFile, Set<RedirectedMethod> wanted) {
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
    if (named.isEmpty()) {
      return;
    }
    List<Method> all = bytes.methods();
    findCalls(all);
    findHandles(hasSerializableReferences(all));
    for (Call call : calls) {
      methods.add(call.method());
    }
    for (RedirectedMethod method : named.values()) {
      if (!method.isVirtual()) {
        methods.add(method);
      }
    }
    methods.removeAll(skipped.keySet());
    if (!bytes.hasRoomFor(2 * methods.size())) {
      for (RedirectedMethod method : methods) {
        skipped.put(method, Skip.POOL_FULL);
      }
      methods.clear();
    }
  }

  private void findCalls(List<Method> all) {
    for (Method within : all) {
      for (int at = bytes.start(within); at < bytes.end(within); at = bytes.next(within, at)) {
        int opcode = bytes.u1(at);
        if (opcode >= ClassBytes.INVOKEVIRTUAL && opcode <= ClassBytes.INVOKEINTERFACE) {
          RedirectedMethod method = named.get(bytes.u2(at + 1));
          if (method != null && opcode == method.opcode()) {
            calls.add(new Call(method, within, at));
          } else if (method != null && !method.isVirtual()) {
            skipped.put(method, Skip.ODD_CALL);
          }
        }
      }
    }
  }

  private void findHandles(boolean serializable) {
    for (int i = 1; i < bytes.poolLength(); i++) {
      RedirectedMethod method =
          bytes.isEntry(i, ClassBytes.METHOD_HANDLE) ? named.get(bytes.handleMethod(i)) : null;
      if (method != null && !method.isVirtual()) {
        handles.add(method);
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
  private boolean hasSerializableReferences(List<Method> all) {
    for (Method method : all) {
      if (bytes.isNamed(method, "$deserializeLambda$")) {
        return true;
      }
    }
    return false;
  }

  /** Whether a class is the library's, which is never rewritten: its arenas wrap the JDK's. */
  public static boolean isOurs(String className) {
    return className.startsWith("dev/rockpool/arena/")
        || className.startsWith("dev/rockpool/call/")
        || className.startsWith("dev/rockpool/direct/")
        || className.startsWith("dev/rockpool/internal/")
        || className.startsWith("dev/rockpool/record/")
        || className.startsWith("dev/rockpool/agent/");
  }

  /**
   * Returns the name of the class, in internal form.
   *
   * @throws IllegalArgumentException if it has none
   */
  public String className() {
    try {
      return bytes.name();
    } catch (IndexOutOfBoundsException damaged) {
      throw new IllegalArgumentException("it has no name", damaged);
    }
  }

  /** Returns the method that a call is in, and its line if that is known: {@code open:12}. */
  public String place(Call call) {
    int line = bytes.line(call.within(), call.at());
    return bytes.name(call.within()) + (line == 0 ? "" : ":" + line);
  }

  public boolean hasReferences(RedirectedMethod method) {
    return handles.contains(method);
  }

  /**
   * Returns the number of calls of a method and of references to it. All references of one class
   * count as one, as they have one method handle.
   */
  public int count(RedirectedMethod method) {
    int count = 0;
    for (Call call : calls) {
      count += call.method() == method ? 1 : 0;
    }
    for (RedirectedMethod handle : handles) {
      count += handle == method ? 1 : 0;
    }
    return count;
  }

  /**
   * Whether the constant pool has room to redirect that many calls each to a class of its own, and
   * all methods besides.
   */
  public boolean hasRoomFor(int more) {
    int ofMethods = MAX_CONSTANTS_OF_METHOD * RedirectedMethod.values().length;
    return bytes.hasRoomFor(ofMethods + CONSTANTS_OF_CALL * more);
  }

  /** Returns the class file with all uses of some methods redirected, see below. */
  public byte[] redirectedTo(Map<RedirectedMethod, String> targets) {
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
  public byte[] redirectedTo(Map<RedirectedMethod, String> targets, Map<Call, String> ofCalls) {
    Extended result = bytes.new Extended();
    for (Map.Entry<RedirectedMethod, String> each : targets.entrySet()) {
      int target = result.ofClass(each.getValue());
      for (Map.Entry<Integer, RedirectedMethod> entry : named.entrySet()) {
        if (entry.getValue() == each.getKey()) {
          int at = bytes.entryAt(entry.getKey());
          result.changed.put(at, (byte) ClassBytes.METHOD).putShort(at + 1, (short) target);
        }
      }
    }
    Map<String, Integer> constants = new HashMap<>();
    for (Map.Entry<Call, String> each : ofCalls.entrySet()) {
      Call call = each.getKey();
      String key = call.method() + " of " + each.getValue();
      Integer constant = constants.get(key);
      if (constant == null) {
        int nameAndType = nameAndType(call, result, constants);
        constant = result.entry(ClassBytes.METHOD, result.ofClass(each.getValue()), nameAndType);
        constants.put(key, constant);
      }
      result.redirect(call.at(), constant);
    }
    return result.toBytes();
  }

  private int nameAndType(Call call, Extended result, Map<String, Integer> constants) {
    RedirectedMethod method = call.method();
    int original = bytes.secondIn(bytes.u2(call.at() + 1));
    if (!method.isVirtual()) {
      return original;
    }
    Integer known = constants.get(method.name());
    if (known == null) {
      int type = result.text(method.targetType());
      known = result.entry(ClassBytes.NAME_AND_TYPE, bytes.firstIn(original), type);
      constants.put(method.name(), known);
    }
    return known;
  }
}
