package dev.rockpool.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rockpool.child.ChildJvm.Result;
import dev.rockpool.internal.MBeans;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.MXBean;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** The shared pool as JMX and JDK Flight Recorder see it. */
class MonitorTest {
  private static final String GRANTED = "--enable-native-access=ALL-UNNAMED";

  private void assertShown(ChildJvm jvm) throws Exception {
    Result result = jvm.run(MonitorProbe.class);
    assertThat(result.out())
        .contains("jmx State=ON", "jmx BlockByteSize=512", "jmx BlocksPerThread=8")
        .contains("jmx ArenasClosed=500", "jmx BlocksAllocated=1", "jmx AllocationsByJdk=500")
        .contains("jmx BytesKept=512", "jmx Threads=1")
        .contains("jmx Overruns=0", "jmx LateWrites=0")
        .contains("jfr state=ON", "jfr arenasClosed=500", "jfr blocksAllocated=1")
        .contains("jfr allocationsByJdk=500", "jfr bytesKept=512", "jfr threads=1")
        .contains("jfr overruns=0", "jfr lateWrites=0");
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
      System.out.println("registers=" + registers + " " + own.isRegistered(name));
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
    assertThat(result.value("registers")).isEqualTo("false false");
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

  @Test
  void aPoolThatIsNotOnTellsWhy() throws Exception {
    Result result =
        ChildJvm.onClassPath().with("--illegal-native-access=deny").run(MonitorProbe.class);
    assertThat(result.value("jmx State")).isEqualTo("DENIED");
    assertThat(result.value("jmx BlockByteSize")).isEqualTo("0");
    assertThat(result.value("jfr state")).isEqualTo("DENIED");
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
}
