package dev.rockpool.cli.bench;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What JMH measures at a time: a benchmark with a value for each of its parameters.
 *
 * <p>The names follow a rule, which {@code bench} keeps: {@code
 * PACKAGE.Workload[.Conditions].contestant}, where conditions are another kind of JVM. {@code jdk}
 * under the agent counts as a contestant of its own, {@code agent}, to be compared with {@code jdk}
 * without it.
 *
 * @param name the name of the benchmark without its package
 * @param parameters names and values
 */
record BenchmarkId(String name, SortedMap<String, String> parameters) {
  /** The contestant that the others are compared with. */
  static final String JDK = "jdk";

  /** What {@link #JDK} becomes with the agent. */
  static final String AGENT = "agent";

  private static final String UNDER_AGENT = "UnderAgent";

  BenchmarkId {
    parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
  }

  /** The benchmark that JMH calls {@code qualifiedName}. */
  static BenchmarkId of(String qualifiedName, Map<String, String> parameters) {
    return new BenchmarkId(withoutPackage(qualifiedName), new TreeMap<>(parameters));
  }

  /** Packages begin with a small letter, and classes do not. */
  private static String withoutPackage(String qualifiedName) {
    String rest = qualifiedName;
    while (rest.indexOf('.') > 0 && Character.isLowerCase(rest.charAt(0))) {
      rest = rest.substring(rest.indexOf('.') + 1);
    }
    return rest;
  }

  /** What is done: the name of a class. */
  String workload() {
    return name.substring(0, Math.max(name.indexOf('.'), 0));
  }

  /** In what kind of JVM, or empty for the usual one. */
  String conditions() {
    String nested = nested();
    return nested.equals(UNDER_AGENT) ? "" : nested;
  }

  /** By whom: the name of a method. */
  String contestant() {
    String method = name.substring(name.lastIndexOf('.') + 1);
    if (!nested().equals(UNDER_AGENT)) {
      return method;
    }
    return method.equals(JDK) ? AGENT : AGENT + " + " + method;
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
