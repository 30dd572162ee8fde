package dev.rockpool.agent;

import java.util.Map;

/** The agent as JMX shows it, under {@value #NAME}. */
public interface AgentMXBean {
  /** Where it is registered. */
  String NAME = "dev.rockpool:type=Agent";

  /**
   * Tells which agent that is.
   *
   * @return its version
   */
  String getVersion();

  /**
   * Tells what it was asked to do.
   *
   * @return the options in force, as they could have been given
   */
  String getOptions();

  /**
   * Counts the classes of the program that were rewritten.
   *
   * @return how many; those of the same name count once, among the first few thousand names
   */
  int getRewrittenClasses();

  /**
   * Counts the classes of the program that have something to rewrite, and stayed as they were.
   *
   * @return how many, by reason; those of the same name count once, among the first few thousand
   *     names
   */
  Map<String, Integer> getSkippedClasses();
}
