package dev.rockpool.direct;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A reservation that had to wait, from its start to its end, as an event of Flight Recorder. */
@Name("dev.rockpool.DirectMemoryWait")
@Label("Direct Memory Wait")
@Category("Rockpool")
@Description("A thread waited for direct memory, because the limit was reached")
final class SlowReservationEvent extends Event implements DirectMonitor.Event {
  @Label("Bytes Asked")
  @DataAmount
  long bytesAsked;

  @Label("Bytes Reserved")
  @Description("Handed out when the wait was over, these included if they were had")
  @DataAmount
  long bytesReserved;

  @Label("Limit")
  @DataAmount
  long limit;

  @Label("Served")
  @Description("Whether the bytes were had; else the thread got an OutOfMemoryError")
  boolean served;

  private SlowReservationEvent() {}

  static SlowReservationEvent started(long byteSize) {
    SlowReservationEvent event = new SlowReservationEvent();
    event.bytesAsked = byteSize;
    event.begin();
    return event;
  }

  @Override
  public void end(long reservedNow, long limitOfBudget, int inLine, boolean succeeded) {
    bytesReserved = reservedNow;
    limit = limitOfBudget;
    served = succeeded;
    commit();
  }
}
