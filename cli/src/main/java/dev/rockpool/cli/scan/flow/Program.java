package dev.rockpool.cli.scan.flow;

/** The classes that are looked at to understand another one. For one thread. */
public final class Program {
  private final Constants constants;
  private final Callees callees;

  /** The classes that {@code files} finds. */
  public Program(ClassLookup files) {
    Classes classes = new Classes(files);
    constants = new Constants(classes);
    callees = new Callees(classes, constants);
  }

  Constants constants() {
    return constants;
  }

  Callees callees() {
    return callees;
  }
}
