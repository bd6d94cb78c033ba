package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What lookups show, to whom and how much of it. */
class LookupRulesTest {
  private final Desk desk = new Desk();

  @Test
  void anAnswerThatWouldBeTooLongNamesTheWayOut() {
    DirectoryConfig standard = DirectoryConfig.standard();
    desk.open(new DirectoryConfig("", standard.grace(), 10, standard.links(), 2, 100, 10));
    desk.register("ep=a", "</a>,</b>,</c>");
    Response response = desk.ask("GET /rd-lookup/res");
    assertThat(response.code()).isEqualTo(Code.BAD_REQUEST);
    assertThat(Desk.text(response)).contains("page and count");
    assertThat(desk.lookUp("/rd-lookup/res?count=2")).contains("/b>").doesNotContain("/c>");
    for (String wrong :
        List.of("page=1", "count=x", "count=", "count=1&count=2", "page=-1&count=1")) {
      assertThat(desk.ask("GET /rd-lookup/res?" + wrong).code()).isEqualTo(Code.BAD_REQUEST);
    }
  }

  @Test
  void linkLocalRegistrationsAreShownOnTheirLinkOnly() throws UnknownHostException {
    byte[] local = Desk.address("fe80::1", 1).getAddress().getAddress();
    Caller onLink =
        Caller.anonymous(
            new InetSocketAddress(Inet6Address.getByAddress("", local, 7), 5683), true);
    Caller onOther =
        Caller.anonymous(
            new InetSocketAddress(Inet6Address.getByAddress("", local, 8), 5683), true);
    desk.caller = onLink;
    String id = desk.register("ep=a", "</a>");
    assertThat(desk.lookUp("/rd-lookup/res")).isEqualTo("<coap://[fe80::1]/a>");
    for (Caller elsewhere : List.of(onOther, Caller.anonymous(Desk.NODE, true))) {
      desk.caller = elsewhere;
      assertThat(desk.lookUp("/rd-lookup/res")).isEmpty();
      assertThat(desk.lookUp("/rd-lookup/ep")).isEmpty();
      assertThat(desk.ask("GET /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
    }
    assertThat(desk.ask("POST /rd?ep=b&base=coap://[fe80::2]", "</b>").code())
        .isEqualTo(Code.BAD_REQUEST);
  }

  @Test
  void showsPeopleJson() {
    desk.register("ep=a&base=coap://h", "</a>;rt=\"x y\";obs;n=1;n=2");
    Request request =
        desk.request("GET /rd-lookup/res", "", List.of(ContentFormat.JSON, ContentFormat.TEXT));
    assertThat(Desk.text(desk.answer(request)))
        .isEqualTo("[{\"href\":\"coap://h/a\",\"rt\":\"x y\",\"obs\":true,\"n\":[\"1\",\"2\"]}]");
    Request senml = desk.request("GET /rd-lookup/res", "", List.of(ContentFormat.SENML_JSON));
    assertThat(desk.answer(senml).code()).isEqualTo(Code.NOT_ACCEPTABLE);
  }
}
