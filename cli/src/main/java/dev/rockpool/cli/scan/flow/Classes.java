package dev.rockpool.cli.scan.flow;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/**
 * The classes of the artifact, for those who ask about one method: only its code is parsed. What
 * classes have in common, their constant pools, is looked at once. For one thread.
 */
final class Classes {
  private final ClassLookup files;
  private final Map<String, @Nullable ClassReader> readers = new HashMap<>();

  Classes(ClassLookup files) {
    this.files = files;
  }

  /**
   * The class with that internal name, and of its methods the one that is asked for, if it declares
   * that. Null if the artifact does not have the class, or what is asked for is not readable.
   */
  @Nullable ClassNode find(String name, String method, String descriptor) {
    ClassReader reader = reader(name);
    if (reader == null) {
      return null;
    }
    ClassNode type = new WithOneMethod(method, descriptor);
    try {
      reader.accept(type, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    } catch (RuntimeException unreadable) {
      return null; // where it is scanned itself it is named
    }
    return type;
  }

  private @Nullable ClassReader reader(String name) {
    if (!readers.containsKey(name)) {
      readers.put(name, read(name));
    }
    return readers.get(name);
  }

  private @Nullable ClassReader read(String name) {
    byte[] file = files.find(name);
    try {
      return file == null ? null : new ClassReader(file);
    } catch (RuntimeException unreadable) {
      return null; // as above
    }
  }

  private static final class WithOneMethod extends ClassNode {
    private final String method;
    private final String descriptor;

    WithOneMethod(String method, String descriptor) {
      super(Opcodes.ASM9);
      this.method = method;
      this.descriptor = descriptor;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      return name.equals(method) && descriptor.equals(this.descriptor)
          ? super.visitMethod(access, name, descriptor, signature, exceptions)
          : null;
    }
  }
}
