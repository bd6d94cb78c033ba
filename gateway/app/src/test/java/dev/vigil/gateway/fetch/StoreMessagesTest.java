package dev.vigil.gateway.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.signed.SignedObjectException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The requests and answers of docs/protocol.md section 12. */
class StoreMessagesTest {
  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private static String example(String name) throws IOException {
    String document = Files.readString(Path.of("../..", "docs", "protocol.md"));
    Matcher block =
        Pattern.compile("<!-- example: " + name + " -->\\n```\\n(\\w+)\\n```").matcher(document);
    assertThat(block.find()).isTrue();
    return block.group(1);
  }

  @Test
  void requestsAndAnswersMatchTheDocument() throws IOException {
    assertThat(HexFormat.of().formatHex(Burst.request(1_800_000_005, 1_800_000_006, 0)))
        .isEqualTo(example("store-request"));
    assertThat(Burst.parse(hex(example("store-answer"))).blocks()).containsExactly(5L, 6L);
    assertThat(HexFormat.of().formatHex(Burst.request(new TreeSet<>(List.of(4L, 6L, 8L)))))
        .isEqualTo(example("store-repeat"));
    assertThat(Rekeyed.parse(hex(example("store-rekeyed")))).isEqualTo(new Rekeyed(32, 5));
  }

  @Test
  void aBurstMayHaveDamagedBlocksAndASuccessor() {
    Burst burst = Burst.parse(hex("a40218210418" + "ff" + "0501061841"));
    assertThat(burst.blocks()).hasSize(8).startsWith(33L).endsWith(40L);
    assertThat(burst.damaged()).containsExactly(33L);
    assertThat(burst.next()).isEqualTo(65);
    assertThat(Burst.parse(hex("a0")).blocks()).isEmpty();
    assertThat(Burst.parse(hex("a20201041affffffff")).blocks()).hasSize(32);
  }

  @Test
  void theRequestOfALaterBurstNamesItsFirstBlock() {
    assertThat(HexFormat.of().formatHex(Burst.request(1, 2, 33))).isEqualTo("a300010102021821");
  }

  @Test
  void infoNamesModeNewestBlockAndSensors() {
    StoreInfo info = StoreInfo.parse(hex("a50061440118360201030504" + "82646c6f6164612f"));
    assertThat(info).isEqualTo(new StoreInfo("D", 5, List.of(new StoreInfo.Sensor("load", "/"))));
  }

  @Test
  void malformedAnswersAreRefused() {
    for (String wrong : List.of("", "80", "a102", "a0ff", "a10261aa")) {
      assertThatThrownBy(() -> Burst.parse(hex(wrong))).isInstanceOf(SignedObjectException.class);
      assertThatThrownBy(() -> Rekeyed.parse(hex(wrong))).isInstanceOf(SignedObjectException.class);
    }
    assertThatThrownBy(() -> StoreInfo.parse(hex("a100")))
        .isInstanceOf(SignedObjectException.class);
  }
}
