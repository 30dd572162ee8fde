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
final class SlowReservationEvent extends Event {
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

  static SlowReservationEvent started() {
    SlowReservationEvent event = new SlowReservationEvent();
    event.begin();
    return event;
  }

  void end(Budget budget, long byteSize, boolean wasServed) {
    bytesAsked = byteSize;
    bytesReserved = budget.reserved();
    limit = budget.limit();
    served = wasServed;
    commit();
  }
}
