package dev.vigil.mirror;

import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.jose.Signatures;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import org.jspecify.annotations.Nullable;

/** Decides who gets a name (section 6 of the protocol). */
final class Policy {
  private final Memory memory;
  private final Signatures signatures;

  Policy(Memory memory, Signatures signatures) {
    this.memory = memory;
    this.signatures = signatures;
  }

  /**
   * @param claim by whoever has the key: its signature is checked, or DTLS proved it
   * @param known what the mirror knows under that name
   * @param inDirectory whether the directory has the name from the endpoint itself
   * @throws Rejection 4.01 a rotation that is not by the old key; 4.03 revoked, not listed
   */
  Verdict judge(Claim claim, @Nullable Mirrored known, boolean inDirectory) {
    if (memory.isRevoked(claim.jkt())) {
      throw new Rejection(Reason.NOT_TRUSTED, "the key is revoked");
    }
    KeyRing ring = known == null ? null : known.ring();
    if (ring == null || memory.isRevoked(ring.jkt())) {
      return first(claim, ring, inDirectory);
    }
    if (ring.jkt().equals(claim.jkt())) {
      return new Verdict.Take(ring, null);
    }
    if (claim.rotation() == null) {
      return hold(claim, "another key asks for the name");
    }
    requireOldKey(claim.rotation(), ring);
    Mirrored owner = memory.byKey(claim.jkt());
    if (!claim.domain().rotateAtOnce() || owner != null) {
      return hold(claim, "rotation from " + ring.jkt());
    }
    return new Verdict.Take(
        ring.replacedBy(claim.key(), ring.state()), "rotated from " + ring.jkt());
  }

  /** The first key of a name, or the first after its key was revoked. */
  private Verdict first(Claim claim, @Nullable KeyRing revokedRing, boolean inDirectory) {
    if (claim.rotation() != null) {
      throw new Rejection(Reason.UNKNOWN_KEY, "there is no key to rotate from");
    }
    if (claim.withdraws()) {
      throw new Rejection(Reason.NO_ENTRY, "there is nothing to withdraw");
    }
    Mirrored owner = memory.byKey(claim.jkt());
    if (owner != null && !owner.name().equals(claim.name())) {
      return pending(claim, revokedRing, "the key is that of " + owner.name());
    }
    if (inDirectory) {
      return pending(claim, revokedRing, "the endpoint registered in the directory itself");
    }
    if (revokedRing != null) {
      return pending(claim, revokedRing, "the name's former key is revoked");
    }
    return switch (claim.domain().trust()) {
      case FIRST_USE -> trusted(claim, "trusted on first use");
      case APPROVE -> pending(claim, null, "waits for approval");
      case LISTED -> {
        if (!isListed(claim)) {
          throw new Rejection(Reason.NOT_TRUSTED, "the key is not listed, or for another name");
        }
        yield trusted(claim, "trusted as listed");
      }
    };
  }

  private boolean isListed(Claim claim) {
    Domain domain = claim.domain();
    ListedKey imported = memory.listed(domain.name()).get(claim.jkt());
    return domain.listed().contains(claim.jkt())
        || imported != null && imported.isFor(claim.name().ep());
  }

  private void requireOldKey(Jws rotation, KeyRing ring) {
    if (!ring.jkt().equals(rotation.header().kid())) {
      throw new Rejection(Reason.UNKNOWN_KEY, "kid is not the key of this name");
    }
    if (rotation.header().algorithm() != ring.key().algorithm()
        || !signatures.verify(ring.key(), rotation)) {
      throw new Rejection(Reason.BAD_SIGNATURE, "the old key did not sign the rotation");
    }
  }

  private static Verdict trusted(Claim claim, String audit) {
    return new Verdict.Take(KeyRing.of(claim.key(), TrustState.TRUSTED, null), audit);
  }

  private static Verdict pending(Claim claim, @Nullable KeyRing former, String note) {
    KeyRing ring =
        former == null
            ? KeyRing.of(claim.key(), TrustState.PENDING, note)
            : former.replacedBy(claim.key(), TrustState.PENDING).noted(note);
    return new Verdict.Take(ring, "held: " + note);
  }

  private static Verdict hold(Claim claim, String why) {
    return new Verdict.Hold(new HeldKey(claim.key(), claim.lease(), why));
  }
}
