package dev.rockpool.cli.bench;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What JMH measures at a time: a benchmark with a value for each of its parameters.
 *
 * <p>The names follow a rule, which {@code bench} keeps: {@code
 * PACKAGE.Workload[.Conditions].contestant}, where conditions are another kind of JVM or thread.
 * Where they end in a {@link Way}, one contestant is measured in yet another kind of JVM, to be
 * compared with the others as if it were in theirs: {@code Workload.UnderAgent.jdk} is the
 * contestant {@code agent} beside {@code Workload.jdk}, and {@code
 * Workload.OfVirtualUnderAgent.jdk} is that beside {@code Workload.OfVirtual.jdk}.
 *
 * <p>Benchmarks named by a proposal for the JDK have methods that begin with the name of their
 * contestant there: {@code confined} is {@code jdk}, {@code pooled} is {@code ownPool}, and so on;
 * what follows in the name of the method is part of the workload.
 *
 * @param name the name of the benchmark without its package
 * @param parameters names and values
 */
record BenchmarkId(String name, SortedMap<String, String> parameters) {
  /** The contestant that the others are compared with. */
  static final String JDK = "jdk";

  /** What {@link #JDK} becomes with the agent. */
  static final String AGENT = "agent";

  static final String ROCKPOOL = "rockpool";

  /** What {@link #ROCKPOOL} becomes where java.lang is open to it. */
  static final String OPENED = "opened";

  static final String OWN_POOL = "ownPool";

  /** How methods named by a proposal begin, and which contestant that is. */
  private static final Map<String, String> PROPOSED =
      Map.of(
          "confined", JDK,
          "pooled", OWN_POOL,
          "circle_", JDK,
          "explicitAllocation", JDK,
          "tlAllocation", OWN_POOL,
          "adaptedSysCall", ROCKPOOL,
          "captureStateUtil", "captureStateUtil",
          "preallocated", "preallocated");

  private static final Pattern PROPOSED_METHOD =
      Pattern.compile("(" + String.join("|", PROPOSED.keySet()) + ")(\\w*)");

  /** How a contestant differs from those that it is compared with. */
  private enum Way {
    UNDER_AGENT("UnderAgent", JDK, AGENT),
    OPENED("Opened", ROCKPOOL, BenchmarkId.OPENED),
    SAME("", "", "");

    private final String suffix;
    private final String subject;
    private final String contestant;

    /**
     * A way.
     *
     * @param suffix how the names of conditions end
     * @param subject whom it is about
     * @param contestant what that one is called
     */
    Way(String suffix, String subject, String contestant) {
      this.suffix = suffix;
      this.subject = subject;
      this.contestant = contestant;
    }

    static Way of(String nested) {
      return Stream.of(values())
          .filter(way -> nested.endsWith(way.suffix))
          .findFirst()
          .orElse(SAME);
    }

    String conditions(String nested) {
      return nested.substring(0, nested.length() - suffix.length());
    }

    String contestant(String other) {
      if (this == SAME) {
        return other;
      }
      return other.equals(subject) ? contestant : contestant + " + " + other;
    }
  }

  BenchmarkId {
    parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
  }

  /** The benchmark that JMH calls {@code qualifiedName}. */
  static BenchmarkId of(String qualifiedName, Map<String, String> parameters) {
    return new BenchmarkId(withoutPackage(qualifiedName), new TreeMap<>(parameters));
  }

  /** Packages begin with a small letter, and classes do not. */
  static String withoutPackage(String qualifiedName) {
    String rest = qualifiedName;
    while (rest.indexOf('.') > 0 && Character.isLowerCase(rest.charAt(0))) {
      rest = rest.substring(rest.indexOf('.') + 1);
    }
    return rest;
  }

  /** What is done: the name of a class. */
  String workload() {
    String type = name.substring(0, Math.max(name.indexOf('.'), 0));
    Matcher proposed = PROPOSED_METHOD.matcher(method());
    return proposed.matches() ? (type + " " + proposed.group(2)).strip() : type;
  }

  /** In what kind of JVM and on what kind of thread, or empty for the usual ones. */
  String conditions() {
    return Way.of(nested()).conditions(nested());
  }

  /** By whom: the name of a method. */
  String contestant() {
    Matcher proposed = PROPOSED_METHOD.matcher(method());
    String role =
        proposed.matches() ? PROPOSED.getOrDefault(proposed.group(1), method()) : method();
    return Way.of(nested()).contestant(role);
  }

  private String method() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private String nested() {
    int start = name.indexOf('.');
    int end = name.lastIndexOf('.');
    return start < end ? name.substring(start + 1, end) : "";
  }

  /** The parameters in one line, such as {@code size=5}. */
  String parameterText() {
    return parameters.entrySet().stream().map(Object::toString).collect(Collectors.joining(" "));
  }

  @Override
  public String toString() {
    return parameters.isEmpty() ? name : name + " " + parameterText();
  }
}
