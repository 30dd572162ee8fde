package dev.rockpool.cli.report;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.groupingBy;

import dev.rockpool.cli.page.Page;
import dev.rockpool.cli.page.Table;
import dev.rockpool.cli.report.recording.Inlining;
import dev.rockpool.cli.report.recording.Inlining.Call;
import java.util.List;

/** The calls that C2 refused in one method for one reason. */
record NotInlined(String method, String reason, List<Call> calls) {
  static List<NotInlined> of(List<Call> calls) {
    return calls.stream()
        .sorted(comparing(Call::toString))
        .collect(groupingBy(call -> List.of(shown(call.method()), call.reason())))
        .entrySet()
        .stream()
        .map(each -> new NotInlined(each.getKey().get(0), each.getKey().get(1), each.getValue()))
        .sorted(
            comparingInt((NotInlined each) -> -each.calls.size())
                .thenComparing(each -> each.method))
        .toList();
  }

  private static String shown(String method) {
    return method.substring(0, method.indexOf('('));
  }

  String example() {
    return shown(calls.getFirst().caller()) + " -> " + shown(calls.getFirst().callee());
  }

  static void addTo(Page page, List<NotInlined> all) {
    if (all.isEmpty()) {
      page.paragraph("C2 refused no call of native memory at a limit.");
      return;
    }
    page.table(
        Table.first(all)
            .column("compiled method", NotInlined::method)
            .column("calls", each -> "at least " + Numbers.count(each.calls.size()))
            .column("reason", NotInlined::reason)
            .column("for example", NotInlined::example)
            .words(""));
    if (all.stream().anyMatch(each -> each.reason.equals(Inlining.TOO_DEEP))) {
      page.paragraph(
          "Too deep: by default, C2 inlines 15 calls deep, counted from the method that it"
              + " compiles. -XX:MaxInlineLevel=25 lets it inline deeper.");
    }
    if (all.stream().anyMatch(each -> !each.reason.equals(Inlining.TOO_DEEP))) {
      page.paragraph(
          "Too large: the compiled method, or code that it calls, is too large for C2 to go on"
              + " inlining. Split the compiled method into smaller ones; no JVM flag is known to"
              + " help.");
    }
  }
}
