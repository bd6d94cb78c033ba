package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.EntityTag;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Response;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.jose.Signer;
import dev.vigil.mirror.senml.Measurement;
import dev.vigil.mirror.senml.Pack;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The past of a resource, page by page. */
class HistoryTest {
  @TempDir Path folder;

  private final Signer mote = new Signer();
  private World world;
  private String temp;

  @BeforeEach
  void register() {
    world = new World(folder);
    temp = world.registered(mote, "mote-1", 1) + "/temp";
  }

  private static byte[] senml(double value) {
    return "[{\"n\":\"a\",\"v\":%s}]".formatted(value).getBytes(UTF_8);
  }

  private void jws(long seq) {
    byte[] update = World.update(mote, "temp", seq, senml(seq));
    assertThat(world.put(temp, update).code().isSuccess()).isTrue();
  }

  private void cose(long seq) {
    byte[] update = mote.cose("temp", seq, Pack.readJson(senml(seq)).writeCbor());
    assertThat(world.ask(Method.PUT, temp, ContentFormat.COSE_SIGN1, update).code().isSuccess())
        .isTrue();
  }

  /** Every page until one has no tag, each asked for after the number in the tag before. */
  private List<Response> pages(ContentFormat format, int limit) {
    List<Response> pages = new ArrayList<>();
    long after = 0;
    while (true) {
      Response page = world.get("%s?after=%d&limit=%d".formatted(temp, after, limit), format);
      assertThat(page.code().dotted()).isEqualTo("2.05");
      EntityTag tag = page.tag();
      if (tag == null) {
        return pages;
      }
      assertThat(tag.format()).isEqualTo(format);
      assertThat(tag.number()).isGreaterThan(after);
      after = tag.number();
      pages.add(page);
    }
  }

  private static List<Long> numbers(Response page) {
    String list = World.line(page);
    return list.equals("[]")
        ? List.of()
        : List.of(list.substring(2, list.length() - 2).split("\",\"")).stream()
            .map(jws -> Jws.parse(jws.getBytes(UTF_8)).header().seq())
            .toList();
  }

  @Test
  void thePageTellsHowFarItWentSoThatAClientGetsPastValuesThatCameAsCose() {
    jws(2);
    for (int seq = 3; seq <= 7; seq++) {
      cose(seq);
    }
    jws(9);

    List<Response> pages = pages(ContentFormat.JWS_LIST, 2);

    assertThat(pages.stream().map(HistoryTest::numbers))
        .containsExactly(List.of(2L), List.of(), List.of(), List.of(9L));
    Response end = world.get(temp + "?after=9", ContentFormat.JWS_LIST);
    assertThat(World.line(end)).isEqualTo("[]");
    assertThat(end.tag()).isNull();
  }

  @Test
  void senmlWhichHasNoNumbersIsReadPageByPageWithNothingTwiceAndNothingLeftOut() {
    for (int seq = 2; seq <= 8; seq++) {
      if (seq % 2 == 0) {
        jws(seq);
      } else {
        cose(seq);
      }
    }
    List<Double> read = new ArrayList<>();
    for (Response page : pages(ContentFormat.SENML_CBOR, 3)) {
      for (Measurement one : Pack.readCbor(page.payload()).resolve(0)) {
        read.add(Double.parseDouble(Pack.text(one.value())));
      }
    }
    assertThat(read).containsExactly(2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0);
  }

  @Test
  void aPageOfNothingIsRefusedBecauseItWouldSayThatThePastEnds() {
    jws(2);
    Response page = world.get(temp + "?limit=0", ContentFormat.JWS_LIST);
    assertThat(page.code().dotted()).isEqualTo("4.00");
    assertThat(World.line(page)).isEqualTo("limit is at least 1");
  }

  @Test
  void anAnswerEndsWhereItWouldGrowTooLargeAndTheNextGoesOnThere() {
    byte[] large = "[{\"n\":\"a\",\"vs\":\"%s\"}]".formatted("x".repeat(5000)).getBytes(UTF_8);
    List<Long> sent = new ArrayList<>();
    for (long seq = 2; seq < 32; seq++) {
      world.put(temp, World.update(mote, "temp", seq, large));
      sent.add(seq);
    }
    List<Response> pages = pages(ContentFormat.JWS_LIST, 1000);
    assertThat(pages).hasSizeGreaterThan(3);
    assertThat(pages).allMatch(page -> page.payload().length <= 48_000);
    assertThat(pages.stream().flatMap(page -> numbers(page).stream()).toList()).isEqualTo(sent);
  }
}
