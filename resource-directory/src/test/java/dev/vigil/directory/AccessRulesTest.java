package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who may register, change and look up. */
class AccessRulesTest {
  private final Desk desk = new Desk();

  private static Caller callerWith(Caller.Identity identity) {
    return new Caller(Desk.NODE, true, true, identity);
  }

  @Test
  void onlyWhoRegisteredMayChange() {
    desk.access =
        (caller, action, domain) ->
            action == Access.Action.ADMINISTER && !(caller.identity() instanceof Caller.Account)
                ? new Access.Refused(Code.FORBIDDEN, "no")
                : new Access.Allowed();
    desk.caller = callerWith(new Caller.RawKey("first"));
    String id = desk.register("ep=a&lt=60", "</a>");

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
    desk.register("ep=a", "</b>");
  }

  @Test
  void remembersACertificateByItsAuthorityAndAllItsNames() {
    desk.access =
        (caller, action, domain) ->
            action == Access.Action.ADMINISTER
                ? new Access.Refused(Code.FORBIDDEN, "no")
                : new Access.Allowed();
    desk.caller = callerWith(new Caller.Certificate("CN=ca", Set.of("CN:a", "DNS:a.example")));
    String id = desk.register("ep=a", "</a>");

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
    desk.register("ep=a&d=open", "</a>");
    desk.register("ep=b&d=closed", "</b>");
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
    desk.publishMirrored("m", "K", "</temp>");
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
}
