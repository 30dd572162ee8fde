package dev.rockpool.agent;

import java.util.List;
import java.util.Map;

/** The JMX view of the agent, under {@value #NAME}. */
public interface AgentMXBean {
  /** The object name. */
  String NAME = "dev.rockpool:type=Agent";

  /**
   * Returns the agent's version.
   *
   * @return the version
   */
  String getVersion();

  /**
   * Returns the options in force.
   *
   * @return the options as the user could write them
   */
  String getOptions();

  /**
   * Returns the number of rewritten classes of the program.
   *
   * @return a number; among the first few thousand names, classes of the same name count once
   */
  int getRewrittenClasses();

  /**
   * Returns the number of classes of the program that have call sites but were not rewritten.
   *
   * @return numbers by reason; among the first few thousand names, classes of the same name count
   *     once
   */
  Map<String, Integer> getSkippedClasses();

  /**
   * Returns the limit of native memory, option {@code limit}.
   *
   * @return bytes; 0 without a limit
   */
  long getLimit();

  /**
   * Returns the native memory that counts against the limit, or that option {@code count} counts.
   *
   * @return bytes
   */
  long getLimitInUse();

  /**
   * Returns the most bytes that were in use at once, since {@link #watch} was called last.
   *
   * @return bytes
   */
  long getLimitHighest();

  /**
   * Returns the number of requests beyond the limit: refused ones, or with {@code
   * limit.action=warn} those that passed.
   *
   * @return a number
   */
  long getLimitRefused();

  /**
   * Returns the same, by what holds it: {@code confined}, {@code shared}, {@code automatic} and
   * {@code global} arenas, {@code direct} buffers, {@code unsafe}, {@code malloc} and the {@code
   * pool}.
   *
   * @return bytes by kind
   */
  Map<String, Long> getLimitInUseByKind();

  /**
   * Changes the limit of native memory, until the JVM ends or it is changed again.
   *
   * @param limit a number of bytes, with suffix k, m or g if you like, or a share of the
   *     container's memory as in {@code 25%}
   * @return the limit in bytes
   * @throws IllegalStateException if the agent has no limit
   * @throws IllegalArgumentException if the text is no limit, or less than what is in use; then
   *     nothing has changed
   */
  long changeLimit(String limit);

  /**
   * Returns the lines of the program that hold most of that memory; an operation, because they
   * change, and each would be another series of a monitoring system that reads attributes.
   *
   * @param most how many lines at most
   * @return bytes by kind and line, as in {@code "direct com.acme.Orders.load:24"}
   */
  Map<String, Long> largestSites(int most);

  /**
   * Returns the lines of the program that made most of the open objects which own C memory.
   *
   * @param most how many lines at most
   * @return numbers of objects by class and line, as in {@code "java.util.zip.Deflater at
   *     com.acme.Sessions.open:20"}; empty without options limit and count
   */
  Map<String, Long> openOwners(int most);

  /**
   * Returns the memory that Rockpool itself takes: {@code blocks} of native memory that its pool
   * keeps and no arena uses, and {@code tables} on the heap, of sites, and of memory that is known
   * by its address. Not the wrappers of open arenas, classes, and the stacks of its threads.
   *
   * @return bytes by part
   */
  Map<String, Long> getSelf();

  /**
   * Returns the resident set of the process.
   *
   * @return bytes; 0 where the system has no {@code /proc/self/status}
   */
  long getResident();

  /**
   * Returns the most that may be resident, option {@code limit.process}.
   *
   * @return bytes; 0 without such a bound
   */
  long getProcessBound();

  /**
   * Returns the file to which evidence goes.
   *
   * @return its name; empty if there is none
   */
  String getEvidence();

  /**
   * Returns the memory of the container, or without one of the machine.
   *
   * @return bytes; 0 without module {@code jdk.management}
   */
  long getMemory();

  /**
   * Has {@code LimitHighest} start anew, to know the most of a part of the run, and has the lines
   * noted that hold memory when more than so many bytes are first in use.
   *
   * @param byteSize a number of bytes
   */
  void watch(long byteSize);

  /**
   * Returns the lines that were noted since {@link #watch} was called last.
   *
   * @return bytes, as in {@link #largestSites}; empty if no more bytes were in use
   */
  Map<String, Long> watchedSites();

  /**
   * Returns the names of rewritten classes; an operation, because a program may have many.
   *
   * @return the first few thousand binary names, sorted
   */
  List<String> rewrittenNames();

  /**
   * Returns the names of classes that have call sites but were not rewritten.
   *
   * @return for each reason the first few thousand binary names, sorted
   */
  Map<String, List<String>> skippedNames();
}
