package dev.rockpool.cli.scan.flow;

/** The classes that are looked at to understand another one. For one thread. */
public final class Program {
  private final Constants constants;
  private final Callees callees;

  /** The classes that {@code classes} finds. */
  public Program(ClassLookup classes) {
    constants = new Constants(classes);
    callees = new Callees(constants);
  }

  Constants constants() {
    return constants;
  }

  Callees callees() {
    return callees;
  }
}
