package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm.Result;
import dev.rockpool.internal.MBeans;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.MXBean;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shared pool as JMX and JDK Flight Recorder see it. */
class MonitorTest {
  private static final String GRANTED = "--enable-native-access=ALL-UNNAMED";

  private void assertShown(ChildJvm jvm) throws Exception {
    Result result = jvm.run(MonitorProbe.class);
    assertThat(result.value("jmx State")).isEqualTo("ON");
    assertThat(result.value("jmx BlockByteSize")).isEqualTo("512");
    assertThat(result.value("jmx BlocksPerThread")).isEqualTo("8");
    assertThat(result.value("jmx ArenasClosed")).isEqualTo("1000");
    assertThat(result.value("jmx FromKeptBlock")).isEqualTo("499");
    assertThat(result.value("jmx FromFreshBlock")).isEqualTo("1");
    assertThat(result.value("jmx ByJdk")).isEqualTo("500");
    assertThat(result.value("jmx BytesKept")).isEqualTo("512");
    assertThat(result.value("jmx Threads")).isEqualTo("1");
    assertThat(result.value("jmx Overruns")).isEqualTo("0");
    assertThat(result.value("jmx LateWrites")).isEqualTo("0");
    assertThat(result.value("jfr state")).isEqualTo("ON");
    assertThat(result.value("jfr arenasClosed")).isEqualTo("1000");
    assertThat(result.value("jfr fromKeptBlock")).isEqualTo("499");
    assertThat(result.value("jfr fromFreshBlock")).isEqualTo("1");
    assertThat(result.value("jfr byJdk")).isEqualTo("500");
    assertThat(result.value("jfr bytesKept")).isEqualTo("512");
    assertThat(result.value("jfr threads")).isEqualTo("1");
    assertThat(result.value("jfr overruns")).isEqualTo("0");
    assertThat(result.value("jfr lateWrites")).isEqualTo("0");
    assertThat(result.value("jfr label")).isEqualTo("Arena Pool Statistics");
    assertThat(result.err()).isEmpty();
  }

  /** A program with an MBean server of its own, which is not the platform's. */
  static final class OwnServer {
    private OwnServer() {}

    public static void main(String[] args) throws Exception {
      MBeanServer own = MBeanServerFactory.createMBeanServer();
      ObjectName name = new ObjectName("dev.rockpool:type=Sample");
      Ping bean = () -> 1;
      boolean registers = MBeans.register(bean, Ping.class, name.getCanonicalName());
      boolean starts =
          Thread.getAllStackTraces().keySet().stream()
              .anyMatch(thread -> thread.getName().equals("rockpool-jmx"));
      System.out.println("registers=" + registers + " " + starts + " " + own.isRegistered(name));
      System.out.println("servers=" + MBeanServerFactory.findMBeanServer(null).size());
    }
  }

  /** An MBean's interface. */
  @MXBean
  public interface Ping {
    int getPing();
  }

  @Test
  void aProgramsOwnMBeanServerDoesNotStartThePlatforms() throws Exception {
    Result result = ChildJvm.onClassPath().run(OwnServer.class);
    assertThat(result.value("registers")).isEqualTo("false false false");
    assertThat(result.value("servers")).isEqualTo("1");
  }

  @Test
  void sharedPoolIsSeenOnTheClassPath() throws Exception {
    assertShown(ChildJvm.onClassPath().with(GRANTED));
  }

  @Test
  void sharedPoolIsSeenInAModule() throws Exception {
    assertShown(
        ChildJvm.onModulePath()
            .with(
                "--enable-native-access=dev.rockpool", "--add-modules", "jdk.jfr,java.management"));
  }

  @ParameterizedTest
  @CsvSource({
    "-Drockpool.block.size=0, OFF",
    "--illegal-native-access=deny, DENIED",
    "-Xint, UNSUITED"
  })
  void aPoolThatIsNotOnTellsWhy(String option, String state) throws Exception {
    boolean granted = !state.equals("DENIED");
    Result result =
        ChildJvm.onClassPath()
            .with(option)
            .with(granted ? new String[] {GRANTED} : new String[0])
            .run(MonitorProbe.class);
    assertThat(result.value("jmx State")).isEqualTo(state);
    assertThat(result.value("jmx BlockByteSize")).isEqualTo("0");
    assertThat(result.value("jfr state")).isEqualTo(state);
  }

  @Test
  void poolWorksWithoutTheModulesOfJmxAndJfr() throws Exception {
    Result result =
        ChildJvm.onModulePath()
            .with("--limit-modules", "dev.rockpool", "--enable-native-access=dev.rockpool")
            .run(PoolProbe.class);
    assertThat(result.value("works")).isEqualTo("true");
    assertThat(result.value("pool")).contains("blockByteSize=512");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void aListenerOfTheProgramThatDoesNotReturnStopsNothing() throws Exception {
    Result result = ChildJvm.onClassPath().with(GRANTED).run(SlowListenerProbe.class);
    assertThat(result.value("goes on")).isEqualTo("true");
  }
}
