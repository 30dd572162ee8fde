package dev.rockpool.rewrite;

import dev.rockpool.rewrite.ClassBytes.Extended;
import dev.rockpool.rewrite.ClassBytes.Method;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A class whose objects own C memory. Its constructors tell ours that an object was made, at their
 * normal end; and its closing methods that it is closed, at their start:
 *
 * <pre>
 *   Peer() {
 *     super();
 *     ...
 *     TARGET.opened(this);
 *   }
 *
 *   void close() {
 *     TARGET.closed(this);
 *     ...
 *   }
 * </pre>
 *
 * @param end how C memory of an object ends; null if constructors are left as they are
 * @param constructor the type of the only constructor that is changed; empty for all
 * @param closing the names of the methods that close
 */
public record OwnerClass(@Nullable End end, String constructor, List<String> closing) {
  /** How the C memory of an object ends. */
  public enum End {
    CLOSED("opened"),

    /** By a closing method, or by the collector once the object is unreachable. */
    COLLECTED("openedCollected"),

    /** Most likely by a closing method: the class only looks like others that own C memory. */
    GUESSED("openedGuessed");

    /** The method that a constructor calls. */
    final String opened;

    End(String opened) {
      this.opened = opened;
    }
  }

  /** The classes of the JDK, in internal form. */
  public static final String INFLATER = "java/util/zip/Inflater";

  public static final String DEFLATER = "java/util/zip/Deflater";

  private static final String CLOSED = "closed";
  private static final String NOTE = "(Ljava/lang/Object;)V";
  private static final String INIT = "<init>";

  /** Names of no-argument methods by which a class of the shape may close. */
  private static final List<String> CLOSES =
      List.of("close", "free", "dispose", "end", "delete", "destroy", "release");

  /** Ends of names of fields with an address. */
  private static final List<String> ADDRESSES =
      List.of("handle", "ptr", "pointer", "addr", "address", "peer");

  /** By name, in internal form. */
  private static final Map<String, OwnerClass> KNOWN = new HashMap<>();

  static {
    register(End.COLLECTED, INFLATER, "end");
    register(End.COLLECTED, DEFLATER, "end");
    String rocks = "org/rocksdb/";
    register(End.CLOSED, rocks + "RocksObject", "disposeInternal"); // some close without the next
    register(null, rocks + "AbstractImmutableNativeReference", "close", "disOwnNativeHandle");
    String zstd = "com/github/luben/zstd/Zstd";
    register(End.CLOSED, zstd + "OutputStreamNoFinalizer", "close");
    register(End.CLOSED, zstd + "InputStreamNoFinalizer", "close");
    register(End.CLOSED, zstd + "CompressCtx", "doClose");
    register(End.CLOSED, zstd + "DecompressCtx", "doClose");
    register(End.COLLECTED, zstd + "DictCompress", "doClose"); // a superclass has a finalizer
    register(End.COLLECTED, zstd + "DictDecompress", "doClose");
    register(End.CLOSED, zstd + "DirectBufferCompressingStreamNoFinalizer", "close");
    register(
        End.CLOSED, "com/github/luben/zstd/BaseZstdBufferDecompressingStreamNoFinalizer", "close");
    register(End.CLOSED, "ai/onnxruntime/OrtSession", "close");
    // A Result of a session only refers to values: these are closed, with it or one by one.
    register(End.CLOSED, "ai/onnxruntime/OrtSession$SessionOptions", "close");
    register(End.CLOSED, "ai/onnxruntime/OnnxTensorLike");
    register(null, "ai/onnxruntime/OnnxTensor", "close");
    register(null, "ai/onnxruntime/OnnxSparseTensor", "close");
    KNOWN.put( // other constructors share the memory of another object
        "com/sun/jna/Memory", new OwnerClass(End.COLLECTED, "(J)V", List.of("close", "dispose")));
    register(End.CLOSED, "org/sqlite/core/NativeDB");
    register(null, "org/sqlite/core/DB", "close");
    register(End.CLOSED, "org/sqlite/core/SafeStmtPtr", "close");
    register(End.CLOSED, "org/duckdb/DuckDBConnection", "close");
    register(End.CLOSED, "org/duckdb/DuckDBPreparedStatement", "close");
    register(End.CLOSED, "org/duckdb/DuckDBResultSet", "close");
    register(End.COLLECTED, "org/conscrypt/NativeRef", "finalize");
    register(End.COLLECTED, "org/conscrypt/NativeSsl", "close");
  }

  private static void register(@Nullable End end, String name, String... closing) {
    KNOWN.put(name, new OwnerClass(end, "", List.of(closing)));
  }

  public static @Nullable OwnerClass known(String className) {
    return KNOWN.get(className);
  }

  public static OwnerClass named(List<String> closing) {
    return new OwnerClass(End.CLOSED, "", closing);
  }

  /** Whether a class whose constant pool has these texts may have the shape of {@link #ofShape}. */
  public static boolean mayHaveShape(Set<String> texts) {
    boolean hasAddress = false;
    boolean closes = false;
    for (String each : texts) {
      hasAddress |= isAddress(each.toLowerCase(Locale.ROOT));
      closes |= CLOSES.contains(each);
    }
    return hasAddress && closes && texts.contains("J");
  }

