package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No class of the program gets hold of the power that the agent has in a JVM. */
class PowerIT {
  /**
   * Follows all that static fields of the classes in the agent's jar lead to, as far as reflection
   * gets on the class path. Prints the way to each object that has power, each static field that
   * can be written, and each way into the agent's classes in java.base.
   */
  private static final String MAIN =
      """
      import java.lang.instrument.ClassFileTransformer;
      import java.lang.instrument.Instrumentation;

      static final Set<Object> SEEN = Collections.newSetFromMap(new IdentityHashMap<>());
      static final Deque<Map.Entry<String, Object>> LEFT = new ArrayDeque<>();

      static void main(String[] args) throws Exception {
        Arena.ofConfined().close();
        ByteBuffer.allocateDirect(1);
        int classes = 0;
        try (JarFile jar = new JarFile(args[0])) {
          for (JarEntry entry : Collections.list(jar.entries())) {
            if (entry.getName().endsWith(".class")) {
              String name = entry.getName().replace('/', '.').replace(".class", "");
              fields(Class.forName(name), null, name);
              classes++;
            }
          }
        }
        for (String name : List.of("Agent", "AgentReport", "LibraryInJavaBase")) {
          enter(Class.forName("jdk.internal.foreign.Rockpool" + name));
        }
        while (!LEFT.isEmpty()) {
          var next = LEFT.pop();
          look(next.getKey(), next.getValue());
        }
        System.out.println(classes > 2 && SEEN.size() > 5 ? "done" : classes + " " + SEEN.size());
      }

      static void enter(Class<?> type) {
        for (var member : type.getDeclaredConstructors()) {
          if (member.trySetAccessible()) {
            System.out.println("made by " + member);
          }
        }
        for (Field member : type.getDeclaredFields()) {
          if (member.trySetAccessible()) {
            System.out.println("seen by " + member);
          }
        }
        try {
          System.out.println(MethodHandles.privateLookupIn(type, MethodHandles.lookup()));
        } catch (IllegalAccessException asExpected) {
          // java.base is not open.
        }
      }

      static void look(String way, Object object) throws Exception {
        if (object instanceof Instrumentation || object instanceof MethodHandles.Lookup
            || object instanceof ClassFileTransformer
            || object.getClass().getName().matches(".*[.](Rockpool)?(Definer|(Agent|Library)InJavaBase)")) {
          System.out.println(way + ": " + object.getClass().getName());
        }
        switch (object) {
          case Object[] array -> Arrays.asList(array).forEach(each -> add(way + "[]", each));
          case Path names -> {} // made of new paths, without end
          case Iterable<?> all when isJdk(object) -> all.forEach(each -> add(way + "[]", each));
          case Map<?, ?> map when isJdk(object) -> map.forEach((key, value) -> {
            add(way + "[]", key);
            add(way + "[]", value);
          });
          case AtomicReference<?> reference -> add(way, reference.get());
          case Reference<?> reference -> add(way, reference.get());
          default -> {}
        }
        for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
          fields(c, object, way);
        }
      }

      /** Static ones where there is no object. */
      static void fields(Class<?> type, Object object, String way) throws Exception {
        for (Field field : type.getDeclaredFields()) {
          if (object == null
              && !field.getType().isPrimitive()
              && Modifier.isStatic(field.getModifiers())
              && !Modifier.isFinal(field.getModifiers())) {
            System.out.println("written by " + field);
          }
          if (Modifier.isStatic(field.getModifiers()) == (object == null)
              && !field.getType().isPrimitive()) {
            try {
              field.setAccessible(true);
              add(way + "." + field.getName(), field.get(object));
            } catch (InaccessibleObjectException ofJdk) {
              // The module system says no.
            }
          }
        }
      }

      static boolean isJdk(Object object) {
        return object.getClass().getClassLoader() == null;
      }

      static void add(String way, Object object) {
        if (object != null && !(object instanceof Class) && SEEN.add(object)) {
          LEFT.add(Map.entry(way, object));
        }
      }
      """;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"arenas", "direct", "verbose,exclude=Nobody", "record="})
  void noStaticFieldLeadsToIt(String options) {
    String file = options.endsWith("=") ? directory.resolve("arenas.jfr").toString() : "";

    List<String> found =
        ChildJvm.withAgent(options + file)
            .program(MAIN)
            .run("Main", ChildJvm.AGENT_JAR.toString())
            .output();

    assertThat(found).containsExactly("done");
  }

  /** Defines in the agent's package what was not loaded yet, and then has the pool started. */
  private static final String IMPOSTOR =
      """
      import module java.base;

      public class Impostor {
        static class Opener {
          static void open() {
            Arena.ofConfined().close();
          }
        }

        public static void main(String[] args) throws Exception {
          Class<?> agent = Class.forName("dev.rockpool.agent.AgentEntry");
          MethodHandles.Lookup inside = MethodHandles.privateLookupIn(agent, MethodHandles.lookup());
          try (JarFile jar = new JarFile(args[0])) {
            for (JarEntry entry : Collections.list(jar.entries())) {
              String name = entry.getName();
              if (name.endsWith(".class")) {
                try {
                  inside.defineClass(jar.getInputStream(entry).readAllBytes());
                  System.out.println(name.replaceAll(".*/|[.]class", ""));
                } catch (LinkageError loadedBefore) {
                  // A name is given once.
                }
              }
            }
          }
          Opener.open();
        }
      }
      """;

  /** Only classes that the agent does not use in this JVM any more. */
  @Test
  void whatAProgramMayDefineInOurPackageHasNoPower() {
    List<String> defined =
        ChildJvm.plain()
            .with("-javaagent:" + ChildJvm.AGENT_JAR)
            .program(IMPOSTOR)
            .run("Impostor", ChildJvm.AGENT_JAR.toString())
            .output();

    assertThat(defined).allMatch(name -> name.matches("AgentTool.*")).isNotEmpty();
  }
}
