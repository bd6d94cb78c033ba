package dev.vigil.gateway.signin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.accounts.AccountChange;
import dev.vigil.gateway.accounts.AccountRecord;
import dev.vigil.gateway.accounts.Accounts;
import dev.vigil.gateway.accounts.OwnerGrants;
import dev.vigil.gateway.accounts.SessionRecord;
import dev.vigil.gateway.accounts.Site;
import dev.vigil.gateway.credentials.Credentials;
import dev.vigil.gateway.credentials.LinkSource;
import dev.vigil.gateway.oidc.ProviderAccount;
import dev.vigil.gateway.oidc.ProviderLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RightsTest tries the operator's token itself against whole gateways. */
class GatewayCredentialsTest {
  private final SignInSite site = new SignInSite();
  private final GatewayCredentials credentials = site.credentials(Optional.empty());

  private String identify(Credentials presented) {
    try {
      return switch (credentials.identify(presented, Site.SOURCE)) {
        case Caller.Account(String name, Set<String> roles) ->
            name + " " + String.join(" ", roles.stream().sorted().toList());
        case Caller.Link(String object, String name, Caller.Account maker) ->
            "%s %s of %s %s".formatted(object, name, maker.name(), maker.roles());
        case Caller.Identity other -> other.getClass().getSimpleName();
      };
    } catch (ErrorResponseException e) {
      return e.code().dotted();
    }
  }

  private String bearer(String token) {
    return identify(new Credentials("Bearer " + token, null));
  }

  private String cookie(String session) {
    return identify(new Credentials(null, session));
  }

  private String token(String owner, String... roles) {
    Instant end = site.clock.instant().plus(Duration.ofDays(1));
    return site.tokens
        .make(owner, made(owner), "ci", Grants.of(List.of(roles)), end, Site.BY_TEST)
        .secret();
  }

  private @Nullable Instant made(String account) {
    return new OwnerGrants(Optional.empty(), site.accounts).made(account);
  }

  private void change(String name, AccountChange settings) {
    site.change(name, settings);
  }

  @Test
  void wrongTokensAreLimitedButRightOnesAreAlwaysAccepted() {
    site.account("ann", "viewer");
    site.account("boss", "administrator");
    String right = token("ann", "viewer");
    for (int i = 0; i < 10; i++) {
      assertThat(bearer("wrong" + i)).isEqualTo("4.01");
    }
    assertThat(identify(new Credentials("Basic b3BlcmF0b3I6eA==", null))).isEqualTo("4.29");
    assertThat(bearer(right)).isEqualTo("ann/ci viewer");
    site.clock.pass(Duration.ofMinutes(1));
    assertThat(bearer(right.substring(0, right.length() - 1))).isEqualTo("4.01");
  }

  @Test
  void aClockSetBackDoesNotProlongTheLimit() {
    for (int i = 0; i < 11; i++) {
      bearer("wrong");
    }
    site.clock.pass(Duration.ofHours(-1));
    assertThat(bearer("wrong")).isEqualTo("4.01");
  }

