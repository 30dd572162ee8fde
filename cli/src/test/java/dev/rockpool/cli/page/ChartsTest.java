package dev.rockpool.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ChartsTest {
  private static Document picture(String title, String xName, JsonObject... lines)
      throws Exception {
    List<String> labels = IntStream.rangeClosed(0, 64).mapToObj(Integer::toString).toList();
    String svg =
        Charts.svg(title, "some processor", Charts.of(labels, xName, "ns/op", List.of(lines)));
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  /** A line from the first label to the last; NaN is no point. */
  private static JsonObject line(String name, int color, double first, double last) {
    Double[] values = new Double[65];
    values[0] = Double.isNaN(first) ? null : Double.valueOf(first);
    values[64] = last;
    return Charts.series("line", name, Arrays.asList(values), color, color % 2);
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
  void isToScaleAndHasTitleAxesUnitsAndLegend() throws Exception {
    Document document =
        picture("A title", "bytes", line("jdk", 4, 20, 24), line("agent", 1, Double.NaN, 4));

    assertThat(all(document, "text", ""))
        .contains("A title", "some processor", "ns/op", "bytes", "jdk", "agent")
        .contains("0", "8", "64", "25")
        .doesNotContain("30", "63");
    // Up to 25 ns on 316 units from 400 up, 64 bytes on 800 from 60 on; the others are the legend.
    assertThat(all(document, "polyline", "points"))
        .contains("60.0,147.2 860.0,96.6", "860.0,349.4")
        .hasSize(4);
    assertThat(all(document, "polyline", "stroke")).contains("var(--color4)", "var(--color1)");
    assertThat(all(document, "polyline", "stroke-dasharray")).contains("none", "7 4");
  }

  @Test
  void labelsAreText() throws Exception {
    Document document = picture("<&>", "<bytes>", line("JDK <&>", 1, 0.1, 0.5));

    assertThat(all(document, "text", "")).contains("<&>", "<bytes>", "JDK <&>", "0.10");
  }
}
