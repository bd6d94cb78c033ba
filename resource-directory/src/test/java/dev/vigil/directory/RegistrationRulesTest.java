package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.state.Fact;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a registration may say, and how it is changed. */
class RegistrationRulesTest {
  private final Desk desk = new Desk();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lt=60",
        "ep=",
        "ep=a&ep=b",
        "ep=a\u0007b",
        "ep=a\u0085b",
        "ep=0123456789012345678901234567890123456789012345678901234567890123",
        "ep=a&d=0123456789012345678901234567890123456789012345678901234567890123",
        "ep=a&lt=0",
        "ep=a&lt=4294967296",
        "ep=a&lt=-1",
        "ep=a&lt=1e3",
        "ep=a&lt=60&lt=60",
        "ep=a&base=/path",
        "ep=a&base=coap:host",
        "ep=a&base=coap://h?q",
        "ep=a&base=coap://h#f",
        "ep=a&base=coap://[fe80::1%25eth0]",
        "ep=a&base=coap://[::1",
        "ep=a&page=1",
        "ep=a&count=1",
        "ep=a&href=x",
        "ep=a&rt=x",
        "ep=a&x y=z",
      })
  void refusesParametersThatTheRfcForbids(String query) {
    assertThat(desk.ask("POST /rd?" + query, "</a>").code()).isEqualTo(Code.BAD_REQUEST);
    assertThat(desk.directory.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "<a>", "<//h/a>", "<>", "</a>;anchor=\"b\"", "</a>;anchor=\"\"", "</a"})
  void refusesLinksThatAreNotLimitedLinkFormat(String links) {
    assertThat(desk.ask("POST /rd?ep=a", links).code()).isEqualTo(Code.BAD_REQUEST);
  }

  @Test
  void takesTheLongestAndTheShortestLifetime() {
    desk.register("ep=a&lt=4294967295", "</a>");
    desk.register("ep=b&lt=1", "</b>");
    assertThat(desk.directory.size()).isEqualTo(2);
  }

  @Test
  void refusesOtherFormatsAndMethods() {
    Request json =
        new Request(
            desk.request("POST /rd?ep=a", "", List.of()).method(),
            List.of("rd"),
            desk.request("POST /rd?ep=a", "", List.of()).query(),
            ContentFormat.JSON,
            "[]".getBytes(StandardCharsets.UTF_8),
            List.of(),
            true,
            desk.caller);
    assertThat(desk.answer(json).code()).isEqualTo(Code.UNSUPPORTED_CONTENT_FORMAT);
    assertThat(desk.ask("GET /rd").code()).isEqualTo(Code.METHOD_NOT_ALLOWED);
    assertThat(desk.ask("PUT /rd-lookup/res").code()).isEqualTo(Code.METHOD_NOT_ALLOWED);
  }

  @Test
  void refusesTooManyLinks() {
    String links = "</a>" + ",</a>".repeat(1000);
    assertThat(desk.ask("POST /rd?ep=a", links).code()).isEqualTo(Code.BAD_REQUEST);
    String octets = "</" + "a".repeat(65_536) + ">";
    assertThat(desk.ask("POST /rd?ep=a", octets).code()).isEqualTo(Code.REQUEST_ENTITY_TOO_LARGE);
  }

  @Test
  void registeringAgainKeepsTheLocationAndReplacesTheRest() {
    String id = desk.register("ep=a&et=old", "</a>;rt=one");
    assertThat(desk.register("ep=a&x=y", "</b>;rt=two")).isEqualTo(id);
    assertThat(desk.register("ep=a&d=other", "</c>")).isNotEqualTo(id);
    assertThat(desk.lookUp("/rd-lookup/ep?ep=a")).doesNotContain("et=").contains(";x=y;");
    assertThat(desk.lookUp("/rd-lookup/res?rt=one")).isEmpty();
    assertThat(desk.lookUp("/rd-lookup/res?rt=two")).contains("/b>");
  }

  @Test
  void keepsTheLocationAfterRemovalToo() {
    String id = desk.register("ep=a", "</a>");
    desk.ask("DELETE /rd/" + id);
    assertThat(desk.register("ep=a", "</a>")).isEqualTo(id);
  }

  @Test
  void anUpdateOverridesWhatItNamesAndKeepsTheRest() {
    String id = desk.register("ep=a&et=one&x=1&x=2", "</a>");
    assertThat(desk.ask("POST /rd/" + id + "?x=3&ep=a").code()).isEqualTo(Code.CHANGED);
    assertThat(desk.lookUp("/rd-lookup/ep")).contains(";et=one;x=\"3\";".replace("\"", ""));
    assertThat(desk.lookUp("/rd-lookup/ep?x=1")).isEmpty();
    assertThat(desk.ask("POST /rd/" + id + "?ep=b").code()).isEqualTo(Code.BAD_REQUEST);
    assertThat(desk.ask("POST /rd/" + id, "</b>").code()).isEqualTo(Code.BAD_REQUEST);
  }

  @Test
  void aBaseThatWasNeverStatedFollowsTheSource() {
    String id = desk.register("ep=a", "</a>");
    desk.caller = Caller.anonymous(Desk.address("192.0.2.7", 5683), true);
    desk.ask("POST /rd/" + id);
    assertThat(desk.lookUp("/rd-lookup/res")).isEqualTo("<coap://192.0.2.7/a>");
    desk.ask("POST /rd/" + id + "?base=coap://h");
    desk.caller = Caller.anonymous(Desk.address("192.0.2.8", 5683), true);
    desk.ask("POST /rd/" + id);
    assertThat(desk.lookUp("/rd-lookup/res")).isEqualTo("<coap://h/a>");
  }

  @Test
  void aSourceBaseHasTheSchemeOfItsProtocolAndNoDefaultPort() {
    desk.caller =
        new Caller(
            Desk.address("2001:db8:0:0:1:0:0:1", 5684), true, true, new Caller.PreSharedKey("k"));
    desk.register("ep=a", "</a>");
    assertThat(desk.lookUp("/rd-lookup/res")).isEqualTo("<coaps://[2001:db8::1:0:0:1]/a>");
  }

  @Test
  void overHttpABaseIsNeeded() {
    assertThat(desk.answer(desk.overHttp("POST /rd?ep=a", "</a>")).code())
        .isEqualTo(Code.BAD_REQUEST);
  }

  @Test
  void aLinkIsNotFoundUnderTheNameOrSectorOfAnother() {
    desk.register("ep=liar", "</a>;ep=honest;d=theirs;rt=t");
    assertThat(desk.lookUp("/rd-lookup/ep?ep=honest")).isEmpty();
    assertThat(desk.lookUp("/rd-lookup/res?d=theirs")).isEmpty();
    // It is kept as it was written all the same.
    assertThat(desk.lookUp("/rd-lookup/res?ep=liar")).endsWith("/a>;ep=honest;d=theirs;rt=t");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ep=a&b%c=1||\"b%c\" is no parameter name",
        "ep=a&long=%s||long and its value are longer than 255 octets",
        "ep=a|</a>;rt=ü|the value of attribute rt needs quotes at character 8",
        "ep=a|</a>;rt=|attribute rt has no value",
      })
  void aRefusalNamesThePart(String query, String links, String named) {
    String filled = query.replace("%s", "x".repeat(252));
    Response refused = desk.ask("POST /rd?" + filled, links == null ? "" : links);
    assertThat(refused.code()).isEqualTo(Code.BAD_REQUEST);
    assertThat(Desk.text(refused)).contains(named);
  }

  @Test
  void aRenewalTellsNoObserver() {
    String id = desk.register("ep=a", "</a>");
    int[] told = new int[1];
    desk.topics.watch(ObservedLookups.ALL, () -> told[0]++);
    desk.ask("POST /rd/" + id);
    desk.register("ep=a", "</a>");
    assertThat(told[0]).isZero();
    desk.register("ep=a", "</b>");
    assertThat(told[0]).isEqualTo(1);
  }

  @Test
  void decidesAnewWhenAnotherGatewayWasFaster() {
    // Another gateway's change that this projection has not folded.
    desk.directory.close();
    desk.submit("a", new Fact("ms", 1, new byte[] {1}));
    desk.submit("a", new Fact("ms", 1, new byte[] {2}));
    assertThat(desk.register("ep=a", "</a>")).isEqualTo("1");
    desk.open(DirectoryConfig.standard());
    assertThat(desk.lookUp("/rd-lookup/res")).contains("/a>");
  }

  @Test
  void saysSoWhenTheStoreCannotWrite() {
    desk.store.breakDown();
    Response response = desk.ask("POST /rd?ep=a", "</a>");
    assertThat(response.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(response.maxAge()).isPositive();
    assertThat(desk.lookUp("/rd-lookup/res")).isEmpty();
  }

  @Test
  void oneSourceMayNotAskTooOften() {
    DirectoryConfig standard = DirectoryConfig.standard();
    desk.open(new DirectoryConfig("", standard.grace(), 3, standard.links(), 10, 2, 2));
    for (int i = 0; i < 4; i++) {
      desk.register("ep=a", "</a>");
    }
    Response tooMany = desk.ask("POST /rd?ep=a", "</a>");
    assertThat(tooMany.code()).isEqualTo(Code.TOO_MANY_REQUESTS);
    assertThat(tooMany.maxAge()).isEqualTo(1);
    desk.caller = Caller.anonymous(Desk.address("192.0.2.1", 5683), true);
    desk.register("ep=b", "</b>");
    desk.caller = Caller.anonymous(Desk.NODE, true);
    desk.pass(Duration.ofMillis(500));
    desk.register("ep=c", "</c>");
    desk.pass(Duration.ofSeconds(5));
    assertThat(desk.ask("POST /rd?ep=d", "</d>").code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  void aClockThatIsPutBackLocksNobodyOut() {
    desk.register("ep=a", "</a>");
    desk.pass(Duration.ofHours(-1));
    desk.register("ep=a", "</a>,</b>");
  }
}
