package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class SweepPictureTest {
  private static final List<Result> RESULTS =
      List.of(
          Samples.sweep(20, "A.jdk", "0"),
          Samples.sweep(24, "A.jdk", "64"),
          Samples.sweep(2, "A.rockpool", "0"),
          Samples.sweep(3, "A.rockpool", "64"),
          Samples.sweep(4, "A.UnderAgent.jdk", "64"),
          Samples.sweep(21, "A.OfVirtual.jdk", "0"),
          Samples.result(Samples.OLD, 1, 1, "A.jdk", "size", "8"));

  private static List<SweepPicture> pictures() {
    return SweepPicture.of(Samples.report(RESULTS));
  }

  private static Document parse(SweepPicture picture) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    return factory
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(picture.svg().getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> all(Document document, String element, String attribute) {
    NodeList nodes = document.getElementsByTagName(element);
    return IntStream.range(0, nodes.getLength())
        .mapToObj(nodes::item)
        .map(Element.class::cast)
        .map(node -> attribute.isEmpty() ? node.getTextContent() : node.getAttribute(attribute))
        .toList();
  }

  @Test
  void thereIsOneForEachKindOfThread() {
    assertThat(pictures())
        .extracting(SweepPicture::fileName)
        .containsExactly("sweep.svg", "sweep-virtual.svg");
    assertThat(SweepPicture.of(Samples.report(List.of()))).isEmpty();
  }

  @Test
  void hasTitleAxesUnitsAndLegend() throws Exception {
    Document document = parse(pictures().getFirst());

    assertThat(all(document, "text", ""))
        .contains(
            "One allocation in one arena, on a platform thread",
            "some processor, Linux, 2026-01-02",
            "ns/op",
            "size (bytes)",
            "0",
            "64",
            "25",
            "jdk, JDK 25",
            "agent, JDK 25",
            "rockpool, JDK 25")
        .doesNotContain("30");
  }

  @Test
  void drawsEachContestantToScale() throws Exception {
    Document document = parse(pictures().getFirst());

    // Up to 25 ns on 316 units from 400 up, 64 bytes on 810 from 50 on; the others are the legend.
    assertThat(all(document, "polyline", "points"))
        .contains("50.0,147.2 860.0,96.6", "50.0,374.7 860.0,362.1", "860.0,349.4")
        .hasSize(6);
    assertThat(all(document, "polyline", "class")).contains("line agent", "line jdk");
  }

  @Test
  void labelsAreText() throws Exception {
    Jvm odd = new Jvm(Samples.OLD.home(), "JDK <&>", "25", "nobody", "none");
    Result result =
        new Result(
            odd,
            Result.Part.SWEEP,
            Samples.id("A.jdk", "size", "1"),
            Score.of(0.5),
            Score.of(0),
            "");

    Document document = parse(SweepPicture.of(Samples.report(List.of(result))).getFirst());

    assertThat(all(document, "text", "")).contains("jdk, JDK <&>", "0.10");
  }
}
