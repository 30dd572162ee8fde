package dev.rockpool.agent;

import dev.rockpool.agent.AgentReport.Skip;
import dev.rockpool.agent.ClassBytes.Code;
import dev.rockpool.agent.ClassBytes.Methods;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
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

  /** The methods that have uses which may be redirected. */
  private final Set<RedirectedMethod> found = EnumSet.noneOf(RedirectedMethod.class);

  /** The methods that have uses which may not be redirected. */
  private final Map<RedirectedMethod, Skip> skipped = new EnumMap<>(RedirectedMethod.class);

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
      Methods methods = bytes.methods();
      skipOddCalls(methods.codes());
      skipHandles(hasSerializableReferences(methods));
      found.addAll(named.values());
      found.removeAll(skipped.keySet());
      if (bytes.poolLength() + 2 * found.size() > MOST_ENTRIES) {
        for (RedirectedMethod method : found) {
          skipped.put(method, Skip.POOL_FULL);
        }
        found.clear();
      }
    }
  }

  private void skipOddCalls(List<Code> codes) {
    for (Code code : codes) {
      for (int at = code.start(); at < code.end(); at = bytes.next(code, at)) {
        int opcode = bytes.u1(at);
        if (opcode >= ClassBytes.INVOKEVIRTUAL
            && opcode <= ClassBytes.INVOKEINTERFACE
            && opcode != ClassBytes.INVOKESTATIC) {
          RedirectedMethod method = named.get(bytes.u2(at + 1));
          if (method != null) {
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
      if (method != null) {
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

  /** Returns the methods that have uses which may be redirected. */
  Set<RedirectedMethod> methods() {
    return found;
  }

  /** Returns the methods that have uses which may not be redirected, with the reasons. */
  Map<RedirectedMethod, Skip> skipped() {
    return skipped;
  }

  /**
   * Returns the class file with uses redirected to the static method of the same name and type in
   * another class.
   *
   * @param targets the class, not an interface, in internal form, for some or all of {@link
   *     #methods}
   */
  byte[] redirectedTo(Map<RedirectedMethod, String> targets) {
    int added = 0;
    for (String target : targets.values()) {
      added += 3 + target.getBytes(StandardCharsets.UTF_8).length + 3;
    }
    int length = bytes.poolLength();
    int end = bytes.poolEnd();
    ByteBuffer result = ByteBuffer.allocate(classFile.length + added);
    result.put(classFile, 0, end);
    for (Map.Entry<RedirectedMethod, String> each : targets.entrySet()) {
      byte[] name = each.getValue().getBytes(StandardCharsets.UTF_8);
      result.put((byte) ClassBytes.UTF8).putShort((short) name.length).put(name);
      result.put((byte) ClassBytes.CLASS).putShort((short) length);
      for (Map.Entry<Integer, RedirectedMethod> entry : named.entrySet()) {
        if (entry.getValue() == each.getKey()) {
          int at = bytes.entryAt(entry.getKey());
          result.put(at, (byte) ClassBytes.METHOD).putShort(at + 1, (short) (length + 1));
        }
      }
      length += 2;
    }
    result.put(classFile, end, classFile.length - end);
    result.putShort(ClassBytes.POOL_LENGTH_AT, (short) length);
    return result.array();
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
        count +=
            switch (bytes.u1(at)) {
              case ClassBytes.INVOKESTATIC -> named.get(bytes.u2(at + 1)) == method ? 1 : 0;
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
