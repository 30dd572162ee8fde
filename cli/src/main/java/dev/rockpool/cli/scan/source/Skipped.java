package dev.rockpool.cli.scan.source;

/**
 * What could not be read.
 *
 * @param name of the class, jar or folder
 * @param reason why
 */
public record Skipped(String name, String reason) {}
