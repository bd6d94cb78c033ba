package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Access to registrations and lookups. */
class AccessRulesTest {
  private final DirectoryFixture fixture = new DirectoryFixture();

  private static Caller callerWith(Caller.Identity identity) {
    return new Caller(DirectoryFixture.NODE, true, true, identity);
  }

  @Test
  void onlyTheRegistrantMayChange() {
    fixture.access =
        (caller, action, domain) ->
            action == Access.Action.OPERATE && !(caller.identity() instanceof Caller.Account)
                ? new Access.Refused(Code.FORBIDDEN, "no")
                : new Access.Allowed();
    fixture.caller = callerWith(new Caller.RawKey("first"));
    String id = fixture.register("ep=a&lt=60", "</a>");

    fixture.caller = callerWith(new Caller.RawKey("second"));
    assertThat(fixture.ask("POST /rd?ep=a", "</b>").code()).isEqualTo(Code.FORBIDDEN);
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    assertThat(fixture.ask("DELETE /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    fixture.caller = Caller.anonymous(DirectoryFixture.NODE, true);
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.UNAUTHORIZED);
    assertThat(fixture.lookUp("/rd-lookup/res")).contains("/a>");

    fixture.caller = callerWith(new Caller.RawKey("first"));
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    fixture.caller = callerWith(new Caller.Account("operator", Set.of()));
    assertThat(fixture.ask("POST /rd/" + id + "?lt=60").code()).isEqualTo(Code.CHANGED);

    fixture.caller = callerWith(new Caller.RawKey("second"));
    fixture.advance(Duration.ofSeconds(60));
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    fixture.register("ep=a", "</b>");
  }

  @Test
  void remembersACertificateByAuthorityAndAllNames() {
    fixture.access =
        (caller, action, domain) ->
            action == Access.Action.OPERATE
                ? new Access.Refused(Code.FORBIDDEN, "no")
                : new Access.Allowed();
    fixture.caller = callerWith(new Caller.Certificate("CN=ca", Set.of("CN:a", "DNS:a.example")));
    String id = fixture.register("ep=a", "</a>");

    fixture.caller =
        callerWith(new Caller.Certificate("CN=other", Set.of("CN:a", "DNS:a.example")));
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    fixture.caller = callerWith(new Caller.Certificate("CN=ca", Set.of("CN:a")));
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    fixture.caller = callerWith(new Caller.Certificate("CN=b", Set.of("CN=ca", "CN:a")));
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);

    fixture.caller =
        callerWith(
            new Caller.Certificate("CN=ca", Set.of("DNS:a.example", "DNS:b.example", "CN:a")));
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
  }

  @Test
  void asksTheAccessPolicyForEachDomain() {
    fixture.register("ep=a&d=open", "</a>");
    fixture.register("ep=b&d=closed", "</b>");
    fixture.access =
        (caller, action, domain) ->
            domain.equals("closed")
                ? new Access.Refused(Code.FORBIDDEN, "closed")
                : new Access.Allowed();
    assertThat(fixture.lookUp("/rd-lookup/res")).contains("/a>").doesNotContain("/b>");
    assertThat(fixture.lookUp("/rd-lookup/ep")).contains("ep=a").doesNotContain("ep=b");
    assertThat(fixture.ask("GET /rd-lookup/res?d=closed").code()).isEqualTo(Code.FORBIDDEN);
    assertThat(fixture.ask("GET /rd/2").code()).isEqualTo(Code.FORBIDDEN);
    assertThat(fixture.ask("DELETE /rd/2").code()).isEqualTo(Code.FORBIDDEN);
    assertThat(fixture.ask("POST /rd?ep=c&d=closed", "</c>").code()).isEqualTo(Code.FORBIDDEN);
    assertThat(fixture.ask("POST /.well-known/rd?ep=c&d=closed").code()).isEqualTo(Code.FORBIDDEN);
  }

  @Test
  void theDirectoryIsDiscoverableWithoutLookupRights() {
    fixture.publish("m", "K", "</temp>");
    fixture.access =
        (caller, action, domain) ->
            action == Access.Action.LOOK_UP
                ? new Access.Refused(Code.UNAUTHORIZED, "log in")
                : new Access.Allowed();
    assertThat(fixture.ask("GET /rd-lookup/res").code()).isEqualTo(Code.UNAUTHORIZED);
    assertThat(fixture.lookUp("/.well-known/core"))
        .contains("core.rd-lookup-res")
        .doesNotContain("/served/");
  }
}
