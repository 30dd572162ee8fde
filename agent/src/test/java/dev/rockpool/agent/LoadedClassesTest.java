package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.rewrite.RedirectedMethod;
import dev.rockpool.rewrite.Skip;
import dev.rockpool.testing.Sources;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the JVM refuses, and when, decides on no other class. */
class LoadedClassesTest {
  private final AgentReport report = new AgentReport("1", AgentOptions.parse(""));
  private final List<Class<?>> retransformed = new ArrayList<>();

  /** A JVM that refuses to retransform this class, and all that come with it. */
  private final Instrumentation instrumentation =
      (Instrumentation)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {Instrumentation.class},
              (_, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("retransformClasses");
                List<Class<?>> classes = Arrays.asList((Class<?>[]) arguments[0]);
                if (classes.contains(LoadedClassesTest.class)) {
                  throw new UnmodifiableClassException("on purpose");
                }
                retransformed.addAll(classes);
                return null;
              });

  @Test
  void aClassThatTheJvmRefusesLeavesOutNoOther() {
    new LoadedClasses(instrumentation, report)
        .retransform(List.of(String.class, LoadedClassesTest.class, List.class));

    assertThat(retransformed).containsExactly(String.class, List.class);
    assertThat(report.skippedNames())
        .containsEntry(Skip.REFUSED.text, List.of(LoadedClassesTest.class.getName()));
  }

  /** An uninstall may come between the two looks whether the agent is there. */
  @Test
  void aClassThatIsLoadedWhileTheAgentLeavesStaysAsItIs() throws Exception {
    byte[] classFile =
        Sources.compile(
                Sources.RELEASE, "class A { void a() { java.lang.foreign.Arena.ofConfined(); } }")
            .get("A");
    report.isFirstLook(); // else JMX starts
    for (boolean leaves : new boolean[] {false, true}) {
      AgentTransformer transformer = transformer(leaves);

      byte[] rewritten =
          transformer.transform(
              getClass().getClassLoader().getUnnamedModule(),
              getClass().getClassLoader(),
              "A",
              null,
              getClass().getProtectionDomain(),
              classFile);

      assertThat(rewritten == null).isEqualTo(leaves);
    }
    assertThat(report.rewrittenNames()).containsExactly("A");
  }

  private AgentTransformer transformer(boolean leaves) {
    LibraryInJavaBase library =
        new LibraryInJavaBase(instrumentation, (_, _) -> {}, _ -> Map.of(), name -> name, null);
    return new AgentTransformer(
        report,
        new AgentTransformer.Targets() {
          @Override
          public void define(RedirectedMethod method) {}

          @Override
          public String of(RedirectedMethod method, String className) {
            report.isActive = !leaves;
            return "Target";
          }
        },
        library,
        null);
  }
}
