package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.directory.registration.RegistrationLimits;
import dev.vigil.store.Fact;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters of a registration, their rules, and its changes. */
class RegistrationRulesTest {
  private final DirectoryFixture fixture = new DirectoryFixture();

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
    assertThat(fixture.ask("POST /rd?" + query, "</a>").code()).isEqualTo(Code.BAD_REQUEST);
    assertThat(fixture.directory.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "<a>", "<//h/a>", "<>", "</a>;anchor=\"b\"", "</a>;anchor=\"\"", "</a"})
  void refusesLinksThatAreNotLimitedLinkFormat(String links) {
    assertThat(fixture.ask("POST /rd?ep=a", links).code()).isEqualTo(Code.BAD_REQUEST);
  }

  @Test
  void acceptsTheLongestAndTheShortestLifetime() {
    fixture.register("ep=a&lt=4294967295", "</a>");
    fixture.register("ep=b&lt=1", "</b>");
    assertThat(fixture.directory.size()).isEqualTo(2);
  }

  @Test
  void refusesOtherFormatsAndMethods() {
    Request json =
        new Request(
            fixture.request("POST /rd?ep=a", "", List.of()).method(),
            List.of("rd"),
            fixture.request("POST /rd?ep=a", "", List.of()).query(),
            ContentFormat.JSON,
            "[]".getBytes(StandardCharsets.UTF_8),
            List.of(),
            true,
            fixture.caller);
    assertThat(fixture.answer(json).code()).isEqualTo(Code.UNSUPPORTED_CONTENT_FORMAT);
    assertThat(fixture.ask("GET /rd").code()).isEqualTo(Code.METHOD_NOT_ALLOWED);
    assertThat(fixture.ask("PUT /rd-lookup/res").code()).isEqualTo(Code.METHOD_NOT_ALLOWED);
  }

  @Test
  void refusesTooManyLinks() {
    String links = "</a>" + ",</a>".repeat(1000);
    assertThat(fixture.ask("POST /rd?ep=a", links).code()).isEqualTo(Code.BAD_REQUEST);
    String octets = "</" + "a".repeat(65_536) + ">";
    assertThat(fixture.ask("POST /rd?ep=a", octets).code())
        .isEqualTo(Code.REQUEST_ENTITY_TOO_LARGE);
  }

  @Test
  void registeringAgainKeepsTheLocationAndReplacesTheRest() {
    String id = fixture.register("ep=a&et=old", "</a>;rt=one");
    assertThat(fixture.register("ep=a&x=y", "</b>;rt=two")).isEqualTo(id);
    assertThat(fixture.register("ep=a&d=other", "</c>")).isNotEqualTo(id);
    assertThat(fixture.lookUp("/rd-lookup/ep?ep=a")).doesNotContain("et=").contains(";x=y;");
    assertThat(fixture.lookUp("/rd-lookup/res?rt=one")).isEmpty();
    assertThat(fixture.lookUp("/rd-lookup/res?rt=two")).contains("/b>");
  }

  @Test
  void alsoKeepsTheLocationAfterRemoval() {
    String id = fixture.register("ep=a", "</a>");
    fixture.ask("DELETE /rd/" + id);
    assertThat(fixture.register("ep=a", "</a>")).isEqualTo(id);
  }

  @Test
  void anUpdateOverridesOnlyTheNamedParameters() {
    String id = fixture.register("ep=a&et=one&x=1&x=2", "</a>");
    assertThat(fixture.ask("POST /rd/" + id + "?x=3&ep=a").code()).isEqualTo(Code.CHANGED);
    assertThat(fixture.lookUp("/rd-lookup/ep")).contains(";et=one;x=\"3\";".replace("\"", ""));
    assertThat(fixture.lookUp("/rd-lookup/ep?x=1")).isEmpty();
    assertThat(fixture.ask("POST /rd/" + id + "?ep=b").code()).isEqualTo(Code.BAD_REQUEST);
    assertThat(fixture.ask("POST /rd/" + id, "</b>").code()).isEqualTo(Code.BAD_REQUEST);
  }

  @Test
  void updatesAddNoMoreParametersThanARegistrationMayHave() {
    String id = fixture.register("ep=a", "</a>");
    StringBuilder sixteen = new StringBuilder("POST /rd/" + id + "?x0=0");
    for (int i = 1; i < 16; i++) {
      sixteen.append("&x").append(i).append("=0");
    }
    assertThat(fixture.ask(sixteen.toString()).code()).isEqualTo(Code.CHANGED);
    String before = fixture.lookUp("/rd-lookup/ep");

    Response refused = fixture.ask("POST /rd/" + id + "?x16=0");

    assertThat(refused.code()).isEqualTo(Code.BAD_REQUEST);
    assertThat(DirectoryFixture.text(refused)).contains("more than 16 further parameters");
    assertThat(fixture.lookUp("/rd-lookup/ep")).isEqualTo(before);
    assertThat(fixture.ask("POST /rd/" + id + "?x1=1").code()).isEqualTo(Code.CHANGED);
  }

  @Test
  void anEntryThatAlreadyHasMoreParametersCanBeRenewedButNotExtended() {
    List<Query.Parameter> twenty =
        IntStream.range(0, 20).mapToObj(i -> new Query.Parameter("x" + i, "0")).toList();
    Registration.Direct direct = new Registration.Direct("coap://h");
    fixture.submit("a", new Registration(direct, 600, List.of(), twenty).toFact());
    assertThat(fixture.ask("POST /rd/1?x1=1").code()).isEqualTo(Code.CHANGED);
    assertThat(fixture.ask("POST /rd/1").code()).isEqualTo(Code.CHANGED);
    assertThat(fixture.ask("POST /rd/1?y=1").code()).isEqualTo(Code.BAD_REQUEST);
  }

  @Test
  void anUnstatedBaseFollowsTheSourceAddress() {
    String id = fixture.register("ep=a", "</a>");
    fixture.caller = Caller.anonymous(DirectoryFixture.address("192.0.2.7", 5683), true);
    fixture.ask("POST /rd/" + id);
    assertThat(fixture.lookUp("/rd-lookup/res")).isEqualTo("<coap://192.0.2.7/a>");
    fixture.ask("POST /rd/" + id + "?base=coap://h");
    fixture.caller = Caller.anonymous(DirectoryFixture.address("192.0.2.8", 5683), true);
    fixture.ask("POST /rd/" + id);
    assertThat(fixture.lookUp("/rd-lookup/res")).isEqualTo("<coap://h/a>");
  }

  @Test
  void aSourceBaseHasTheSchemeOfItsProtocolAndNoDefaultPort() {
    fixture.caller =
        new Caller(
            DirectoryFixture.address("2001:db8:0:0:1:0:0:1", 5684),
            true,
            true,
            new Caller.PreSharedKey("k"));
    fixture.register("ep=a", "</a>");
    assertThat(fixture.lookUp("/rd-lookup/res")).isEqualTo("<coaps://[2001:db8::1:0:0:1]/a>");
  }

  @Test
  void overHttpABaseIsNeeded() {
    assertThat(fixture.answer(fixture.overHttp("POST /rd?ep=a", "</a>")).code())
        .isEqualTo(Code.BAD_REQUEST);
  }

  @Test
  void aLinkIsNotFoundByAnotherEndpointsNameOrSector() {
    fixture.register("ep=liar", "</a>;ep=honest;d=theirs;rt=t");
    assertThat(fixture.lookUp("/rd-lookup/ep?ep=honest")).isEmpty();
    assertThat(fixture.lookUp("/rd-lookup/res?d=theirs")).isEmpty();
    // The directory still returns the attributes exactly as registered.
    assertThat(fixture.lookUp("/rd-lookup/res?ep=liar")).endsWith("/a>;ep=honest;d=theirs;rt=t");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ep=a&b%c=1||\"b%c\" is not a parameter name",
        "ep=a&long=%s||long and its value are longer than 255 octets",
        "ep=a|</a>;rt=ü|the value of attribute rt needs quotes at character 8",
        "ep=a|</a>;rt=|attribute rt has no value",
      })
  void aRefusalNamesTheOffendingPart(String query, String links, String named) {
    String filled = query.replace("%s", "x".repeat(252));
    Response refused = fixture.ask("POST /rd?" + filled, links == null ? "" : links);
    assertThat(refused.code()).isEqualTo(Code.BAD_REQUEST);
    assertThat(DirectoryFixture.text(refused)).contains(named);
  }

  @Test
  void aRenewalNotifiesNoObserver() {
    String id = fixture.register("ep=a", "</a>");
    int[] notified = new int[1];
    fixture.watch("/rd-lookup/res", () -> notified[0]++);
    fixture.ask("POST /rd/" + id);
    fixture.register("ep=a", "</a>");
    assertThat(notified[0]).isZero();
    fixture.register("ep=a", "</b>");
    assertThat(notified[0]).isEqualTo(1);
  }

  @Test
  void decidesAgainWhenAnotherGatewayWasFaster() {
    // A change by another gateway that this projection has not yet folded.
    fixture.directory.close();
    fixture.submit("a", new Fact("ms", 1, new byte[] {1}));
    fixture.submit("a", new Fact("ms", 1, new byte[] {2}));
    assertThat(fixture.register("ep=a", "</a>")).isEqualTo("1");
    fixture.reopen(DirectoryFixture.CONFIG);
    assertThat(fixture.lookUp("/rd-lookup/res")).contains("/a>");
  }

  @Test
  void refusesWhenTheStoreCannotWrite() {
    fixture.store.full(true);
    Response response = fixture.ask("POST /rd?ep=a", "</a>");
    assertThat(response.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(response.maxAge()).isPositive();
    assertThat(fixture.lookUp("/rd-lookup/res")).isEmpty();
  }

  @Test
  void limitsTheChangesOfOneSource() {
    fixture.reopen(
        DirectoryFixture.CONFIG.with(
            RegistrationLimits.standard().withRegistrations(3).withRate(2, 2)));
    for (int i = 0; i < 4; i++) {
      fixture.register("ep=a", "</a>");
    }
    Response tooMany = fixture.ask("POST /rd?ep=a", "</a>");
    assertThat(tooMany.code()).isEqualTo(Code.TOO_MANY_REQUESTS);
    assertThat(tooMany.maxAge()).isEqualTo(1);
    fixture.caller = Caller.anonymous(DirectoryFixture.address("192.0.2.1", 5683), true);
    fixture.register("ep=b", "</b>");
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, true);
    fixture.advance(Duration.ofMillis(500));
    fixture.register("ep=c", "</c>");
    fixture.advance(Duration.ofSeconds(5));
    assertThat(fixture.ask("POST /rd?ep=d", "</d>").code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  void aClockSetBackLocksNobodyOut() {
    fixture.register("ep=a", "</a>");
    fixture.advance(Duration.ofHours(-1));
    fixture.register("ep=a", "</a>,</b>");
  }
}
