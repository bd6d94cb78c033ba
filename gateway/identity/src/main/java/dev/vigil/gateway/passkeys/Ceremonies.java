package dev.vigil.gateway.passkeys;

import com.webauthn4j.WebAuthnManager;
import com.webauthn4j.converter.AttestedCredentialDataConverter;
import com.webauthn4j.converter.util.ObjectConverter;
import com.webauthn4j.credential.CredentialRecordImpl;
import com.webauthn4j.data.AuthenticationData;
import com.webauthn4j.data.AuthenticationParameters;
import com.webauthn4j.data.AuthenticationRequest;
import com.webauthn4j.data.PublicKeyCredentialParameters;
import com.webauthn4j.data.PublicKeyCredentialType;
import com.webauthn4j.data.RegistrationData;
import com.webauthn4j.data.RegistrationParameters;
import com.webauthn4j.data.RegistrationRequest;
import com.webauthn4j.data.attestation.authenticator.AttestedCredentialData;
import com.webauthn4j.data.attestation.authenticator.AuthenticatorData;
import com.webauthn4j.data.attestation.statement.COSEAlgorithmIdentifier;
import com.webauthn4j.data.client.CollectedClientData;
import com.webauthn4j.data.client.Origin;
import com.webauthn4j.data.client.challenge.DefaultChallenge;
import com.webauthn4j.server.ServerProperty;
import com.webauthn4j.verifier.exception.MaliciousCounterValueException;
import dev.vigil.coap.limits.Source;
import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.accounts.PasskeyRecord;
import dev.vigil.gateway.credentials.RelyingParty;
import dev.vigil.gateway.passkeys.Challenges.Challenge;
import dev.vigil.gateway.passkeys.PasskeyRefusedException.Reason;
import dev.vigil.gateway.problems.ProblemException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The ceremonies that create and use passkeys (WebAuthn section 7). WebAuthn4J reads and verifies
 * the authenticators' answers. The authenticator must verify the user by PIN or biometrics.
 * Attestation is neither requested nor checked, so any authenticator is accepted.
 */
@Component
final class Ceremonies {
  /** The COSE algorithms for passkeys, in order of preference: ES256, EdDSA, RS256. */
  static final List<Integer> ALGORITHMS = List.of(-7, -8, -257);

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final boolean USER_VERIFICATION = true;

  private final Challenges challenges;
  private final Clock clock;

  /** Created at the first use of a passkey, so that startup does not wait for it. */
  private volatile @Nullable Library library;

  private record Library(WebAuthnManager manager, AttestedCredentialDataConverter credentials) {}

  /** A new passkey and its id in the store. */
  record Made(String id, PasskeyRecord passkey) {}

  /** An answer whose challenge was taken and whose signature has not been verified. */
  record Assertion(AuthenticationData data, Challenge challenge, RelyingParty party) {
    /** The id in the store of the passkey that the answer names. */
    String id() {
      return Secrets.hash(data.getCredentialId());
    }

    /**
     * Whether the answer carries the account's handle; an absent handle passes unless it is
     * required.
     */
    boolean isOf(String handle, boolean required) {
      byte[] kept = data.getUserHandle();
      return kept == null || kept.length == 0
          ? !required
          : ENCODER.encodeToString(kept).equals(handle);
    }
  }

  Ceremonies(SecureRandom random, Clock clock) {
    this.challenges = new Challenges(random, clock);
    this.clock = clock;
  }

  private Library library() {
    Library made = library;
    if (made == null) {
      ObjectConverter converter = new ObjectConverter();
      made =
          new Library(
              WebAuthnManager.createNonStrictWebAuthnManager(converter),
              new AttestedCredentialDataConverter(converter));
      library = made;
    }
    return made;
  }

  /**
   * Begins a ceremony.
   *
   * @return the challenge for the authenticator, base64url
   * @throws ProblemException 4.29 or 5.03 after too many ceremonies
   */
  String begin(Purpose purpose, RelyingParty party, Source source) {
    return challenges.begin(purpose, party, source);
  }

  /**
   * Ends the ceremony that creates a passkey for an account.
   *
   * @param accountMade when the account was made
   */
  Made register(
      String account, Instant accountMade, String name, NewPasskeyJson answer, RelyingParty party)
      throws PasskeyRefusedException {
    RegistrationData data =
        read(
            () ->
                library()
                    .manager
                    .parse(
                        new RegistrationRequest(
                            octets(answer.attestationObject()), octets(answer.clientDataJSON()))));
    Challenge challenge = taken(data.getCollectedClientData(), party);
    if (!(challenge.purpose() instanceof Purpose.Registration(String begun, String handle))
        || !begun.equals(account)) {
      throw new PasskeyRefusedException(Reason.NOT_BEGUN, "the challenge has another purpose");
    }
    try {
      RegistrationParameters parameters =
          new RegistrationParameters(server(party, challenge), parameters(), USER_VERIFICATION);
      AuthenticatorData<?> made =
          library().manager.verify(data, parameters).getAttestationObject().getAuthenticatorData();
      AttestedCredentialData credential = made.getAttestedCredentialData();
      PasskeyRecord passkey =
          new PasskeyRecord(
              account,
              accountMade,
              name,
              party.id(),
              handle,
              ENCODER.encodeToString(library().credentials.convert(credential)),
              made.getSignCount(),
              made.isFlagBE(),
              made.isFlagBS(),
              Objects.requireNonNullElse(answer.transports(), List.of()),
              clock.instant(),
              null,
              null);
      return new Made(Secrets.hash(credential.getCredentialId()), passkey);
    } catch (RuntimeException e) {
      throw invalid(e);
    }
  }

