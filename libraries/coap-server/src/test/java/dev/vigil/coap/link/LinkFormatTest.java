package dev.vigil.coap.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkFormatTest {
  private static final LinkFormat.Limits LIMITS = LinkFormat.Limits.STANDARD;

  @ParameterizedTest
  @ValueSource(
      strings = {
        // The examples of RFC 6690 section 5, in the same order.
        "</sensors>;ct=40",
        "</sensors/temp>;if=\"sensor\",</sensors/light>;if=\"sensor\"",
        "</sensors>;ct=40;title=\"Sensor Index\",</sensors/temp>;rt=\"temperature-c\";if=\"sensor\","
            + "</sensors/light>;rt=\"light-lux\";if=\"sensor\","
            + "<http://www.example.com/sensors/t123>;anchor=\"/sensors/temp\";rel=\"describedby\","
            + "</t>;anchor=\"/sensors/temp\";rel=\"alternate\"",
        "</firmware/v2.1>;rt=\"firmware\";sz=262144",
        // Documents that must be written exactly as they were read.
        "</a>;obs;rt=a;rt=b;obs",
        "</a>;title=\"a \\\"quoted\\\" \\\\ word\"",
        "</temperature/Malmö>;rel=live-environment-data",
        "</a>;title*=UTF-8''%e2%82%ac",
        "<>;anchor=\"\";rel=\"\"",
        "<coap://[2001:db8::1]:61616/a?b=c;d,e#f>;ct=\"40 60\""
      })
  void writesWhatItRead(String document) {
    assertThat(LinkFormat.write(LinkFormat.parse(document, LIMITS))).isEqualTo(document);
  }

  @Test
  void anEmptyDocumentHasNoLinks() {
    assertThat(LinkFormat.parse(new byte[0], LIMITS)).isEmpty();
    assertThat(LinkFormat.write(List.of())).isEmpty();
  }

  @Test
  void unescapesQuotedValues() {
    Link link = LinkFormat.parse("</a>;title=\"x\\\"\\\\y\\z\"", LIMITS).getFirst();
    assertThat(link.attribute("title")).contains("x\"\\yz");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a",
        "</a",
        "</a>,",
        ",</a>",
        "</a>;",
        "</a>;=x",
        "</a>;rt=",
        "</a>;rt=\"x",
        "</a>;rt=\"x\\",
        "</a>;rt=x y",
        "</a>;rt=\"x\"y",
        "</a> ;rt=x",
        "</a>, </b>",
        "</a b>",
        "</a<b>",
        "</a>;rt=\"\u0001\"",
        "</a>;r(t=x"
      })
  void rejectsMalformedDocuments(String document) {
    assertThatThrownBy(() -> LinkFormat.parse(document, LIMITS))
        .isInstanceOf(LinkFormatException.class)
        .hasMessageContaining("at character");
  }

  @Test
  void rejectsDocumentsThatAreNotUtf8() {
    byte[] latin1 = "</Malmö>".getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> LinkFormat.parse(latin1, LIMITS))
        .isInstanceOf(LinkFormatException.class);
  }

  @Test
  void rejectsDocumentsBeyondItsLimits() {
    LinkFormat.Limits limits = new LinkFormat.Limits(20, 2, 1);
    assertThat(LinkFormat.parse("</a>;x,</b>".getBytes(StandardCharsets.UTF_8), limits)).hasSize(2);
    for (String beyond : List.of("</a>,</b>,</c>", "</a>;x;y", "</aaaaaaaaaaaaaaaaaa>")) {
      assertThatThrownBy(() -> LinkFormat.parse(beyond.getBytes(StandardCharsets.UTF_8), limits))
          .isInstanceOf(LinkFormatException.class)
          .hasMessageContaining("more than");
    }
  }

  @Test
  void readsBackRandomLinks() {
    Random random = new Random(6690);
    for (int round = 0; round < 2000; round++) {
      List<Link> links = randomLinks(random);
      assertThat(LinkFormat.parse(LinkFormat.write(links), LIMITS)).isEqualTo(links);
    }
  }

  @Test
  void reportsTheLengthOfALinkBeforeItIsWritten() {
    for (String document : List.of("</a>", "<coap://h/a>;rt=\"x y\";obs;if=b;anchor=\"/c\"")) {
      Link link = LinkFormat.parse(document, LinkFormat.Limits.NONE).getFirst();
      assertThat(LinkFormat.length(link))
          .isBetween(document.length() + 1, document.length() + 1 + 3 * link.attributes().size());
    }
  }

  @Test
  void writesLargeDocumentsInPiecesAsInOne() {
    List<Link> links = new ArrayList<>();
    for (int number = 0; number < 2000; number++) {
      links.add(Link.to("/s/" + number).with("title", "\u20ac \ud83c\udf21 " + number));
    }
    for (int count : List.of(0, 1, 2, links.size())) {
      List<Link> some = links.subList(0, count);
      assertThat(LinkFormat.writeOctets(some))
          .isEqualTo(LinkFormat.write(some).getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void readsOrRejectsRandomText() {
    Random random = new Random(9176);
    String alphabet = "<>;,=\"\\/ab\u00f6";
    int read = 0;
    for (int round = 0; round < 50_000; round++) {
      StringBuilder text = new StringBuilder("</");
      for (int i = random.nextInt(12); i > 0; i--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      try {
        List<Link> links =
            LinkFormat.parse(text.toString().getBytes(StandardCharsets.UTF_8), LIMITS);
        assertThat(LinkFormat.parse(LinkFormat.write(links), LIMITS)).isEqualTo(links);
        read++;
      } catch (LinkFormatException e) {
        assertThat(e.getMessage()).startsWith("link format: ");
      }
    }
    assertThat(read).isPositive();
  }

  private static List<Link> randomLinks(Random random) {
    List<Link> links = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      List<Link.Attribute> attributes = new ArrayList<>();
      for (int j = random.nextInt(4); j > 0; j--) {
        attributes.add(
            switch (random.nextInt(3)) {
              case 0 -> new Link.Attribute("obs", null, false);
              case 1 -> new Link.Attribute("rt", "t" + random.nextInt(), false);
              default -> new Link.Attribute("title", text(random), true);
            });
      }
      links.add(new Link("/" + random.nextInt(100), attributes));
    }
    return links;
  }

  private static String text(Random random) {
    String alphabet = " ,;<>\"\\=a\u00f6\u20ac";
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }
}
