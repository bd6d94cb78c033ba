package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Outcome;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrationRulesTest {
  private final Desk desk = new Desk();

  private String register(String query, String links) {
    Response response = desk.ask("POST /rd?" + query, links);
    assertThat(response.code()).as(Desk.text(response)).isEqualTo(Code.CREATED);
    return response.location().getLast();
  }

  private static Caller callerWith(Caller.Identity identity) {
    return new Caller(Desk.NODE, true, true, identity);
  }

  private Outcome submit(String ep, Fact fact) {
    return desk.store
        .submit(
            new Batch(
                new EndpointName(ep, ""),
                desk.now,
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(fact)))
        .join();
  }

  private String publishMirrored(String ep, String jkt, String links) {
    Registration registration =
        new Registration(
            new Registration.Mirrored(jkt),
            600,
            LinkFormat.parse(links, LinkFormat.Limits.STANDARD),
            List.of());
    return ((Outcome.Landed) submit(ep, registration.toFact())).change().id();
  }

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
    register("ep=a&lt=4294967295", "</a>");
    register("ep=b&lt=1", "</b>");
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
    String id = register("ep=a&et=old", "</a>;rt=one");
    assertThat(register("ep=a&x=y", "</b>;rt=two")).isEqualTo(id);
    assertThat(register("ep=a&d=other", "</c>")).isNotEqualTo(id);
    assertThat(desk.lookUp("/rd-lookup/ep?ep=a")).doesNotContain("et=").contains(";x=y;");
    assertThat(desk.lookUp("/rd-lookup/res?rt=one")).isEmpty();
    assertThat(desk.lookUp("/rd-lookup/res?rt=two")).contains("/b>");
  }

  @Test
  void keepsTheLocationAfterRemovalToo() {
    String id = register("ep=a", "</a>");
    desk.ask("DELETE /rd/" + id);
    assertThat(register("ep=a", "</a>")).isEqualTo(id);
  }

  @Test
  void anUpdateOverridesWhatItNamesAndKeepsTheRest() {
    String id = register("ep=a&et=one&x=1&x=2", "</a>");
    assertThat(desk.ask("POST /rd/" + id + "?x=3&ep=a").code()).isEqualTo(Code.CHANGED);
    assertThat(desk.lookUp("/rd-lookup/ep")).contains(";et=one;x=\"3\";".replace("\"", ""));
    assertThat(desk.lookUp("/rd-lookup/ep?x=1")).isEmpty();
    assertThat(desk.ask("POST /rd/" + id + "?ep=b").code()).isEqualTo(Code.BAD_REQUEST);
    assertThat(desk.ask("POST /rd/" + id, "</b>").code()).isEqualTo(Code.BAD_REQUEST);
  }

  @Test
  void aBaseThatWasNeverStatedFollowsTheSource() {
    String id = register("ep=a", "</a>");
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
    register("ep=a", "</a>");
    assertThat(desk.lookUp("/rd-lookup/res")).isEqualTo("<coaps://[2001:db8::1:0:0:1]/a>");
  }

  @Test
  void overHttpABaseIsNeeded() {
    Request coap = desk.request("POST /rd?ep=a", "</a>", List.of());
    Request http =
        new Request(
            coap.method(),
            coap.path(),
            coap.query(),
            coap.format(),
            coap.payload(),
            List.of(),
            true,
            coap.caller(),
            "http://localhost:8080");
    assertThat(desk.answer(http).code()).isEqualTo(Code.BAD_REQUEST);
  }

  @Test
  void whatOutlivedItsLifetimeIsGoneFromLookupsAtOnceAndCanBeRenewed() {
    String id = register("ep=a&lt=60", "</a>;rt=t");
    desk.pass(Duration.ofMillis(59_999));
    assertThat(desk.lookUp("/rd-lookup/res?rt=t")).isNotEmpty();
    desk.pass(Duration.ofMillis(1));
    assertThat(desk.lookUp("/rd-lookup/res?rt=t")).isEmpty();
    assertThat(desk.lookUp("/rd-lookup/ep")).isEmpty();
    assertThat(desk.ask("GET /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
    desk.directory.pass();
    assertThat(desk.directory.size()).isZero();
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    assertThat(desk.lookUp("/rd-lookup/res?rt=t")).isNotEmpty();
    desk.pass(Duration.ofSeconds(60));
    desk.directory.pass();
    assertThat(desk.directory.size()).isZero();
  }

  @Test
  void theStoreForgetsWhatNobodyRenews() {
    String id = register("ep=a&lt=60", "</a>");
    desk.pass(Duration.ofSeconds(60).plus(DirectoryConfig.standard().grace()));
    desk.directory.pass();
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
    desk.open(DirectoryConfig.standard());
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
  }

  @Test
  void whatElseIsSaidOfAnEndpointNeitherHindersItsChangesNorItsEnd() {
    String id = register("ep=a&lt=60", "</a>");
    land("a", "note");
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    land("a", "note");
    desk.pass(Duration.ofSeconds(60).plus(DirectoryConfig.standard().grace()));
    desk.directory.pass();
    desk.open(DirectoryConfig.standard());
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
  }

  /** A fact of somebody else's slot. */
  private void land(String ep, String slot) {
    Fact fact = new Fact(slot, 1, new byte[] {1});
    desk.store
        .submit(
            new Batch(
                new EndpointName(ep, ""),
                desk.now,
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(fact)))
        .join();
  }

  @Test
  void manyRenewalsAndAShorterLifetimeEndWhenTheLastOneSays() {
    String id = register("ep=a&lt=1000", "</a>");
    for (int i = 0; i < 50; i++) {
      desk.pass(Duration.ofSeconds(100));
      desk.directory.pass();
      assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    }
    assertThat(desk.ask("POST /rd/" + id + "?lt=5").code()).isEqualTo(Code.CHANGED);
    desk.pass(Duration.ofSeconds(5));
    int[] told = new int[1];
    desk.topics.watch(ObservedLookups.of(List.of()), () -> told[0]++);
    desk.directory.pass();
    assertThat(told[0]).isEqualTo(1);
    assertThat(desk.directory.size()).isZero();
  }

  @Test
  void afterARestartTheRemainingLifetimeCounts() {
    String id = register("ep=a&d=s&lt=60&et=x", "</a>;rt=t");
    register("ep=b&lt=600", "</b>");
    desk.pass(Duration.ofSeconds(50));
    String before = desk.lookUp("/rd-lookup/res");
    desk.open(DirectoryConfig.standard());
    assertThat(desk.lookUp("/rd-lookup/res")).isEqualTo(before);
    assertThat(desk.lookUp("/rd-lookup/ep?et=x")).startsWith("</rd/" + id + ">;ep=a;d=s;");
    desk.pass(Duration.ofSeconds(10));
    assertThat(desk.lookUp("/rd-lookup/ep")).contains("ep=b").doesNotContain("ep=a");
  }

  @Test
  void simpleRegistrationIsTakenWhereOlderNodesSendItAndNotOverHttp() {
    desk.fetcher =
        Optional.of(
            request ->
                CompletableFuture.completedFuture(
                    new Fetcher.Fetched("</a>".getBytes(StandardCharsets.UTF_8), 60)));
    assertThat(desk.ask("POST /.well-known/core?ep=riot&lt=60").code()).isEqualTo(Code.CHANGED);
    assertThat(desk.lookUp("/rd-lookup/ep?ep=riot")).contains("ep=riot");
    assertThat(desk.ask("DELETE /.well-known/core").code()).isEqualTo(Code.METHOD_NOT_ALLOWED);

    Request coap = desk.request("POST /.well-known/rd?ep=web", "", List.of());
    Request http =
        new Request(
            coap.method(),
            coap.path(),
            coap.query(),
            null,
            coap.payload(),
            List.of(),
            true,
            coap.caller(),
            "http://localhost:8080");
    assertThat(desk.answer(http).code()).isEqualTo(Code.NOT_IMPLEMENTED);
  }

  @Test
  void aLinkIsNotFoundUnderTheNameOrSectorOfAnother() {
    register("ep=liar", "</a>;ep=honest;d=theirs;rt=t");
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
  void aSimpleRegistrationGoesWithItsLifetime() {
    desk.fetcher =
        Optional.of(
            request ->
                CompletableFuture.completedFuture(
                    new Fetcher.Fetched("</a>".getBytes(StandardCharsets.UTF_8), 60)));
    assertThat(desk.ask("POST /.well-known/rd?ep=a&lt=60").code()).isEqualTo(Code.CHANGED);
    String id = register("ep=b&lt=60", "</b>");
    assertThat(desk.lookUp("/rd-lookup/ep?ep=a")).startsWith("</rd/1>");
    desk.pass(Duration.ofSeconds(60));
    // Nobody was told where it is, so nobody renews it there.
    assertThat(desk.ask("POST /rd/1").code()).isEqualTo(Code.NOT_FOUND);
    desk.directory.pass();
    assertThat(desk.directory.registration(new EndpointName("a", ""))).isEmpty();
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
  }

  @Test
  void aRenewalTellsNoObserver() {
    String id = register("ep=a", "</a>");
    int[] told = new int[1];
    desk.topics.watch(ObservedLookups.of(List.of()), () -> told[0]++);
    desk.ask("POST /rd/" + id);
    register("ep=a", "</a>");
    assertThat(told[0]).isZero();
    register("ep=a", "</b>");
    assertThat(told[0]).isEqualTo(1);
  }

  @Test
  void onlyWhoRegisteredMayChange() {
    desk.access =
        (caller, action, domain) ->
            action == Access.Action.ADMINISTER && !(caller.identity() instanceof Caller.Account)
                ? new Access.Refused(Code.FORBIDDEN, "no")
                : new Access.Allowed();
    desk.caller = callerWith(new Caller.RawKey("first"));
    String id = register("ep=a&lt=60", "</a>");

    desk.caller = callerWith(new Caller.RawKey("second"));
    assertThat(desk.ask("POST /rd?ep=a", "</b>").code()).isEqualTo(Code.FORBIDDEN);
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    assertThat(desk.ask("DELETE /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    desk.caller = Caller.anonymous(Desk.NODE, true);
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.UNAUTHORIZED);
    assertThat(desk.lookUp("/rd-lookup/res")).contains("/a>");

    desk.caller = callerWith(new Caller.RawKey("first"));
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    desk.caller = callerWith(new Caller.Account("operator", Set.of()));
    assertThat(desk.ask("POST /rd/" + id + "?lt=60").code()).isEqualTo(Code.CHANGED);

    desk.caller = callerWith(new Caller.RawKey("second"));
    desk.pass(Duration.ofSeconds(60));
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    register("ep=a", "</b>");
  }

  @Test
  void remembersACertificateByItsAuthorityAndAllItsNames() {
    desk.access =
        (caller, action, domain) ->
            action == Access.Action.ADMINISTER
                ? new Access.Refused(Code.FORBIDDEN, "no")
                : new Access.Allowed();
    desk.caller = callerWith(new Caller.Certificate("CN=ca", Set.of("CN:a", "DNS:a.example")));
    String id = register("ep=a", "</a>");

    desk.caller = callerWith(new Caller.Certificate("CN=other", Set.of("CN:a", "DNS:a.example")));
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    desk.caller = callerWith(new Caller.Certificate("CN=ca", Set.of("CN:a")));
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    desk.caller = callerWith(new Caller.Certificate("CN=b", Set.of("CN=ca", "CN:a")));
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);

    desk.caller =
        callerWith(
            new Caller.Certificate("CN=ca", Set.of("DNS:a.example", "DNS:b.example", "CN:a")));
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
  }

  @Test
  void asksTheAccessPolicyForEachDomain() {
    register("ep=a&d=open", "</a>");
    register("ep=b&d=closed", "</b>");
    desk.access =
        (caller, action, domain) ->
            domain.equals("closed")
                ? new Access.Refused(Code.FORBIDDEN, "closed")
                : new Access.Allowed();
    assertThat(desk.lookUp("/rd-lookup/res")).contains("/a>").doesNotContain("/b>");
    assertThat(desk.lookUp("/rd-lookup/ep")).contains("ep=a").doesNotContain("ep=b");
    assertThat(desk.ask("GET /rd-lookup/res?d=closed").code()).isEqualTo(Code.FORBIDDEN);
    assertThat(desk.ask("GET /rd/2").code()).isEqualTo(Code.FORBIDDEN);
    assertThat(desk.ask("DELETE /rd/2").code()).isEqualTo(Code.FORBIDDEN);
    assertThat(desk.ask("POST /rd?ep=c&d=closed", "</c>").code()).isEqualTo(Code.FORBIDDEN);
    assertThat(desk.ask("POST /.well-known/rd?ep=c&d=closed").code()).isEqualTo(Code.FORBIDDEN);
  }

  @Test
  void whoMayNotLookUpStillFindsTheDirectory() {
    publishMirrored("m", "K", "</temp>");
    desk.access =
        (caller, action, domain) ->
            action == Access.Action.LOOK_UP
                ? new Access.Refused(Code.UNAUTHORIZED, "log in")
                : new Access.Allowed();
    assertThat(desk.ask("GET /rd-lookup/res").code()).isEqualTo(Code.UNAUTHORIZED);
    assertThat(desk.lookUp("/.well-known/core"))
        .contains("core.rd-lookup-res")
        .doesNotContain("/ms/");
  }

  @Test
  void aSimpleRegistrationIsForVerifiedSourcesOnly() {
    int[] asked = new int[1];
    desk.fetcher =
        Optional.of(
            request -> {
              asked[0]++;
              return CompletableFuture.completedFuture(
                  new Fetcher.Fetched("</a>".getBytes(StandardCharsets.UTF_8), 60));
            });
    desk.caller = Caller.anonymous(Desk.NODE, false);
    assertThat(desk.ask("POST /.well-known/rd?ep=a").code()).isEqualTo(Code.UNAUTHORIZED);
    assertThat(asked[0]).isZero();
    desk.caller = Caller.anonymous(Desk.NODE, true);
    assertThat(desk.ask("POST /.well-known/rd?ep=a&base=coap://h").code())
        .isEqualTo(Code.BAD_REQUEST);
    assertThat(desk.ask("POST /.well-known/rd?ep=a").code()).isEqualTo(Code.CHANGED);
    assertThat(desk.ask("POST /.well-known/rd?ep=a").code()).isEqualTo(Code.CHANGED);
    assertThat(asked[0]).as("what is fresh is not asked again").isEqualTo(1);
    desk.pass(Duration.ofSeconds(61));
    assertThat(desk.ask("POST /.well-known/rd?ep=a").code()).isEqualTo(Code.CHANGED);
    assertThat(asked[0]).isEqualTo(2);
  }

  @Test
  void theMirrorsEndpointsAreShownAsIfTheyWereTheEndpointItself() {
    String id =
        publishMirrored(
            "mote",
            "JKT",
            "</temp>;rt=\"t\",</a/../hum>,</t>;anchor=\"/temp\";rel=\"alternate\","
                + "<http://h/doc>;anchor=\"/temp\";rel=\"describedby\"");
    String expected =
        """
        </ms/ID/temp>;rt="t",</ms/ID/hum>,</ms/ID/t>;anchor="/ms/ID/temp";rel="alternate",
        <http://h/doc>;anchor="/ms/ID/temp";rel="describedby",
        </keys/JKT>;rel="describedby";ct=65101;anchor="/ms/ID/temp",
        </keys/JKT>;rel="describedby";ct=65101;anchor="/ms/ID/hum\""""
            .replace("ID", id);
    assertThat(
            desk.lookUp("/.well-known/core?href=/ms/*") + desk.lookUp("/.well-known/core?href=/x"))
        .isEqualTo(
            Desk.unwrapped(
                """
                </ms/ID/temp>;rt="t",</ms/ID/hum>,</ms/ID/t>;anchor="/ms/ID/temp";rel="alternate\""""
                    .replace("ID", id)));
    assertThat(desk.lookUp("/.well-known/core")).endsWith("," + Desk.unwrapped(expected));
    assertThat(desk.lookUp("/.well-known/core?rt=core.rd*")).doesNotContain("/ms/");
    assertThat(desk.lookUp("/rd-lookup/res?ep=mote"))
        .isEqualTo(
            Desk.unwrapped(expected)
                .replace("</", "<coap://rd.example.com/")
                .replace("anchor=\"/", "anchor=\"coap://rd.example.com/"));
    assertThat(desk.lookUp("/rd-lookup/ep?base=coap://rd.example.com"))
        .isEqualTo("</rd/" + id + ">;ep=mote;base=\"coap://rd.example.com\";rt=core.rd-ep");
    assertThat(desk.lookUp("/rd-lookup/res?href=coap://rd.example.com/ms/" + id + "/temp"))
        .isEqualTo("<coap://rd.example.com/ms/" + id + "/temp>;rt=\"t\"");
  }

  @Test
  void aConfiguredMirrorBaseIsShownToAll() {
    publishMirrored("mote", "JKT", "</temp>");
    DirectoryConfig standard = DirectoryConfig.standard();
    desk.open(
        new DirectoryConfig(
            "coap://gw.example",
            standard.grace(),
            standard.maxRegistrations(),
            standard.links(),
            standard.maxResults(),
            standard.changesPerSource(),
            standard.burstSeconds()));
    assertThat(desk.lookUp("/rd-lookup/res")).startsWith("<coap://gw.example/ms/");
  }

  @Test
  void theMirrorSpeaksForItsEndpoints() {
    String id = publishMirrored("mote", "JKT", "</temp>");
    assertThat(desk.ask("POST /rd?ep=mote", "</temp>").code()).isEqualTo(Code.FORBIDDEN);
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    assertThat(desk.ask("DELETE /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    submit("mote", Fact.none(Registration.SLOT));
    assertThat(desk.lookUp("/.well-known/core")).doesNotContain("/ms/");
    register("ep=mote", "</temp>");
  }

  @Test
  void decidesAnewWhenAnotherGatewayWasFaster() {
    // Another gateway's change that this projection has not folded.
    desk.directory.close();
    submit("a", new Fact("ms", 1, new byte[] {1}));
    submit("a", new Fact("ms", 1, new byte[] {2}));
    assertThat(register("ep=a", "</a>")).isEqualTo("1");
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
      register("ep=a", "</a>");
    }
    Response tooMany = desk.ask("POST /rd?ep=a", "</a>");
    assertThat(tooMany.code()).isEqualTo(Code.TOO_MANY_REQUESTS);
    assertThat(tooMany.maxAge()).isEqualTo(1);
    desk.caller = Caller.anonymous(Desk.address("192.0.2.1", 5683), true);
    register("ep=b", "</b>");
    desk.caller = Caller.anonymous(Desk.NODE, true);
    desk.pass(Duration.ofMillis(500));
    register("ep=c", "</c>");
    desk.pass(Duration.ofSeconds(5));
    assertThat(desk.ask("POST /rd?ep=d", "</d>").code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  void aClockThatIsPutBackLocksNobodyOut() {
    register("ep=a", "</a>");
    desk.pass(Duration.ofHours(-1));
    register("ep=a", "</a>,</b>");
  }

  @Test
  void anAnswerThatWouldBeTooLongNamesTheWayOut() {
    DirectoryConfig standard = DirectoryConfig.standard();
    desk.open(new DirectoryConfig("", standard.grace(), 10, standard.links(), 2, 100, 10));
    register("ep=a", "</a>,</b>,</c>");
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
    String id = register("ep=a", "</a>");
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
    register("ep=a&base=coap://h", "</a>;rt=\"x y\";obs;n=1;n=2");
    Request request =
        desk.request("GET /rd-lookup/res", "", List.of(ContentFormat.JSON, ContentFormat.TEXT));
    assertThat(Desk.text(desk.answer(request)))
        .isEqualTo("[{\"href\":\"coap://h/a\",\"rt\":\"x y\",\"obs\":true,\"n\":[\"1\",\"2\"]}]");
    Request senml = desk.request("GET /rd-lookup/res", "", List.of(ContentFormat.SENML_JSON));
    assertThat(desk.answer(senml).code()).isEqualTo(Code.NOT_ACCEPTABLE);
  }
}
