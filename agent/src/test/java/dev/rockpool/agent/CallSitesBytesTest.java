package dev.rockpool.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The changes in a class file, and that there are no others. */
class CallSitesBytesTest {
  @ParameterizedTest
  @EnumSource
  void nothingOutsideTheConstantPoolChanges(Shape shape) {
    for (Map.Entry<String, byte[]> each : withArenas(shape).entrySet()) {
      ConstantPoolEntries before = ConstantPoolEntries.of(each.getValue());
      ConstantPoolEntries after = ConstantPoolEntries.of(rewrite(each.getValue()));

      assertThat(after.version()).as(each.getKey()).isEqualTo(before.version());
      assertThat(after.rest()).as(each.getKey()).isEqualTo(before.rest());
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneEntryIsRedirectedInPlaceAndTwoAreAppended(Shape shape) {
    for (Map.Entry<String, byte[]> each : withArenas(shape).entrySet()) {
      List<String> before = ConstantPoolEntries.of(each.getValue()).entries();
      List<String> after = ConstantPoolEntries.of(rewrite(each.getValue())).entries();
      int end = before.size();

      List<Integer> changed = new ArrayList<>();
      for (int i = 0; i < end; i++) {
        if (!before.get(i).equals(after.get(i))) {
          changed.add(i);
        }
      }
      assertThat(changed).as(each.getKey()).hasSize(1);
      String arenas = before.get(changed.getFirst());
      String nameAndType = arenas.substring(6);
      assertThat(arenas).startsWith(ConstantPoolEntries.INTERFACE_METHOD);
      assertThat(after.get(changed.getFirst()))
          .isEqualTo(ConstantPoolEntries.METHOD + ConstantPoolEntries.index(end + 1) + nameAndType);
      assertThat(after.subList(end, after.size()))
          .containsExactly(utf8(Redirected.TARGET), "07" + ConstantPoolEntries.index(end));
    }
  }

  @ParameterizedTest
  @EnumSource
  void theOriginalIsNotWrittenTo(Shape shape) {
    for (Map.Entry<String, byte[]> each : withArenas(shape).entrySet()) {
      byte[] original = each.getValue().clone();

      rewrite(each.getValue());

      assertThat(each.getValue()).as(each.getKey()).isEqualTo(original);
    }
  }

  private static Map<String, byte[]> withArenas(Shape shape) {
    Map<String, byte[]> classes = Sources.compile(Sources.RELEASE, shape.source());
    classes.values().removeIf(bytes -> Redirected.rewrite(bytes) == null);
    assertThat(classes).isNotEmpty();
    return classes;
  }

  private static byte[] rewrite(byte[] classFile) {
    return Redirected.rewrite(classFile).bytes();
  }

  private static String utf8(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return "01" + ConstantPoolEntries.index(bytes.length) + HexFormat.of().formatHex(bytes);
  }
}
