package dev.rockpool.structs;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;

/** The library that was made of {@link CSource}, named by a system property, and the linker. */
@SuppressWarnings("restricted")
final class Native {
  static final String LIBRARY = "structs.library";

  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup OURS =
      SymbolLookup.libraryLookup(Path.of(System.getProperty(LIBRARY)), Arena.global());

  private Native() {}

  static MemorySegment ours(String name) {
    return OURS.findOrThrow(name);
  }

  static MethodHandle ourFunction(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(ours(name), descriptor, options);
  }

  static MethodHandle libcFunction(String name, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
  }

  /** A method of the object as a function pointer. */
  static MemorySegment pointerTo(
      MethodHandles.Lookup lookup,
      Object receiver,
      String method,
      FunctionDescriptor descriptor,
      Arena arena) {
    try {
      MethodType type = descriptor.toMethodType();
      return LINKER.upcallStub(lookup.bind(receiver, method, type), descriptor, arena);
    } catch (ReflectiveOperationException missing) {
      throw new AssertionError(missing);
    }
  }
}
