package dev.rockpool.direct;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A garbage collection asked for by threads that wait, as an event of Flight Recorder. */
@Name("dev.rockpool.DirectMemoryCollection")
@Label("Direct Memory Collection")
@Category("Rockpool")
@Description("A garbage collection was asked for, because direct memory had reached its limit")
final class ForcedCollectionEvent extends Event implements DirectMonitor.Event {
  @Label("Bytes Reserved")
  @Description("Handed out when the collection was over; what it found is freed after that")
  @DataAmount
  long bytesReserved;

  @Label("Limit")
  @DataAmount
  long limit;

  @Label("Waiting")
  @Description("Threads that waited for it")
  int waiting;

  @Label("Took Place")
  @Description("False where explicit collections are off (-XX:+DisableExplicitGC)")
  boolean tookPlace;

  private ForcedCollectionEvent() {}

  static ForcedCollectionEvent started() {
    ForcedCollectionEvent event = new ForcedCollectionEvent();
    event.begin();
    return event;
  }

  @Override
  public void end(long reservedNow, long limitOfBudget, int inLine, boolean succeeded) {
    bytesReserved = reservedNow;
    limit = limitOfBudget;
    waiting = inLine;
    tookPlace = succeeded;
    commit();
  }
}
