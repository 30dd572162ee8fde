package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rockpool.testing.ClassesInMemory;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The class that the JVM enters by, in a loader where the rest of the agent is too new. */
class AgentEntryTest {
  private static final int JAVA_8 = 52;
  private static final int MAJOR_VERSION_AT = 6;
  private static final String ENTRY = "dev.rockpool.agent.AgentEntry";
  private static final String AGENT = "dev.rockpool.agent.AgentInJavaBase";

  private static final String TOO_OLD =
      "[rockpool] needs Java 25 or newer, this is "
          + System.getProperty("java.version")
          + "; the program runs on without it";

  @RegisterExtension private final StandardError told = new StandardError();

  @Test
  void isForJava8() throws IOException {
    assertThat(bytes(ENTRY)[MAJOR_VERSION_AT + 1]).isEqualTo((byte) JAVA_8);
  }

  @Test
  void theReleaseThatItNamesIsTheOneThatTheAgentIsFor() throws IOException {
    assertThat(bytes(AGENT)[MAJOR_VERSION_AT + 1]).isEqualTo((byte) (25 + 44));
  }

  @Test
  void theProgramRunsOnWhereTheAgentIsTooNew() throws Exception {
    enter("premain");

    assertThat(told.lines()).containsExactly(TOO_OLD);
  }

  @Test
  void whoeverAttachesIsTold() {
    assertThatThrownBy(() -> enter("agentmain"))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(TOO_OLD.substring("[rockpool] ".length()));
    assertThat(told.lines()).containsExactly(TOO_OLD);
  }

  private static void enter(String method) throws Exception {
    Map<String, byte[]> classes = new HashMap<>();
    for (String name : new String[] {ENTRY, AGENT}) {
      classes.put(name, bytes(name));
    }
    classes.get(AGENT)[MAJOR_VERSION_AT + 1] = (byte) (44 + Runtime.version().feature() + 1);
    ClassLoader loader = new ClassesInMemory(classes, Instrumentation.class.getClassLoader());
    loader
        .loadClass(ENTRY)
        .getMethod(method, String.class, Instrumentation.class)
        .invoke(null, null, null);
  }

  private static byte[] bytes(String name) throws IOException {
    try (InputStream in =
        AgentEntryTest.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
      return in.readAllBytes();
    }
  }
}
