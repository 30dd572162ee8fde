package dev.rockpool.agent;

import dev.rockpool.testing.Jvm.Exit;
import java.util.List;

/**
 * A program under option {@code limit} or {@code count}, with what such programs have in common.
 */
final class LimitProgram {
  /** The agent's figures, and ways to memory beside those of the language. */
  private static final String BOOK =
      """
      import module java.base;
      import module java.management;
      import sun.misc.Unsafe;

      class Book {
        static final long MIB = 1 << 20;
        static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

        static ObjectName agent() throws Exception {
          ObjectName agent = new ObjectName("dev.rockpool:type=Agent");
          while (!SERVER.isRegistered(agent)) {
            Thread.sleep(10);
          }
          return agent;
        }

        static Object attribute(String name) {
          try {
            return SERVER.getAttribute(agent(), name);
          } catch (Exception failure) {
            throw new AssertionError(failure);
          }
        }

        static long inUse() {
          return (long) attribute("LimitInUse");
        }

        /** Calls an operation of the agent's. */
        static Object invoke(String name, Object... arguments) throws Exception {
          String[] types = Stream.of(arguments)
              .map(each -> each instanceof Long ? "long" : each instanceof Integer ? "int" : "java.lang.String")
              .toArray(String[]::new);
          return SERVER.invoke(agent(), name, arguments, types);
        }

        static Map<Object, Object> table(Object data) {
          Map<Object, Object> rows = new TreeMap<>();
          for (Object row : ((TabularData) data).values()) {
            CompositeData each = (CompositeData) row;
            rows.put(each.get("key"), each.get("value"));
          }
          return rows;
        }

        static Map<Object, Object> inUseByKind() {
          return table(attribute("LimitInUseByKind"));
        }

        static String command(String name, String... arguments) throws Exception {
          return (String) SERVER.invoke(
              new ObjectName("com.sun.management:type=DiagnosticCommand"),
              name,
              new Object[] {arguments},
              new String[] {String[].class.getName()});
        }

        static long fullCollections() {
          return ManagementFactory.getGarbageCollectorMXBeans().stream()
              .filter(each -> each.getName().matches("G1 Old Generation|MarkSweepCompact"))
              .mapToLong(GarbageCollectorMXBean::getCollectionCount)
              .sum();
        }

        /** Collects until no more than that is in use; returns what is. */
        static long collected(long expected) throws Exception {
          long last = inUse();
          for (int i = 0; i < 100 && last > expected; i++) {
            System.gc();
            Thread.sleep(20);
            last = inUse();
          }
          return last;
        }

        static MethodHandle link(String name, FunctionDescriptor type) {
          Linker linker = Linker.nativeLinker();
          return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
        }

        static Unsafe unsafe() {
          try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
          } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
          }
        }
      }
      """;

  private LimitProgram() {}

  /** Has the JVM find the program, which may use {@code Unsafe} and native functions. */
  static ChildJvm on(ChildJvm jvm, String program) {
    return jvm.with("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED")
        .program(BOOK, program);
  }

  static Exit end(ChildJvm jvm, String program) {
    return on(jvm, program).run("Main");
  }

  /** Returns what the program prints. */
  static List<String> run(ChildJvm jvm, String program, String... arguments) {
    return on(jvm, program).lines(arguments);
  }
}
