package dev.rockpool.record;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** An event that is written at the end of each chunk, if its class says nothing else. */
@Category("Rockpool")
@Period("endChunk")
@StackTrace(false)
abstract class RecordedEvent extends Event {}
