package dev.vigil.gateway.webauthn;

import com.webauthn4j.data.AuthenticationData;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.limits.Source;
import dev.vigil.gateway.webauthn.PasskeyRefusedException.Reason;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The ceremonies that make and use passkeys (WebAuthn section 7). */
public final class Ceremonies {
  /** The time that a person has for a ceremony. */
  public static final Duration MAX_AGE = Challenges.MAX_AGE;

  /** Algorithms of passkeys, the preferred one first: ES256, EdDSA and RS256 of COSE. */
  public static final List<Integer> ALGORITHMS = List.of(-7, -8, -257);

  private final Challenges challenges;
  private final WebAuthnVerifier verifier = new WebAuthnVerifier();

  /**
   * A passkey that was made.
   *
   * @param handle of the account, which the authenticator keeps beside it, base64url
   */
  public record Registered(Credential credential, String handle) {}

  /** An answer whose challenge was taken, and whose signature is not yet verified. */
  public final class Assertion {
    private final AuthenticationData data;
    private final Challenges.Challenge challenge;
    private final RelyingParty party;

    private Assertion(AuthenticationData data, Challenges.Challenge challenge, RelyingParty party) {
      this.data = data;
      this.challenge = challenge;
      this.party = party;
    }

    /** The id of the {@link Credential} that it names. */
    public String id() {
      return WebAuthnVerifier.id(data.getCredentialId());
    }

    public Purpose purpose() {
      return challenge.purpose();
    }

    /** The handle of the account, base64url; empty when the authenticator sent none. */
    public Optional<String> userHandle() {
      return WebAuthnVerifier.text(data.getUserHandle());
    }

    /**
     * Verifies the answer against the passkey that it names.
     *
     * @return the passkey with its new counter
     */
    public Credential verify(Credential stored) throws PasskeyRefusedException {
      return verifier.verify(data, stored, party, challenge.text());
    }
  }

  public Ceremonies(SecureRandom random, Clock clock) {
    this.challenges = new Challenges(random, clock);
  }

  /**
   * Begins a ceremony.
   *
   * @return the challenge for the authenticator, base64url
   * @throws ErrorResponseException 4.29 or 5.03 after too many
   */
  public String begin(Purpose purpose, RelyingParty party, Source source) {
    return challenges.begin(purpose, party, source);
  }

  /** Ends the ceremony that makes a passkey for an account. */
  public Registered register(String account, RegistrationAnswer answer, RelyingParty party)
      throws PasskeyRefusedException {
    WebAuthnVerifier.Registration read = verifier.read(answer);
    Challenges.Challenge challenge = taken(read.challenge(), party);
    if (challenge.purpose() instanceof Purpose.Registration(String begun, String handle)
        && begun.equals(account)) {
      return new Registered(verifier.verify(read, party, challenge.text()), handle);
    }
    throw new PasskeyRefusedException(Reason.NOT_BEGUN, "the challenge has another purpose");
  }

  /** Takes the challenge of an answer that uses a passkey, whatever becomes of the answer. */
  public Assertion read(AssertionAnswer answer, RelyingParty party) throws PasskeyRefusedException {
    AuthenticationData data = verifier.read(answer);
    Challenges.Challenge challenge = taken(WebAuthnVerifier.challenge(data), party);
    if (challenge.purpose() instanceof Purpose.Registration) {
      throw new PasskeyRefusedException(Reason.NOT_BEGUN, "the challenge has another purpose");
    }
    return new Assertion(data, challenge, party);
  }

  /** The id by which browsers know a passkey, base64url. */
  public String credentialId(Credential stored) {
    return verifier.credentialId(stored);
  }

  private Challenges.Challenge taken(String text, RelyingParty party)
      throws PasskeyRefusedException {
    Challenges.Challenge challenge = challenges.take(text);
    if (challenge == null || !challenge.host().equals(party.id())) {
      throw new PasskeyRefusedException(
          Reason.NOT_BEGUN, "the challenge is unknown, too old or was answered before");
    }
    return challenge;
  }
}
