package dev.vigil.gateway.passkeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.Source.Standing;
import dev.vigil.gateway.credentials.RelyingParty;
import dev.vigil.gateway.testing.SettableClock;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChallengesTest {
  private static final RelyingParty PARTY = new RelyingParty("localhost", Set.of());
  private static final Purpose SIGN_IN = new Purpose.SignIn();

  private final SettableClock clock = new SettableClock();
  private final Challenges challenges = new Challenges(new SecureRandom(), clock);

  /** Addresses of different /48 networks. */
  private static Source source(Standing standing, int number) {
    byte[] address = ByteBuffer.allocate(16).putShort((short) 0x2001).putInt(number).array();
    try {
      return Source.of(standing, InetAddress.getByAddress(address));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anAddressBeginsThirtyAMinute() {
    Source source = source(Standing.VERIFIED, 1);
    for (int i = 0; i < 30; i++) {
      challenges.begin(SIGN_IN, PARTY, source);
    }
    assertThatThrownBy(() -> challenges.begin(SIGN_IN, PARTY, source))
        .isInstanceOfSatisfying(
            ErrorResponseException.class, e -> assertThat(e.code().dotted()).isEqualTo("4.29"));
    assertThat(challenges.begin(SIGN_IN, PARTY, source(Standing.VERIFIED, 2))).hasSize(43);
  }

  @Test
  void strangersLeavePlacesForPeopleWithAPassword() {
    for (int i = 0; i < 2 * Challenges.MAX; i++) {
      try {
        challenges.begin(SIGN_IN, PARTY, source(Standing.VERIFIED, i));
      } catch (ErrorResponseException e) {
        assertThat(e.code().dotted()).isEqualTo("5.03");
      }
    }
    assertThat(challenges.size()).isEqualTo(3072);
    String kept =
        challenges.begin(
            new Purpose.SecondFactor("ann", "id"), PARTY, source(Standing.AUTHENTICATED, 1));
    assertThat(challenges.take(kept)).isNotNull();
    assertThat(challenges.take(kept)).isNull();
    clock.pass(Challenges.MAX_AGE);
    challenges.begin(SIGN_IN, PARTY, source(Standing.VERIFIED, 1));
    assertThat(challenges.size()).isEqualTo(1);
  }
}
