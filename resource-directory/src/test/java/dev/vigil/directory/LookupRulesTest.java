package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.directory.lookup.LookupLimits;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Length, visibility and formats of lookup answers. */
class LookupRulesTest {
  private final DirectoryFixture fixture = new DirectoryFixture();

  @Test
  void refusesATooLongAnswerAndNamesPaging() {
    fixture.reopen(DirectoryFixture.CONFIG.with(new LookupLimits(2, 65_536, 2)));
    fixture.register("ep=a", "</a>,</b>,</c>");
    Response response = fixture.ask("GET /rd-lookup/res");
    assertThat(response.code()).isEqualTo(Code.BAD_REQUEST);
    assertThat(DirectoryFixture.text(response)).contains("page and count");
    assertThat(fixture.lookUp("/rd-lookup/res?count=2")).contains("/b>").doesNotContain("/c>");
    for (String wrong :
        List.of("page=1", "count=x", "count=", "count=1&count=2", "page=-1&count=1")) {
      assertThat(fixture.ask("GET /rd-lookup/res?" + wrong).code()).isEqualTo(Code.BAD_REQUEST);
    }
  }

  @Test
  void aStrangersAnswerOverCoapIsNoLongerThanABody() throws Exception {
    fixture.reopen(DirectoryFixture.CONFIG.with(new LookupLimits(100, 150, 2)));
    for (String ep : List.of("a", "b", "c")) {
      fixture.register(
          "ep=" + ep + "&base=coap://h", "</0123456789012345678901234567890123456789>");
    }
    for (String path : List.of("/rd-lookup/res", "/rd-lookup/ep")) {
      Response response = fixture.ask("GET " + path);
      assertThat(response.code()).as(path).isEqualTo(Code.BAD_REQUEST);
      assertThat(DirectoryFixture.text(response))
          .isEqualTo("the links that match are longer than 150 octets; use page and count");
      assertThat(fixture.lookUp(path + "?ep=b")).as("a narrower one").contains("coap://h");
      assertThat(fixture.lookUp(path + "?page=0&count=1")).contains("coap://h");
      assertThat(fixture.answer(fixture.overHttp("GET " + path, "")).code())
          .as("over HTTP")
          .isEqualTo(Code.CONTENT);
      fixture.caller =
          new Caller(DirectoryFixture.NODE, true, true, new Caller.PreSharedKey("reader"));
      assertThat(fixture.ask("GET " + path).code()).as("with credentials").isEqualTo(Code.CONTENT);
      fixture.caller = Caller.anonymous(DirectoryFixture.NODE, true);
    }
  }

  @Test
  void showsLinkLocalRegistrationsOnTheirLinkOnly() throws UnknownHostException {
    byte[] local = DirectoryFixture.address("fe80::1", 1).getAddress().getAddress();
    Caller onLink =
        Caller.anonymous(
            new InetSocketAddress(Inet6Address.getByAddress("", local, 7), 5683), true);
    Caller onOther =
        Caller.anonymous(
            new InetSocketAddress(Inet6Address.getByAddress("", local, 8), 5683), true);
    fixture.caller = onLink;
    String id = fixture.register("ep=a", "</a>");
    assertThat(fixture.lookUp("/rd-lookup/res")).isEqualTo("<coap://[fe80::1]/a>");
    for (Caller elsewhere : List.of(onOther, Caller.anonymous(DirectoryFixture.NODE, true))) {
      fixture.caller = elsewhere;
      assertThat(fixture.lookUp("/rd-lookup/res")).isEmpty();
      assertThat(fixture.lookUp("/rd-lookup/ep")).isEmpty();
      assertThat(fixture.ask("GET /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
    }
    assertThat(fixture.ask("POST /rd?ep=b&base=coap://[fe80::2]", "</b>").code())
        .isEqualTo(Code.BAD_REQUEST);
  }

  @Test
  void answersInJsonWhenAsked() {
    fixture.register("ep=a&base=coap://h", "</a>;rt=\"x y\";obs;n=1;n=2");
    Request request =
        fixture.request("GET /rd-lookup/res", "", List.of(ContentFormat.JSON, ContentFormat.TEXT));
    assertThat(DirectoryFixture.text(fixture.answer(request)))
        .isEqualTo("[{\"href\":\"coap://h/a\",\"rt\":\"x y\",\"obs\":true,\"n\":[\"1\",\"2\"]}]");
    Request senml = fixture.request("GET /rd-lookup/res", "", List.of(ContentFormat.SENML_JSON));
    assertThat(fixture.answer(senml).code()).isEqualTo(Code.NOT_ACCEPTABLE);
  }
}
