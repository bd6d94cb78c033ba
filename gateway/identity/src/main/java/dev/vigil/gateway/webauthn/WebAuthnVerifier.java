package dev.vigil.gateway.webauthn;

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
import dev.vigil.gateway.webauthn.PasskeyRefusedException.Reason;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads and verifies authenticators' answers with WebAuthn4J. Users must be verified, by PIN or
 * biometrics. Attestation is neither asked for nor judged: any authenticator will do.
 */
final class WebAuthnVerifier {
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final boolean USER_VERIFICATION = true;

  /** Made when the first passkey is made or used, so that starts do not wait for it. */
  private volatile @Nullable Library library;

  private record Library(WebAuthnManager manager, AttestedCredentialDataConverter credentials) {}

  /** An answer that was read, with its challenge. */
  record Registration(RegistrationData data, String challenge, List<String> transports) {}

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

  Registration read(RegistrationAnswer answer) throws PasskeyRefusedException {
    try {
      RegistrationData data =
          library()
              .manager
              .parse(
                  new RegistrationRequest(
                      octets(answer.attestationObject()), octets(answer.clientData())));
      return new Registration(data, challenge(data.getCollectedClientData()), answer.transports());
    } catch (RuntimeException e) {
      throw unreadable(e);
    }
  }

  AuthenticationData read(AssertionAnswer answer) throws PasskeyRefusedException {
    String handle = answer.userHandle();
    try {
      AuthenticationData data =
          library()
              .manager
              .parse(
                  new AuthenticationRequest(
                      octets(answer.credential()),
                      handle == null ? null : octets(handle),
                      octets(answer.authenticatorData()),
                      octets(answer.clientData()),
                      null,
                      octets(answer.signature())));
      challenge(data.getCollectedClientData());
      return data;
    } catch (RuntimeException e) {
      throw unreadable(e);
    }
  }

  /** WebAuthn4J and Jackson have many exceptions for octets that are no answer. */
  private static PasskeyRefusedException unreadable(RuntimeException e) {
    return new PasskeyRefusedException(
        Reason.INVALID, "the answer cannot be read: " + e.getClass().getSimpleName());
  }

  static String challenge(AuthenticationData data) {
    return challenge(data.getCollectedClientData());
  }

  private static String challenge(@Nullable CollectedClientData client) {
    if (client == null) {
      throw new IllegalArgumentException("no client data");
    }
    return ENCODER.encodeToString(client.getChallenge().getValue());
  }

  Credential verify(Registration answer, RelyingParty party, String challenge)
      throws PasskeyRefusedException {
    try {
      RegistrationData data =
          library()
              .manager
              .verify(
                  answer.data,
                  new RegistrationParameters(
                      server(party, challenge), parameters(), USER_VERIFICATION));
      AuthenticatorData<?> made = data.getAttestationObject().getAuthenticatorData();
      AttestedCredentialData credential = made.getAttestedCredentialData();
      return new Credential(
          id(credential.getCredentialId()),
          ENCODER.encodeToString(library().credentials.convert(credential)),
          party.id(),
          made.getSignCount(),
          made.isFlagBE(),
          made.isFlagBS(),
          answer.transports);
    } catch (RuntimeException e) {
      throw invalid(e);
    }
  }

  Credential verify(
      AuthenticationData answer, Credential stored, RelyingParty party, String challenge)
      throws PasskeyRefusedException {
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
      library()
          .manager
          .verify(
              answer,
              new AuthenticationParameters(
                  server(party, challenge), credential, null, USER_VERIFICATION));
      AuthenticatorData<?> used = answer.getAuthenticatorData();
      return new Credential(
          stored.id(),
          stored.data(),
          stored.host(),
          used.getSignCount(),
          stored.backupEligible(),
          used.isFlagBS(),
          stored.transports());
    } catch (MaliciousCounterValueException e) {
      throw new PasskeyRefusedException(
          Reason.COUNTER,
          "the signature counter went back from %d to %d"
              .formatted(stored.counter(), answer.getAuthenticatorData().getSignCount()));
    } catch (RuntimeException e) {
      throw invalid(e);
    }
  }

  /** The kinds of failures are WebAuthn4J's; their texts may quote what the client sent. */
  private static PasskeyRefusedException invalid(RuntimeException e) {
    return new PasskeyRefusedException(
        Reason.INVALID, e.getClass().getSimpleName().replaceFirst("Exception$", ""));
  }

  private static ServerProperty server(RelyingParty party, String challenge) {
    Set<Origin> origins =
        party.origins().stream().map(Origin::create).collect(Collectors.toUnmodifiableSet());
    return ServerProperty.builder()
        .origins(origins)
        .rpId(party.id())
        .challenge(new DefaultChallenge(octets(challenge)))
        .build();
  }

  private static List<PublicKeyCredentialParameters> parameters() {
    return Ceremonies.ALGORITHMS.stream()
        .map(
            algorithm ->
                new PublicKeyCredentialParameters(
                    PublicKeyCredentialType.PUBLIC_KEY, COSEAlgorithmIdentifier.create(algorithm)))
        .toList();
  }

  /** The id of the passkey in the store: credential ids may have 1023 octets. */
  static String id(byte[] credential) {
    try {
      return ENCODER.encodeToString(MessageDigest.getInstance("SHA-256").digest(credential));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The id of the credential in attested credential data, for lists that browsers are given. */
  String credentialId(Credential stored) {
    return ENCODER.encodeToString(library().credentials.extractCredentialId(octets(stored.data())));
  }

  static Optional<String> text(byte @Nullable [] octets) {
    return octets == null || octets.length == 0
        ? Optional.empty()
        : Optional.of(ENCODER.encodeToString(octets));
  }

  private static byte[] octets(String text) {
    return Base64.getUrlDecoder().decode(text);
  }
}
