package dev.rockpool.rewrite;

import dev.rockpool.rewrite.ClassBytes.Method;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Inserts a call of a static method into one method of a class file, with {@code this} as the
 * argument: {@code aload_0; invokestatic}, at the start or before each return.
 *
 * <p>Each insertion has four bytes, so instructions of which the padding depends on their offset
 * keep their length. Offsets change in jumps, handlers, tables of lines and variables, and stack
 * maps, which need no further frame: the call leaves stack and local variables as they are. Type
 * annotations within code are dropped, because they have offsets as well and nothing reads them
 * while a program runs.
 */
final class Insertion {
  private static final int BYTES = 4;
  private static final int MAX_CODE = 0xFFFF;
  private static final int RETURN = 177;
  private static final int ALOAD_0 = 42;

  // Stack maps (JVMS 4.7.4)
  private static final int SAME_ONE = 64;
  private static final int RESERVED = 128;
  private static final int SAME_ONE_EXTENDED = 247;
  private static final int SAME_EXTENDED = 251;
  private static final int FULL = 255;
  private static final int THIS_NOT_INITIALIZED = 6;
  private static final int OBJECT = 7;
  private static final int NOT_INITIALIZED = 8;

  private final ClassBytes bytes;
  private final Method method;
  private final int start;
  private final int end;
  private final int call;

  /** Offsets within the code before which the call is inserted, ascending. */
  private final List<Integer> before = new ArrayList<>();

  private final boolean atStart;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private Insertion(ClassBytes bytes, Method method, int call, boolean atStart) {
    this.bytes = bytes;
    this.method = method;
    this.start = bytes.start(method);
    this.end = bytes.end(method);
    this.call = call;
    this.atStart = atStart;
  }

  /** The content of a Code attribute is not as it must be for a call to be inserted. */
  static final class Impossible extends IllegalArgumentException {
    private static final long serialVersionUID = 0;

    Impossible(String why) {
      super(why);
    }
  }

  /**
   * Returns the content of a method's Code attribute with the call inserted at the start.
   *
   * @param call the constant of the method to call
   * @throws Impossible if there is no room
   */
  static byte[] atStart(ClassBytes bytes, Method method, int call) {
    Insertion insertion = new Insertion(bytes, method, call, true);
    insertion.before.add(0);
    return insertion.code();
  }

  /**
   * Returns the content of a constructor's Code attribute with the call before each return.
   *
   * @param call the constant of the method to call
   * @throws Impossible if there is no room, or {@code this} may not be at hand
   */
  static byte[] atReturns(ClassBytes bytes, Method method, int call) {
    Insertion insertion = new Insertion(bytes, method, call, false);
    for (int at = insertion.start; at < insertion.end; at = bytes.next(method, at)) {
      if (bytes.u1(at) == RETURN) {
        insertion.before.add(at - insertion.start);
      }
      insertion.requireNoStoreToThis(at);
    }
    return insertion.code();
  }

  private void requireNoStoreToThis(int at) {
    int opcode = bytes.u1(at);
    boolean isShort = opcode >= 59 && opcode <= 78 && (opcode - 59) % 4 == 0; // istore_0 ...
    boolean isLong = opcode >= 54 && opcode <= 58 && bytes.u1(at + 1) == 0; // istore ...
    boolean isWide =
        opcode == 196 && bytes.u1(at + 1) >= 54 && bytes.u1(at + 1) <= 58 && bytes.u2(at + 2) == 0;
    if (isShort || isLong || isWide) {
      throw new Impossible("it overwrites this");
    }
  }

  private int moved(int offset) {
    int count = 0;
    for (int each : before) {
      count += each < offset || (atStart && each == offset) ? 1 : 0;
    }
    return offset + BYTES * count;
  }