  @Test
  void aTokenEndsWithItsTimeAndWithItsAccount() {
    site.account("boss", "administrator");
    site.account("ann", "operator:plant", "viewer");
    String token = token("ann", "operator:plant");
    assertThat(bearer(token)).isEqualTo("ann/ci operator:plant");
    change("ann", Site.roles("viewer"));
    assertThat(bearer(token)).isEqualTo("ann/ci viewer:plant");
    change("ann", Site.disabled("viewer"));
    assertThat(bearer(token)).isEqualTo("4.01");
    change("ann", Site.roles("viewer"));
    site.clock.pass(Duration.ofDays(1));
    assertThat(bearer(token)).isEqualTo("4.01");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, -3600})
  void aNewAccountOfTheSameNameInheritsNothing(long secondsLater) {
    site.account("boss", "administrator");
    site.account("ann", "viewer");
    String token = token("ann", "viewer");
    String session = site.open("ann", null);
    site.links.put("vigil_link_a.b", link("ann"));
    assertThat(cookie(session)).isEqualTo("ann viewer");
    assertThat(bearer("vigil_link_a.b")).isEqualTo("hall screen of ann [viewer]");
    site.remove("ann");
    assertThat(bearer(token)).isEqualTo("4.01");
    assertThat(cookie(session)).isEqualTo("Anonymous");
    site.clock.pass(Duration.ofSeconds(secondsLater));
    site.account("ann", "administrator");
    assertThat(bearer(token)).isEqualTo("4.01");
    assertThat(bearer("vigil_link_a.b")).isEqualTo("4.01");
    assertThat(cookie(session)).isEqualTo("Anonymous");
  }

  private LinkSource.Found link(String maker) {
    return new LinkSource.Found("hall", "screen", maker, made(maker), site.clock.instant());
  }

  @Test
  void aTokenOfAnOlderVersionIsComparedByTime() {
    site.account("ann", "viewer");
    Instant made = site.clock.instant();
    OwnerGrants owners = new OwnerGrants(Optional.empty(), site.accounts);
    assertThat(owners.of("ann", null, made)).isNotNull();
    assertThat(owners.of("ann", null, made.minusSeconds(1))).isNull();
  }

  @Test
  void aLinkHasThePresentRolesOfItsMaker() {
    site.account("boss", "administrator");
    site.account("ann", "operator:plant");
    site.links.put("vigil_link_a.b", link("ann"));
    assertThat(bearer("vigil_link_a.b")).isEqualTo("hall screen of ann [operator:plant]");
    assertThat(bearer("vigil_link_a.c")).isEqualTo("4.01");
    change("ann", Site.roles("viewer"));
    assertThat(bearer("vigil_link_a.b")).isEqualTo("hall screen of ann [viewer]");
    change("ann", Site.disabled("viewer"));
    assertThat(bearer("vigil_link_a.b")).isEqualTo("4.01");
  }

  @Test
  void aSessionIdentifiesNobodyUntilItsOneTimePasswordIsChanged() {
    site.create("ann", Site.roles("administrator"));
    String session = site.open("ann", null);
    assertThat(cookie(session)).isEqualTo("Anonymous");
    assertThat(cookie("x".repeat(43))).isEqualTo("Anonymous");
  }

  @Test
  void aClockSetBackBeforeTheLastPasswordChangeLocksNobodyOut() {
    site.account("ann", "viewer");
    site.clock.pass(Duration.ofHours(-2));
    assertThat(cookie(site.open("ann", null))).isEqualTo("ann viewer");
  }

  @Test
  void enablingAnAccountDoesNotReviveItsSessions() {
    site.account("boss", "administrator");
    site.account("ann", "viewer");
    String session = site.open("ann", null);
    change("ann", Site.disabled("viewer"));
    assertThat(cookie(session)).isEqualTo("Anonymous");
    change("ann", Site.roles("viewer"));
    assertThat(cookie(session)).isEqualTo("Anonymous");
    assertThat(cookie(site.open("ann", null))).isEqualTo("ann viewer");
  }

  @Test
  void recordsOfOlderVersionsAreComparedByTime() {
    Instant set = site.clock.instant();
    AccountRecord old =
        new AccountRecord("", false, true, List.of(), List.of(), set, set, null, null);
    assertThat(old.permits(older(set))).isTrue();
    assertThat(old.permits(older(set.minusSeconds(1)))).isFalse();
    assertThat(old.withPassword("", false, set, "new").permits(older(set))).isFalse();
  }

  private static SessionRecord older(Instant createdAt) {
    return new SessionRecord("ann", createdAt, createdAt, "192.0.2.1", "", null, null);
  }

  @Test
  void openStreamsNoticeThatTheirCredentialsHaveChanged() {
    site.account("boss", "administrator");
    site.account("ann", "viewer");
    Credentials session = new Credentials(null, site.open("ann", null));
    Caller.Identity identity = credentials.identify(session, Site.SOURCE);
    assertThat(credentials.areValid(session, identity)).isTrue();
    change("ann", Site.roles("viewer:plant"));
    assertThat(credentials.areValid(session, identity)).isFalse();
  }

  @Test
  void anIdentityHasTheRolesOfTheAccountThatNamesIt() {
    site.account("boss", "administrator");
    AccountChange settings =
        new AccountChange(Grants.of(List.of("viewer:plant")), List.of("psk:node-7"), true, null);
    site.create("ann", settings);
    assertThat(site.accounts.grants(List.of("psk:node-7"))).isEqualTo(settings.grants());
    assertThat(site.accounts.grants(List.of("psk:node-8"))).isNull();
    change("ann", new AccountChange(settings.grants(), settings.identities(), false, null));
    assertThat(site.accounts.grants(List.of("cert:x", "psk:node-7"))).isEqualTo(Grants.NONE);
  }

  @Test
  void anAccountOfAProviderHasNoRightsOfOneOfTheGateway() {
    site.account("boss", "administrator");
    ProviderLogin login = new ProviderLogin("https://login.example", "7f3a", List.of("crew"));
    String session = site.sessions.open(new ProviderAccount("boss", login), Site.from(Site.SOURCE));
    assertThat(site.sessions.list("oidc:boss"::equals)).hasSize(1);
    assertThat(site.sessions.list("boss"::equals)).isEmpty();
    // The settings no longer name a provider.
    assertThat(cookie(session)).isEqualTo("Anonymous");
    assertThat(Accounts.isName("oidc:boss")).isFalse();
  }
}
