package dev.rockpool.cli.attach;

import java.io.Serializable;
import java.lang.management.ManagementFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/** A program with a buffer pool of its own, whose MBean sends an object of a class of its own. */
public final class OddBean {
  private OddBean() {}

  /** The MBean's interface. */
  public interface Counting {
    Odd getCount();
  }

  /** The object. */
  public record Odd() implements Serializable {}

  public static void main(String[] args) throws Exception {
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(
            new StandardMBean((Counting) Odd::new, Counting.class),
            new ObjectName("java.nio:type=BufferPool,name=odd-direct"));
    IO.println("ready");
    IO.readln();
  }
}
