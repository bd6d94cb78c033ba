package dev.vigil.gateway.northbound.influx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LineProtocolTest {
  @Test
  void aPointHasTagsFieldsAndATime() {
    assertThat(
            new LineProtocol()
                .point("vigil")
                .tag("d", "lab")
                .tag("unit", null)
                .field("value", 21.5)
                .field("seq", 7L)
                .field("on", true)
                .end(1_700_000_000_000_000_000L)
                .toString())
        .isEqualTo("vigil,d=lab value=21.5,seq=7i,on=true 1700000000000000000\n");
  }

  @Test
  void namesCannotEndTheirPlace() {
    assertThat(
            new LineProtocol()
                .point("a b,c=d")
                .tag("ep", "x,y=z \\")
                .tag("n", "two\nlines")
                .field("text", "say \"hi\" \\ \n")
                .end(0)
                .toString())
        .isEqualTo(
            "a\\ b\\,c=d,ep=x\\,y\\=z\\ %5C,n=two%0Alines text=\"say \\\"hi\\\" \\\\ %0A\" 0\n");
  }

  /** Two third-party parsers also read the line: gateway/e2e/test_line_protocol.py. */
  @Test
  void noTextEndsItsLine() throws IOException {
    String breaks = "\n\r\u000b\u000c\u001c\u0085\u2028\u2029";
    String line =
        new LineProtocol()
            .point("vigil")
            .tag("name", "a" + breaks + "b")
            .field("text", "x" + breaks + "vigil,ep=other value=1 1" + breaks)
            .field("value", 21.5)
            .end(1_700_000_000_000_000_000L)
            .toString();
    assertThat(line).isEqualTo(Files.readString(Path.of("src/test/resources/line-protocol.txt")));
  }
}
