package dev.vigil.gateway.evaluate.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PlotTest {
  private static final List<Plot.Point> POINTS =
      List.of(new Plot.Point(1000, 20), new Plot.Point(10_000, 200), new Plot.Point(100_000, 2000));

  private static Plot plot(Plot.Scale scale, int lines) {
    return new Plot(
        "plot.svg",
        "Growth & <size>",
        "endpoints",
        "us",
        scale,
        IntStream.range(0, lines).mapToObj(i -> new Plot.Line("line " + i, POINTS)).toList());
  }

  private static Document parsed(Plot plot) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(plot.svg())));
  }

  private static List<String> texts(Document svg) {
    NodeList texts = svg.getElementsByTagName("text");
    return IntStream.range(0, texts.getLength())
        .mapToObj(i -> texts.item(i).getTextContent())
        .toList();
  }

  /** The corners of a line, as x and y in turn. */
  private static double[] corners(Document svg) {
    NodeList paths = svg.getElementsByTagName("path");
    return IntStream.range(0, paths.getLength())
        .mapToObj(i -> (Element) paths.item(i))
        .filter(path -> path.getAttribute("fill").equals("none"))
        .findFirst()
        .map(path -> path.getAttribute("d").substring(1).split("[ L]+"))
        .map(words -> List.of(words).stream().mapToDouble(Double::parseDouble).toArray())
        .orElseThrow();
  }

  @Test
  void equalFactorsAreEqualDistancesOnLogarithmicAxes() throws Exception {
    double[] xy = corners(parsed(plot(Plot.Scale.LOGARITHMIC, 1)));
    assertThat(xy).hasSize(6);
    assertThat(xy[2] - xy[0]).isCloseTo(xy[4] - xy[2], org.assertj.core.data.Offset.offset(0.2));
    assertThat(xy[1] - xy[3]).isCloseTo(xy[3] - xy[5], org.assertj.core.data.Offset.offset(0.2));
  }

  @Test
  void aLogarithmicAxisHasATickAtEachPowerOfTen() throws Exception {
    assertThat(texts(parsed(plot(Plot.Scale.LOGARITHMIC, 1))))
        .containsSubsequence("10", "100", "1000", "10000")
        .containsSubsequence("1000", "10000", "100000");
  }

  @Test
  void aLinearAxisBeginsAtZero() throws Exception {
    assertThat(texts(parsed(plot(Plot.Scale.LINEAR, 1)))).contains("0", "100000");
  }

  @Test
  void everyLineOfTheLegendIsInsideThePicture() throws Exception {
    Document svg = parsed(plot(Plot.Scale.LOGARITHMIC, 9));
    double height =
        Double.parseDouble(svg.getDocumentElement().getAttribute("viewBox").split(" ")[3]);
    NodeList texts = svg.getElementsByTagName("text");
    for (int i = 0; i < texts.getLength(); i++) {
      assertThat(Double.parseDouble(((Element) texts.item(i)).getAttribute("y")))
          .isLessThan(height);
    }
    assertThat(texts(svg)).contains("line 8", "Growth & <size>");
  }
}
