package dev.vigil.mirror.registration;

import dev.vigil.mirror.model.DirectoryEntry;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.HeldKey;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.PolicyDecision;
import dev.vigil.mirror.model.RegistrationRequest;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.mirror.state.VerificationMeter;
import dev.vigil.signed.jose.Jws;
import org.jspecify.annotations.Nullable;

/** Decides which key gets a name (docs/protocol.md section 6). */
public final class RegistrationPolicy {
  private final MirrorState state;
  private final VerificationMeter signatures;

  public RegistrationPolicy(MirrorState state, VerificationMeter signatures) {
    this.state = state;
    this.signatures = signatures;
  }

  /**
   * @param registration sent by the holder of its key, as proved by its signature or DTLS
   * @param endpoint the mirror's endpoint of that name
   * @param directoryEntry who registered the name in the directory itself
   * @throws RequestRefused 4.01 for a rotation not signed with the old key; 4.03 for a revoked or
   *     unlisted key, or if an owner has meanwhile registered the name in the directory; 4.04 for
   *     the withdrawal of an unknown name
   */
  PolicyDecision decide(
      RegistrationRequest registration,
      @Nullable MirroredEndpoint endpoint,
      DirectoryEntry directoryEntry) {
    if (state.isRevoked(registration.jkt())) {
      throw new RequestRefused(Reason.NOT_TRUSTED, "the key is revoked");
    }
    KeyHistory keys = endpoint == null ? null : endpoint.keys();
    if (endpoint != null
        && keys != null
        && isApprovedAhead(registration, endpoint, keys, directoryEntry)) {
      return trustedAhead(registration, keys);
    }
    if (keys == null || state.isRevoked(keys.jkt())) {
      return decideFirstKey(registration, keys, directoryEntry);
    }
    if (keys.jkt().equals(registration.jkt())) {
      requireNoOwner(registration, keys, directoryEntry);
      return new PolicyDecision.Accept(keys, null);
    }
    if (registration.rotation() == null) {
      return hold(registration, "another key asks for the name");
    }
    requireOldKey(registration.rotation(), keys);
    MirroredEndpoint owner = state.byKey(registration.jkt());
    if (!registration.domain().rotateAtOnce() || owner != null) {
      return hold(registration, HeldKey.rotationFrom(keys.jkt()));
    }
    requireNoOwner(registration, keys, directoryEntry);
    return new PolicyDecision.Accept(
        keys.replacedBy(registration.key(), keys.state()), "rotated from " + keys.jkt());
  }

  /**
   * Requires that the publication of a trusted key displaces no entry of an owner. After the
   * endpoint withdrew or expired, others can register the name in the directory.
   */
  private static void requireNoOwner(
      RegistrationRequest registration, KeyHistory keys, DirectoryEntry directoryEntry) {
    if (keys.state() == TrustState.TRUSTED
        && !registration.withdraws()
        && directoryEntry.holds(true)) {
      throw new RequestRefused(
          Reason.NOT_TRUSTED, "another client registered the name in the directory itself");
    }
  }

  /**
   * Whether an operator approved this key before it asked: for exactly this name, or by listing it
   * while no trusted key has the name. What holds a listed key at its first registration also holds
   * it at later ones: a directory entry of an owner, or a former key, which is revoked.
   */
  private boolean isApprovedAhead(
      RegistrationRequest registration,
      MirroredEndpoint endpoint,
      KeyHistory keys,
      DirectoryEntry directoryEntry) {
    if (registration.withdraws() || registration.rotation() != null) {
      return false;
    }
    boolean own = keys.jkt().equals(registration.jkt());
    if (own && keys.state() != TrustState.PENDING) {
      return false;
    }
    return endpoint.held().isApproved(registration.jkt())
        || keys.state() == TrustState.PENDING
            && keys.previous().isEmpty()
            && !directoryEntry.holds(true)
            && isListed(registration)
            && !isKnownElsewhere(registration);
  }

  private boolean isKnownElsewhere(RegistrationRequest registration) {
    MirroredEndpoint owner = state.byKey(registration.jkt());
    return owner != null && !owner.name().equals(registration.name());
  }

