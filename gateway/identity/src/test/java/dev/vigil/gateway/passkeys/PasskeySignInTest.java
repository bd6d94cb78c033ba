package dev.vigil.gateway.passkeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.Source.Standing;
import dev.vigil.gateway.accounts.AccountChange;
import dev.vigil.gateway.accounts.PasskeyDemand;
import dev.vigil.gateway.accounts.PasskeyRecord;
import dev.vigil.gateway.accounts.SignInContext;
import dev.vigil.gateway.accounts.Site;
import dev.vigil.gateway.credentials.RelyingParty;
import dev.vigil.gateway.signin.SignIn;
import dev.vigil.gateway.signin.SignInSite;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasskeySignInTest {
  private static final String PASSWORD = "a password like a one-time one";
  private static final String ORIGIN = "http://localhost:8080";
  private static final RelyingParty PARTY = new RelyingParty("localhost", Set.of(ORIGIN));
  private static final SignInContext CONTEXT = Site.from(Site.SOURCE);

  private final SignInSite site = new SignInSite();
  private final Ceremonies ceremonies = new Ceremonies(new SecureRandom(), site.clock);
  private final PasskeySignIn passkeySignIn =
      new PasskeySignIn(site.passkeys, site.signIn, ceremonies, site.clock);
  private final SoftAuthenticator authenticator = new SoftAuthenticator(ORIGIN, "localhost");

  @BeforeEach
  void anAccountWithAPasskey() throws PasskeyRefusedException {
    account("boss", "administrator");
    account("ann", "viewer");
    add("ann", "laptop", authenticator);
  }

  private void account(String name, String role) {
    site.withFastHash(name, PASSWORD, role);
  }

  private void add(String account, String name, SoftAuthenticator authenticator)
      throws PasskeyRefusedException {
    String handle = site.passkeys.handle(account);
    Source source = Source.of(Standing.AUTHENTICATED, Site.SOURCE);
    String challenge = ceremonies.begin(new Purpose.Registration(account, handle), PARTY, source);
    Instant accountMade = site.accounts.require(account).value().createdAt();
    Ceremonies.Made made =
        ceremonies.register(
            account, accountMade, name, authenticator.create(challenge, handle), PARTY);
    site.passkeys.add(made.id(), made.passkey(), Site.BY_TEST);
  }

  private void demandByAdministrator() {
    AccountChange present = Site.roles("viewer");
    site.change(
        "ann",
        new AccountChange(
            present.grants(), present.identities(), true, PasskeyDemand.ADMINISTRATOR));
  }

  private @Nullable PasskeyDemand demand() {
    return site.accounts.require("ann").value().passkeyDemand();
  }

  private String id() {
    return site.passkeys.of("ann").getFirst().id();
  }

  private SignIn.Begun alone() {
    String challenge = passkeySignIn.begin(PARTY, Site.SOURCE).challenge();
    return passkeySignIn.finish(authenticator.get(challenge), PARTY, CONTEXT);
  }

  private SignIn.Begun second(String account, String secret) {
    String challenge = passkeySignIn.begin(account, secret, PARTY, CONTEXT).challenge();
    return passkeySignIn.finish(authenticator.get(challenge), PARTY, CONTEXT);
  }

  private String refusal() {
    try {
      return alone().account();
    } catch (ErrorResponseException e) {
      return e.code().dotted() + " " + e.diagnostic();
    }
  }

  @Test
  void aPasskeyAloneBeginsASession() {
    SignIn.Begun begun = alone();
    assertThat(begun.account()).isEqualTo("ann");
    assertThat(site.sessions.find(begun.session()))
        .hasValueSatisfying(session -> assertThat(session.value().account()).isEqualTo("ann"));
    PasskeyRecord used = site.passkeys.of("ann").getFirst().value();
    assertThat(used.usedAt()).isEqualTo(site.clock.instant());
    assertThat(used.counter()).isEqualTo(2);
  }

  @Test
  void anAccountThatRequiresAPasskeyRefusesThePasswordAlone() {
    site.accounts.demandPasskey("ann", true, Site.BY_TEST);
    assertThatThrownBy(() -> site.signIn.signIn("ann", PASSWORD, CONTEXT))
        .hasMessageContaining("signs in with a passkey");
    assertThatThrownBy(() -> second("ann", "not the password"))
        .hasMessageContaining("the name or the password is wrong");
    assertThat(second("Ann", PASSWORD).account()).isEqualTo("ann");
    assertThat(alone().account()).isEqualTo("ann");
  }

  @Test
  void theUserWithdrawsOnlyTheOwnDemand() {
    site.accounts.demandPasskey("ann", true, Site.BY_TEST);
    assertThat(demand()).isEqualTo(PasskeyDemand.OWNER);
    site.accounts.demandPasskey("ann", false, Site.BY_TEST);
    assertThat(demand()).isNull();
    demandByAdministrator();
    assertThatThrownBy(() -> site.accounts.demandPasskey("ann", false, Site.BY_TEST))
        .hasMessageContaining("ask an administrator");
    site.accounts.demandPasskey("ann", true, Site.BY_TEST);
    assertThat(demand()).isEqualTo(PasskeyDemand.ADMINISTRATOR);
  }

  @Test
  void aSecondFactorDoesNotOutliveItsPassword() {
    String challenge = passkeySignIn.begin("ann", PASSWORD, PARTY, CONTEXT).challenge();
    String once = site.reset("ann");
    assertThatThrownBy(() -> passkeySignIn.finish(authenticator.get(challenge), PARTY, CONTEXT))
        .hasMessageContaining("begin again");
    assertThat(site.sessions.list("ann"::equals)).isEmpty();
    SignIn.Begun begun = second("ann", once);
    assertThat(site.sessions.find(begun.session()).orElseThrow().value().credentials())
        .isEqualTo(site.accounts.require("ann").value().presentCredentials());
  }

  @Test
  void wrongPasswordsLockNoPasskeyOut() {
    site.accounts.demandPasskey("ann", true, Site.BY_TEST);
    for (int i = 0; i < 20; i++) {
      InetAddress other = InetAddress.ofLiteral("198.51.100." + i);
      assertThatThrownBy(() -> site.signIn.signIn("ann", "wrong", Site.from(other)))
          .hasMessageContaining("password is wrong");
    }
    assertThatThrownBy(() -> second("ann", PASSWORD)).hasMessageContaining("too many wrong");
    assertThat(refusal()).isEqualTo("ann");
  }

  @Test
  void refusedPasskeysLimitTheirAddressAlone() {
    authenticator.origin = "https://evil.example";
    for (int i = 0; i < 10; i++) {
      assertThat(refusal()).startsWith("4.01 the passkey is not accepted");
    }
    authenticator.origin = ORIGIN;
    assertThat(refusal()).startsWith("4.29");
    assertThat(site.signIn.signIn("ann", PASSWORD, CONTEXT).account()).isEqualTo("ann");
    site.clock.pass(Duration.ofMinutes(1));
    assertThat(refusal()).isEqualTo("ann");
  }

  @Test
  void aPasskeyThatWasRemovedSignsInNoMore() {
    site.passkeys.remove("ann", id(), Site.BY_TEST);
    assertThat(refusal()).startsWith("4.01");
  }

  @Test
  void theLastPasskeyStaysWhileOneIsRequired() throws PasskeyRefusedException {
    demandByAdministrator();
    assertThatThrownBy(() -> site.passkeys.remove("ann", id(), Site.BY_TEST))
        .hasMessageContaining("its last one");
    add("ann", "key ring", new SoftAuthenticator(ORIGIN, "localhost"));
    site.passkeys.remove("ann", id(), Site.BY_TEST);
    assertThat(site.passkeys.of("ann")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, -2})
  void disabledAndFormerAccountsSignInWithNoPasskey(long minutesLater) {
    site.change("ann", Site.disabled("viewer"));
    assertThat(refusal()).startsWith("4.01");
    site.remove("ann");
    assertThat(refusal()).startsWith("4.01");
    site.clock.pass(Duration.ofMinutes(minutesLater));
    account("ann", "viewer");
    assertThat(refusal()).startsWith("4.01");
    assertThat(site.passkeys.of("ann")).isEmpty();
  }

  @Test
  void anAccountMadeAheadOfTheClockHasPasskeys() throws PasskeyRefusedException {
    account("bob", "viewer");
    site.clock.pass(Duration.ofHours(-1));
    SoftAuthenticator phone = new SoftAuthenticator(ORIGIN, "localhost");
    add("bob", "phone", phone);
    String challenge = passkeySignIn.begin(PARTY, Site.SOURCE).challenge();
    assertThat(passkeySignIn.finish(phone.get(challenge), PARTY, CONTEXT).account())
        .isEqualTo("bob");
  }

  @Test
  void aSignInDuringTheEndOfItsAccountIdentifiesNobodyLater() {
    site.onPasskeyUse(() -> site.change("ann", Site.disabled("viewer")));
    SignIn.Begun begun = alone();
    site.change("ann", Site.roles("viewer"));
    assertThat(site.sessions.find(begun.session()))
        .hasValueSatisfying(
            session ->
                assertThat(site.accounts.require("ann").value().permits(session.value()))
                    .isFalse());
  }

  @Test
  void aCopiedPasskeyIsRefusedAndKept() {
    alone();
    alone();
    authenticator.counter = 2;
    assertThat(refusal()).startsWith("4.01 the passkey is not accepted");
    PasskeyRecord kept = site.passkeys.of("ann").getFirst().value();
    assertThat(kept.regressedAt()).isEqualTo(site.clock.instant());
    assertThat(kept.counter()).isEqualTo(3);
  }

  @Test
  void aSecondFactorIsAPasskeyOfThatAccount() throws PasskeyRefusedException {
    account("bob", "viewer");
    assertThatThrownBy(() -> second("bob", PASSWORD)).hasMessageContaining("has no passkey");
    add("bob", "phone", new SoftAuthenticator(ORIGIN, "localhost"));
    assertThatThrownBy(() -> second("bob", PASSWORD)).hasMessageContaining("not accepted");
  }

  @Test
  void aPasskeyWorksUnderItsOwnHostName() {
    RelyingParty other = new RelyingParty("gateway.example", Set.of("https://gateway.example"));
    authenticator.origin = "https://gateway.example";
    authenticator.host = "gateway.example";
    String challenge = passkeySignIn.begin(other, Site.SOURCE).challenge();
    assertThatThrownBy(() -> passkeySignIn.finish(authenticator.get(challenge), other, CONTEXT))
        .hasMessageContaining("not accepted");
  }

  @Test
  void anAccountHasSixteenPasskeysOfDifferentNames() throws PasskeyRefusedException {
    assertThatThrownBy(() -> add("ann", "laptop", new SoftAuthenticator(ORIGIN, "localhost")))
        .hasMessageContaining("of that name");
    assertThatThrownBy(() -> add("ann", "again", authenticator))
        .hasMessageContaining("registered already");
    assertThatThrownBy(() -> add("ann", "\u202egnp", new SoftAuthenticator(ORIGIN, "localhost")))
        .hasMessageContaining("the name of a passkey");
    for (int i = 1; i < 16; i++) {
      add("ann", "Schlüssel " + i, new SoftAuthenticator(ORIGIN, "localhost"));
    }
    assertThatThrownBy(() -> add("ann", "more", new SoftAuthenticator(ORIGIN, "localhost")))
        .hasMessageContaining("16 passkeys already");
  }
}
