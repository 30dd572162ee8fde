package dev.rockpool.cli.report.recording;

import java.nio.file.Path;

/** A file of which all or some was not added, and why. */
public record Skipped(Path file, String reason) {}
