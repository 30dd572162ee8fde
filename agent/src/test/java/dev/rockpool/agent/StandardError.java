package dev.rockpool.agent;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps the lines that a test prints on standard error. Tests register it as an extension. */
final class StandardError implements BeforeEachCallback, AfterEachCallback {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private PrintStream before;

  @Override
  public void beforeEach(ExtensionContext context) {
    before = System.err;
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    System.setErr(before);
  }

  /** Returns the lines printed so far. */
  List<String> lines() {
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