  private byte[] code() {
    int length = end - start;
    int newLength = length + BYTES * before.size();
    if (newLength > MAX_CODE) {
      throw new Impossible("its code is too long");
    }
    int content = method.code();
    u2(Math.min(MAX_CODE, bytes.u2(content) + 1)); // stack
    u2(bytes.u2(content + 2)); // local variables
    u4(newLength);
    instructions();
    int handlers = bytes.u2(end);
    u2(handlers);
    int at = end + 2;
    for (int i = 0; i < handlers; i++, at += 8) {
      u2(moved(bytes.u2(at)));
      u2(moved(bytes.u2(at + 2)));
      u2(moved(bytes.u2(at + 4)));
      u2(bytes.u2(at + 6));
    }
    attributes(at);
    return out.toByteArray();
  }

  private void instructions() {
    int next = 0;
    for (int at = start; at < end; at = bytes.next(method, at)) {
      if (next < before.size() && before.get(next) == at - start) {
        next++;
        out.write(ALOAD_0);
        out.write(ClassBytes.INVOKESTATIC);
        u2(call);
      }
      instruction(at);
    }
  }

  private void instruction(int at) {
    int opcode = bytes.u1(at);
    int after = bytes.next(method, at);
    out.write(opcode);
    if ((opcode >= 153 && opcode <= 168) || opcode == 198 || opcode == 199) { // if, goto, jsr
      int jump = jump(at, (short) bytes.u2(at + 1));
      if (jump != (short) jump) {
        throw new Impossible("a jump is too long");
      }
      u2(jump);
    } else if (opcode == 200 || opcode == 201) { // goto_w, jsr_w
      u4(jump(at, bytes.u4(at + 1)));
    } else if (opcode == ClassBytes.TABLESWITCH || opcode == ClassBytes.LOOKUPSWITCH) {
      boolean isTable = opcode == ClassBytes.TABLESWITCH;
      int operands = at + 1 + 3 - (at - start) % 4;
      copy(at + 1, operands);
      u4(jump(at, bytes.u4(operands)));
      int cases = operands + (isTable ? 12 : 8);
      copy(operands + 4, cases);
      for (int each = cases; each < after; each += isTable ? 4 : 8) {
        if (!isTable) {
          u4(bytes.u4(each));
        }
        u4(jump(at, bytes.u4(isTable ? each : each + 4)));
      }
    } else {
      copy(at + 1, after);
    }
  }

  /** Jumps start where an instruction is, also where a call comes before it. */
  private int jump(int at, int by) {
    int from = at - start;
    int inserted = !atStart && before.contains(from) ? BYTES : 0;
    return moved(from + by) - (moved(from) + inserted);
  }

  private void attributes(int at) {
    int count = bytes.u2(at);
    List<byte[]> kept = new ArrayList<>();
    int from = at + 2;
    ByteArrayOutputStream before = new ByteArrayOutputStream();
    before.writeBytes(out.toByteArray());
    for (int i = 0; i < count; i++) {
      int content = from + 6;
      int next = content + bytes.length(from + 2);
      int name = bytes.u2(from);
      out.reset();
      if (bytes.isText(name, "StackMapTable")) {
        stackMap(content);
      } else if (bytes.isText(name, "LineNumberTable")) {
        table(content, 4, false);
      } else if (bytes.isText(name, "LocalVariableTable")
          || bytes.isText(name, "LocalVariableTypeTable")) {
        table(content, 10, true);
      } else {
        copy(content, next);
      }
      if (!bytes.isText(name, "RuntimeVisibleTypeAnnotations")
          && !bytes.isText(name, "RuntimeInvisibleTypeAnnotations")) {
        byte[] made = out.toByteArray();
        out.reset();
        u2(name);
        u4(made.length);
        out.writeBytes(made);
        kept.add(out.toByteArray());
      }
      from = next;
    }
    out.reset();
    out.writeBytes(before.toByteArray());
    u2(kept.size());
    kept.forEach(out::writeBytes);
  }

