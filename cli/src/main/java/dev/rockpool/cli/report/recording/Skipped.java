package dev.rockpool.cli.report.recording;

import java.nio.file.Path;

/** A file that added nothing, and why. */
public record Skipped(Path file, String reason) {}
