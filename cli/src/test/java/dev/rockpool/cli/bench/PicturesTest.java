package dev.rockpool.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class PicturesTest {
  private static final List<Result> RESULTS =
      List.of(
          Samples.sweep(Mode.PLATFORM, 20, "A.jdk", "0"),
          Samples.sweep(Mode.PLATFORM, 24, "A.jdk", "64"),
          Samples.sweep(Mode.PLATFORM, 2, "A.rockpool", "0"),
          Samples.sweep(Mode.PLATFORM, 3, "A.rockpool", "64"),
          Samples.sweep(Mode.AGENT, 4, "A.jdk", "64"),
          Samples.sweep(Mode.VIRTUAL, 21, "A.jdk", "0"),
          Samples.result(Samples.OLD, 1, 1, "A.jdk", "8"));

  private static Map<String, LinePicture> pictures(List<Result> results) {
    return Pictures.sweeps(Comparison.of(results), "some processor");
  }

  private static Document parse(LinePicture picture) throws Exception {
    return DocumentBuilderFactory.newInstance()
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
  void sweepHasAPictureForEachKindOfThread() {
    assertThat(pictures(RESULTS)).containsOnlyKeys("sweep.svg", "sweep-virtual.svg");
    assertThat(pictures(List.of())).isEmpty();
  }

  @Test
  void pictureIsToScaleAndHasTitleAxesUnitsAndLegend() throws Exception {
    Document document = parse(pictures(RESULTS).get("sweep.svg"));

    assertThat(all(document, "text", ""))
        .contains("One allocation in one arena, on a platform thread", "some processor")
        .contains("ns/op", "size (bytes)", "0", "64", "25", "jdk, JDK 25", "agent, JDK 25")
        .doesNotContain("30", "72");
    // Up to 25 ns on 316 units from 400 up, 64 bytes on 800 from 60 on; the others are the legend.
    assertThat(all(document, "polyline", "points"))
        .contains("60.0,147.2 860.0,96.6", "60.0,374.7 860.0,362.1", "860.0,349.4")
        .hasSize(6);
    assertThat(all(document, "polyline", "class")).contains("line agent", "line jdk");
  }

  @Test
  void labelsAreText() throws Exception {
    Jvm odd = new Jvm(Path.of("/odd"), "JDK <&>", "25", "nobody", "none");
    Result result = Result.of(odd, Mode.PLATFORM, true, Samples.json(0.5, -1, "A.jdk", "1"));

    Document document = parse(pictures(List.of(result)).get("sweep.svg"));

    assertThat(all(document, "text", "")).contains("jdk, JDK <&>", "0.10");
  }
}