  /**
   * Returns a class that has the shape of those that own C memory, or null: a field of type {@code
   * long} that is named like an address, a native method, and a method without arguments that is
   * named as closing methods are.
   *
   * @throws IllegalArgumentException if {@code classFile} is no class file
   */
  public static @Nullable OwnerClass ofShape(byte[] classFile) {
    ClassBytes bytes = new ClassBytes(classFile);
    if (!hasAddress(bytes)) { // first, as of the three few classes have this
      return null;
    }
    boolean hasNative = false;
    List<String> closing = new ArrayList<>();
    for (Method method : bytes.methods()) {
      int flags = bytes.u2(method.at());
      hasNative |= Modifier.isNative(flags);
      if (method.code() != 0 && !Modifier.isStatic(flags) && bytes.isTyped(method, "()V")) {
        String name = bytes.name(method);
        if (CLOSES.contains(name)) {
          closing.add(name);
        }
      }
    }
    return hasNative && !closing.isEmpty() ? new OwnerClass(End.GUESSED, "", closing) : null;
  }

  private static boolean hasAddress(ClassBytes bytes) {
    for (int field : bytes.fields()) {
      if (!Modifier.isStatic(bytes.u2(field))
          && bytes.isText(bytes.u2(field + 4), "J")
          && isAddress(bytes.text(bytes.u2(field + 2)).toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAddress(String field) {
    String name = field.endsWith("_") ? field.substring(0, field.length() - 1) : field;
    if (name.startsWith("native") || name.equals("swigcptr")) {
      return true;
    }
    for (String each : ADDRESSES) {
      if (name.endsWith(each)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a class file has one of the closing methods, with code, or all are elsewhere. */
  public boolean closesIn(byte[] classFile) {
    if (closing.isEmpty()) {
      return true;
    }
    ClassBytes bytes = new ClassBytes(classFile);
    for (Method method : bytes.methods()) {
      if (method.code() != 0 && closing.contains(bytes.name(method))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the class file with the calls, or null if it has none of the methods.
   *
   * @param target the class with our methods, in internal form
   * @throws IllegalArgumentException if {@code classFile} is no class file, or has no room
   */
  public byte @Nullable [] rewrite(byte[] classFile, String target) {
    try {
      return withCalls(classFile, target);
    } catch (IndexOutOfBoundsException cut) {
      throw new IllegalArgumentException("it is cut short, or damaged", cut);
    }
  }

  private byte @Nullable [] withCalls(byte[] classFile, String target) {
    ClassBytes original = new ClassBytes(classFile);
    if (!original.hasRoomFor(2 + 8) || Modifier.isInterface(original.flags())) {
      return null;
    }
    Extended extended = original.new Extended();
    int owner = extended.ofClass(target);
    int type = extended.text(NOTE);
    End ending = endIn(original);
    int opened = ending == null ? 0 : method(extended, owner, ending.opened, type);
    int closed = method(extended, owner, CLOSED, type);
    byte[] made = extended.toBytes();
    ClassBytes bytes = new ClassBytes(made);
    ByteArrayOutputStream result = new ByteArrayOutputStream(made.length + 100);
    int copied = 0;
    for (Method method : bytes.methods()) {
      byte[] code = code(bytes, method, opened, closed);
      if (code != null) {
        int at = bytes.codeLengthAt(method);
        result.write(made, copied, at - copied);
        for (int shift = 24; shift >= 0; shift -= 8) {
          result.write(code.length >> shift);
        }
        result.writeBytes(code);
        copied = bytes.codeEnd(method);
      }
    }
    if (copied == 0) {
      return null;
    }
    result.write(made, copied, made.length - copied);
    return result.toByteArray();
  }

  /** A class with a finalizer or a cleaner frees what the program does not close. */
  private @Nullable End endIn(ClassBytes bytes) {
    if (end == null || end == End.COLLECTED) {
      return end;
    }
    boolean frees = bytes.hasText("java/lang/ref/Cleaner");
    for (Method method : bytes.methods()) {
      frees |= bytes.isNamed(method, "finalize") && bytes.isTyped(method, "()V");
    }
    return frees ? End.COLLECTED : end;
  }

  private static int method(Extended extended, int owner, String name, int type) {
    int nameAndType = extended.entry(ClassBytes.NAME_AND_TYPE, extended.text(name), type);
    return extended.entry(ClassBytes.METHOD, owner, nameAndType);
  }

  /** Returns the new content of a method's Code attribute, or null to leave it. */
  private byte @Nullable [] code(ClassBytes bytes, Method method, int opened, int closed) {
    if (method.code() == 0 || Modifier.isStatic(bytes.u2(method.at()))) {
      return null;
    }
    if (bytes.isNamed(method, INIT)) {
      return opened != 0 && (constructor.isEmpty() || bytes.isTyped(method, constructor))
          ? Insertion.atReturns(bytes, method, opened)
          : null;
    }
    if (end == End.GUESSED && !bytes.isTyped(method, "()V")) {
      return null; // release(Object), beside the release() of the shape
    }
    for (String name : closing) {
      if (bytes.isNamed(method, name)) {
        return Insertion.atStart(bytes, method, closed);
      }
    }
    return null;
  }
}