  /** A table of entries that start with an offset; with ranges, the length follows. */
  private void table(int at, int entry, boolean hasLength) {
    int count = bytes.u2(at);
    u2(count);
    for (int i = 0, from = at + 2; i < count; i++, from += entry) {
      int first = bytes.u2(from);
      // What is known from the start on is known at the inserted call, too.
      int newFirst = first == 0 && hasLength ? 0 : moved(first);
      u2(newFirst);
      if (hasLength) {
        u2(moved(first + bytes.u2(from + 2)) - newFirst);
      }
      copy(from + (hasLength ? 4 : 2), from + entry);
    }
  }

  /** Frames say how far they are from the one before, less one except for the first. */
  private void stackMap(int at) {
    int frames = bytes.u2(at);
    u2(frames);
    int offset = -1;
    int newOffset = -1;
    int next = 0; // insertion that is not passed yet
    boolean hasThis = true;
    int locals = 1 + bytes.parameters(method);
    int from = at + 2;
    for (int i = 0; i < frames; i++) {
      int type = bytes.u1(from);
      if (type >= RESERVED && type < SAME_ONE_EXTENDED) {
        throw new Impossible("its stack map has a frame of type " + type);
      }
      int delta = type < SAME_ONE ? type : type < RESERVED ? type - SAME_ONE : bytes.u2(from + 1);
      offset += delta + 1;
      while (next < before.size() && before.get(next) < offset) {
        requireThis(hasThis);
        next++;
      }
      int newDelta = moved(offset) - newOffset - 1;
      newOffset = moved(offset);
      from += type < RESERVED ? 1 : 3;
      if (type < SAME_ONE || type == SAME_EXTENDED) {
        head(newDelta < SAME_ONE ? newDelta : SAME_EXTENDED, newDelta);
      } else if (type < RESERVED || type == SAME_ONE_EXTENDED) {
        head(newDelta < SAME_ONE ? SAME_ONE + newDelta : SAME_ONE_EXTENDED, newDelta);
        from = types(from, 1);
      } else if (type < SAME_EXTENDED) {
        head(type, newDelta);
        locals -= SAME_EXTENDED - type;
        hasThis &= locals > 0;
      } else if (type < FULL) {
        head(type, newDelta);
        from = types(from, type - SAME_EXTENDED);
        locals += type - SAME_EXTENDED;
      } else {
        head(type, newDelta);
        locals = bytes.u2(from);
        int first = locals == 0 ? 0 : bytes.u1(from + 2);
        hasThis = first == THIS_NOT_INITIALIZED || first == OBJECT;
        u2(locals);
        from = types(from + 2, locals);
        int stack = bytes.u2(from);
        u2(stack);
        from = types(from + 2, stack);
      }
    }
    while (next++ < before.size()) {
      requireThis(hasThis);
    }
  }

  /** Compilers other than javac may forget {@code this} once it is not used any more. */
  private void requireThis(boolean hasThis) {
    if (!hasThis && !atStart) {
      throw new Impossible("this is not at hand");
    }
  }

  private void head(int type, int delta) {
    out.write(type);
    if (type >= SAME_ONE_EXTENDED) {
      u2(delta);
    }
  }

  private int types(int at, int count) {
    int from = at;
    for (int i = 0; i < count; i++) {
      int tag = bytes.u1(from);
      out.write(tag);
      if (tag == NOT_INITIALIZED) {
        u2(moved(bytes.u2(from + 1)));
      } else if (tag == OBJECT) {
        u2(bytes.u2(from + 1));
      }
      from += tag >= OBJECT ? 3 : 1;
    }
    return from;
  }

  private void copy(int from, int to) {
    for (int at = from; at < to; at++) {
      out.write(bytes.u1(at));
    }
  }

  private void u2(int value) {
    out.write(value >> 8);
    out.write(value);
  }

  private void u4(int value) {
    u2(value >> 16);
    u2(value);
  }
}
