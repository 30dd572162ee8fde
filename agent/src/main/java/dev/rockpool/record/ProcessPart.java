package dev.rockpool.record;

/** A part of the process's memory, as the system and the JVM tell it. */
enum ProcessPart {
  HEAP("Java heap"),
  CLASSES("JVM: classes"),
  CODE("JVM: compiled code"),
  STACKS("JVM: thread stacks"),
  COLLECTOR("JVM: collector"),
  OTHER_JVM("JVM: other mappings"),
  LIBRARIES("files: libraries and jars"),
  MAPPED("files: mapped"),
  MALLOC("malloc heap"),
  MAPS("anonymous mappings");

  /** The name in events. */
  final String text;

  ProcessPart(String text) {
    this.text = text;
  }
}