  /**
   * Reads an answer that uses a passkey and takes its challenge, even if the answer is then
   * refused.
   */
  Assertion read(PasskeyAnswerJson answer, RelyingParty party) throws PasskeyRefusedException {
    String handle = answer.userHandle();
    AuthenticationData data =
        read(
            () ->
                library()
                    .manager
                    .parse(
                        new AuthenticationRequest(
                            octets(answer.id()),
                            handle == null ? null : octets(handle),
                            octets(answer.authenticatorData()),
                            octets(answer.clientDataJSON()),
                            null,
                            octets(answer.signature()))));
    return new Assertion(data, taken(data.getCollectedClientData(), party), party);
  }

  /**
   * Verifies an answer with the passkey that it names.
   *
   * @return the passkey with its new counter
   */
  PasskeyRecord verify(Assertion answer, PasskeyRecord stored) throws PasskeyRefusedException {
    try {
      CredentialRecordImpl credential =
          new CredentialRecordImpl(
              null,
              true,
              stored.backupEligible(),
              stored.backedUp(),
              stored.counter(),
              library().credentials.convert(octets(stored.data())),
              null,
              null,
              null,
              null);
      AuthenticatorData<?> used =
          library()
              .manager
              .verify(
                  answer.data,
                  new AuthenticationParameters(
                      server(answer.party, answer.challenge), credential, null, USER_VERIFICATION))
              .getAuthenticatorData();
      return stored.used(used.getSignCount(), used.isFlagBS(), clock.instant());
    } catch (MaliciousCounterValueException e) {
      throw new PasskeyRefusedException(
          Reason.COUNTER,
          "the signature counter went back from %d to %d"
              .formatted(stored.counter(), answer.data.getAuthenticatorData().getSignCount()));
    } catch (RuntimeException e) {
      throw invalid(e);
    }
  }

  /** The credential id that browsers use for a passkey, base64url. */
  String credentialId(PasskeyRecord stored) {
    return ENCODER.encodeToString(library().credentials.extractCredentialId(octets(stored.data())));
  }

  /** Maps the many exceptions of WebAuthn4J and Jackson for malformed answers. */
  private static <T> T read(Supplier<T> answer) throws PasskeyRefusedException {
    try {
      return answer.get();
    } catch (RuntimeException e) {
      throw new PasskeyRefusedException(
          Reason.INVALID, "the answer cannot be read: " + e.getClass().getSimpleName());
    }
  }

  private Challenge taken(@Nullable CollectedClientData client, RelyingParty party)
      throws PasskeyRefusedException {
    if (client == null) {
      throw new PasskeyRefusedException(Reason.INVALID, "the answer has no client data");
    }
    Challenge challenge = challenges.take(ENCODER.encodeToString(client.getChallenge().getValue()));
    if (challenge == null || !challenge.host().equals(party.id())) {
      throw new PasskeyRefusedException(
          Reason.NOT_BEGUN, "the challenge is unknown, too old or already answered");
    }
    return challenge;
  }

  /**
   * Keeps only the class of WebAuthn4J's exception, because its text may quote the client's input.
   */
  private static PasskeyRefusedException invalid(RuntimeException e) {
    return new PasskeyRefusedException(
        Reason.INVALID, e.getClass().getSimpleName().replaceFirst("Exception$", ""));
  }

  private static ServerProperty server(RelyingParty party, Challenge challenge) {
    return ServerProperty.builder()
        .origins(party.origins().stream().map(Origin::create).collect(Collectors.toSet()))
        .rpId(party.id())
        .challenge(new DefaultChallenge(octets(challenge.text())))
        .build();
  }

  private static List<PublicKeyCredentialParameters> parameters() {
    return ALGORITHMS.stream()
        .map(
            algorithm ->
                new PublicKeyCredentialParameters(
                    PublicKeyCredentialType.PUBLIC_KEY, COSEAlgorithmIdentifier.create(algorithm)))
        .toList();
  }

  private static byte[] octets(@Nullable String text) {
    return Base64.getUrlDecoder().decode(Objects.requireNonNullElse(text, ""));
  }
}
