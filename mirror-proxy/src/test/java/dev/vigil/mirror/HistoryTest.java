package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.EntityTag;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlPack;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of a resource's history. */
class HistoryTest {
  @TempDir Path folder;

  private final TestSigner mote = new TestSigner();
  private MirrorFixture mirror;
  private String temp;

  @BeforeEach
  void register() {
    mirror = new MirrorFixture(folder);
    temp = mirror.registered(mote, "mote-1", 1) + "/temp";
  }

  private static byte[] senml(double value) {
    return "[{\"n\":\"a\",\"v\":%s}]".formatted(value).getBytes(UTF_8);
  }

  private void jws(long seq) {
    byte[] update = MirrorFixture.update(mote, "temp", seq, senml(seq));
    assertThat(mirror.put(temp, update).code().isSuccess()).isTrue();
  }

  private void cose(long seq) {
    byte[] update = mote.cose("temp", seq, SenmlPack.readJson(senml(seq)).writeCbor());
    assertThat(mirror.ask(Method.PUT, temp, ContentFormat.COSE_SIGN1, update).code().isSuccess())
        .isTrue();
  }

  /**
   * All pages up to the first without an ETag; each is requested after the number in the last one.
   */
  private List<Response> pages(ContentFormat format, int limit) {
    List<Response> pages = new ArrayList<>();
    long after = 0;
    while (true) {
      Response page = mirror.get("%s?after=%d&limit=%d".formatted(temp, after, limit), format);
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
    String list = MirrorFixture.line(page);
    return list.equals("[]")
        ? List.of()
        : List.of(list.substring(2, list.length() - 2).split("\",\"")).stream()
            .map(jws -> Jws.parse(jws.getBytes(UTF_8)).header().seq())
            .toList();
  }

  @Test
  void aPagesTagLeadsPastValuesThatCameAsCose() {
    jws(2);
    for (int seq = 3; seq <= 7; seq++) {
      cose(seq);
    }
    jws(9);

    List<Response> pages = pages(ContentFormat.JWS_LIST, 2);

    assertThat(pages.stream().map(HistoryTest::numbers))
        .containsExactly(List.of(2L), List.of(), List.of(), List.of(9L));
    Response end = mirror.get(temp + "?after=9", ContentFormat.JWS_LIST);
    assertThat(MirrorFixture.line(end)).isEqualTo("[]");
    assertThat(end.tag()).isNull();
  }

  @Test
  void pagesOfSenmlContainEveryValueOnce() {
    for (int seq = 2; seq <= 8; seq++) {
      if (seq % 2 == 0) {
        jws(seq);
      } else {
        cose(seq);
      }
    }
    List<Double> read = new ArrayList<>();
    for (Response page : pages(ContentFormat.SENML_CBOR, 3)) {
      for (ResolvedRecord one : SenmlPack.readCbor(page.payload()).resolve(0)) {
        read.add(Double.parseDouble(SenmlPack.text(one.value())));
      }
    }
    assertThat(read).containsExactly(2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0);
  }

  @Test
  void aPageShowsNoValueOfARevokedKey() {
    for (int seq = 2; seq <= 10; seq++) {
      jws(seq);
    }
    TestSigner next = new TestSigner();
    mirror.register(next, "mote-1", 10, "");
    String id = mirror.queries().endpoints().getFirst().id();
    mirror.operations().approve(next.jkt(), id, List.of(""), "alice").join();
    mirror.put(temp, MirrorFixture.update(next, "temp", 11, senml(11)));
    assertThat(numbers(pages(ContentFormat.JWS_LIST, 100).getFirst())).hasSize(10);

    mirror.operations().revoke(mote.jkt(), "alice").join();

    assertThat(pages(ContentFormat.JWS_LIST, 4).stream().map(HistoryTest::numbers))
        .containsExactly(List.of(), List.of(), List.of(11L));
    SenmlPack json = SenmlPack.readJson(pages(ContentFormat.SENML_JSON, 100).getFirst().payload());
    SenmlPack cbor = SenmlPack.readCbor(pages(ContentFormat.SENML_CBOR, 100).getFirst().payload());
    for (SenmlPack pack : List.of(json, cbor)) {
      assertThat(pack.resolve(0))
          .extracting(one -> SenmlPack.text(one.value()))
          .containsExactly("11");
    }
  }

  @Test
  void aPageLimitOfZeroIsRefused() {
    jws(2);
    Response page = mirror.get(temp + "?limit=0", ContentFormat.JWS_LIST);
    assertThat(page.code().dotted()).isEqualTo("4.00");
    assertThat(MirrorFixture.line(page)).isEqualTo("limit must be at least 1");
  }

  @Test
  void aLargePageEndsEarlyAndTheNextOneContinues() {
    byte[] large = "[{\"n\":\"a\",\"vs\":\"%s\"}]".formatted("x".repeat(5000)).getBytes(UTF_8);
    List<Long> sent = new ArrayList<>();
    for (long seq = 2; seq < 32; seq++) {
      mirror.put(temp, MirrorFixture.update(mote, "temp", seq, large));
      sent.add(seq);
    }
    List<Response> pages = pages(ContentFormat.JWS_LIST, 1000);
    assertThat(pages).hasSizeGreaterThan(3);
    assertThat(pages).allMatch(page -> page.payload().length <= 48_000);
    assertThat(pages.stream().flatMap(page -> numbers(page).stream()).toList()).isEqualTo(sent);
  }
}
