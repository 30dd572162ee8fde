package dev.rockpool.cli.report;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.groupingBy;

import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.recording.Inlining;
import dev.rockpool.cli.report.recording.Inlining.Call;
import java.util.List;
import java.util.Map;

/**
 * The calls that C2 refused in one method, for one reason.
 *
 * @param calls in the bytecode of the method and of those that were inlined into it
 * @param example one of them
 */
record NotInlined(String method, String reason, long calls, String example) {
  /** The number of rows; all calls are in the JSON. */
  private static final int ROWS = 20;

  private record Key(String method, String reason) {}

  /** Returns the methods with the most calls first. */
  static List<NotInlined> of(Map<Call, Long> calls) {
    return calls.keySet().stream()
        .collect(groupingBy(call -> new Key(call.method(), call.reason())))
        .entrySet()
        .stream()
        .map(
            each ->
                new NotInlined(
                    shown(each.getKey().method),
                    each.getKey().reason,
                    each.getValue().stream().mapToLong(calls::get).sum(),
                    each.getValue().stream()
                        .map(call -> shown(call.caller()) + " -> " + shown(call.callee()))
                        .sorted()
                        .findFirst()
                        .orElseThrow()))
        .sorted(
            comparingLong((NotInlined each) -> -each.calls)
                .thenComparing(NotInlined::method)
                .thenComparing(NotInlined::reason))
        .toList();
  }

  private static String shown(String method) {
    return method.substring(0, method.indexOf('('));
  }

  static void addTo(Page page, List<NotInlined> all) {
    if (all.isEmpty()) {
      page.paragraph("C2 refused no call of native memory at a limit.");
      return;
    }
    page.table(
        Table.each(all.subList(0, Math.min(ROWS, all.size())))
            .column("compiled method", NotInlined::method)
            .column("calls", each -> "at least " + Numbers.count(each.calls))
            .column("reason", NotInlined::reason)
            .column("for example", NotInlined::example)
            .words("Calls not inlined"));
    if (all.stream().anyMatch(each -> each.reason.equals(Inlining.TOO_DEEP))) {
      page.paragraph(
          "Too deep: C2 inlines 15 calls deep, counted from the method that it compiles."
              + " -XX:MaxInlineLevel=25 lets it inline deeper.");
    }
    if (all.stream().anyMatch(each -> !each.reason.equals(Inlining.TOO_DEEP))) {
      page.paragraph(
          "Too large: the compiled method, or code that it calls, is too large for C2 to go on"
              + " inlining. Split the compiled method into smaller ones; no JVM flag is known to"
              + " help.");
    }
  }
}