  private static PolicyDecision trustedAhead(RegistrationRequest registration, KeyHistory keys) {
    if (keys.jkt().equals(registration.jkt())) {
      return new PolicyDecision.Accept(keys.withState(TrustState.TRUSTED), "trusted as approved");
    }
    return new PolicyDecision.Accept(
        keys.replacedBy(registration.key(), TrustState.TRUSTED),
        "trusted as approved, in place of " + keys.jkt());
  }

  /** Decides on the first key of a name, or on the first key after the name's key was revoked. */
  private PolicyDecision decideFirstKey(
      RegistrationRequest registration,
      @Nullable KeyHistory revokedKeys,
      DirectoryEntry directoryEntry) {
    if (registration.rotation() != null) {
      throw new RequestRefused(Reason.UNKNOWN_KEY, "the name has no key to rotate from");
    }
    if (registration.withdraws()) {
      throw new RequestRefused(Reason.NO_ENTRY, "no such endpoint: nothing to withdraw");
    }
    MirroredEndpoint owner = state.byKey(registration.jkt());
    if (owner != null && !owner.name().equals(registration.name())) {
      return pending(registration, revokedKeys, "the key is that of " + owner.name());
    }
    if (directoryEntry.holds(isTrustedWithoutOperator(registration))) {
      return pending(registration, revokedKeys, "the endpoint registered in the directory itself");
    }
    if (revokedKeys != null) {
      return pending(registration, revokedKeys, "the name's former key is revoked");
    }
    return switch (registration.domain().trust()) {
      case FIRST_USE -> trusted(registration, "trusted on first use");
      case APPROVE ->
          isListed(registration)
              ? trusted(registration, "trusted as listed")
              : pending(registration, null, "waits for approval");
      case LISTED -> {
        if (!isListed(registration)) {
          throw new RequestRefused(
              Reason.NOT_TRUSTED, "the key is not listed, or listed for another name");
        }
        yield trusted(registration, "trusted as listed");
      }
    };
  }

  /** Otherwise one datagram from a stranger could keep a mote from its name. */
  private boolean isTrustedWithoutOperator(RegistrationRequest registration) {
    return registration.domain().trust() == TrustPolicy.FIRST_USE || isListed(registration);
  }

  private boolean isListed(RegistrationRequest registration) {
    Domain domain = registration.domain();
    ListedKey imported = state.listed(domain.name()).get(registration.jkt());
    return domain.listed().contains(registration.jkt())
        || imported != null && imported.mayRegister(registration.name().ep());
  }

  /**
   * Requires of a rotation that the endpoint's present key signed it.
   *
   * @throws RequestRefused 4.01
   */
  void requireRotationOfOldKey(
      RegistrationRequest registration, @Nullable MirroredEndpoint endpoint) {
    KeyHistory keys = endpoint == null ? null : endpoint.keys();
    if (registration.rotation() != null && keys != null) {
      requireOldKey(registration.rotation(), keys);
    }
  }

  private void requireOldKey(Jws rotation, KeyHistory keys) {
    if (!keys.jkt().equals(rotation.header().kid())) {
      throw new RequestRefused(Reason.UNKNOWN_KEY, "kid is not the thumbprint of this name's key");
    }
    if (rotation.header().algorithm() != keys.key().algorithm()
        || !signatures.verify(keys.key(), rotation)) {
      throw new RequestRefused(Reason.BAD_SIGNATURE, "the rotation is not signed with the old key");
    }
  }

  private static PolicyDecision trusted(RegistrationRequest registration, String audit) {
    return new PolicyDecision.Accept(
        KeyHistory.of(registration.key(), TrustState.TRUSTED, null), audit);
  }

  private static PolicyDecision pending(
      RegistrationRequest registration, @Nullable KeyHistory revokedKeys, String note) {
    KeyHistory keys =
        revokedKeys == null
            ? KeyHistory.of(registration.key(), TrustState.PENDING, note)
            : revokedKeys.replacedBy(registration.key(), TrustState.PENDING);
    return new PolicyDecision.Accept(keys.waiting(note, registration.arrival()), "held: " + note);
  }

  private static PolicyDecision hold(RegistrationRequest registration, String why) {
    return new PolicyDecision.Hold(
        new HeldKey(
            registration.key(),
            registration.jkt(),
            registration.lease(),
            why,
            registration.arrival()));
  }
}
