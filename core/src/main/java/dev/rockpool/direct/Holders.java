package dev.rockpool.direct;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The holders of one {@link DirectMemory} that have a name. */
final class Holders {
  /** Holders that have a number to themselves; all others of a kind share one. */
  static final int MOST = 4000;

  /** Room for those, and for the others of some kinds. */
  static final int CAPACITY = MOST + 32;

  private static final String OTHERS = "(others)";

  /** Holders that a message names. */
  private static final int NAMED = 3;

  private final DirectMemory memory;

  /** By number. */
  private final List<Holder> all = new CopyOnWriteArrayList<>();

  /** By kind and name; guarded by this map. */
  private final Map<String, Integer> numbers = new HashMap<>();

  Holders(DirectMemory memory) {
    this.memory = memory;
  }

  /** Returns the number of a holder; equal for equal arguments. */
  int number(String kind, String name) {
    synchronized (numbers) {
      Integer known = numbers.get(kind.concat(name));
      if (known != null) {
        return known;
      }
      if (all.size() >= MOST && !name.equals(OTHERS)) {
        return number(kind, OTHERS);
      }
      all.add(new Holder(memory, kind, name));
      numbers.put(kind.concat(name), all.size() - 1);
      return all.size() - 1;
    }
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  Holder get(int number) {
    return all.get(number);
  }

  /** Returns the bytes that each kind of holders has. */
  Map<String, Long> bytesByKind() {
    Map<String, Long> bytes = new TreeMap<>();
    for (Holder each : all) {
      Long before = bytes.getOrDefault(each.kind, 0L);
      bytes.put(each.kind, before + each.bytes());
    }
    return bytes;
  }

  /** Returns the holders that have most, each with its kind and bytes; empty if there are none. */
  String largest() {
    Map<Holder, Long> bytes = new HashMap<>(); // read once, because they change
    for (Holder each : all) {
      bytes.put(each, each.bytes());
    }
    List<Map.Entry<Holder, Long>> sorted = new ArrayList<>(bytes.entrySet());
    sorted.sort(Map.Entry.comparingByValue(Comparator.reverseOrder()));
    StringBuilder text = new StringBuilder();
    for (Map.Entry<Holder, Long> each : sorted.subList(0, Math.min(NAMED, sorted.size()))) {
      if (each.getValue() > 0) {
        text.append(text.isEmpty() ? "" : ", ").append(each.getKey().name);
        text.append(" (").append(each.getKey().kind).append(", ");
        text.append(each.getValue()).append(" bytes)");
      }
    }
    return text.toString();
  }
}
