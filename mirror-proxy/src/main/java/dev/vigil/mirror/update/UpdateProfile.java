package dev.vigil.mirror.update;

import dev.vigil.mirror.model.ResourcePaths;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.state.RequestTarget;
import dev.vigil.signed.jose.ProtectedHeader;
import org.jspecify.annotations.Nullable;

/** Checks an update against the profile of docs/protocol.md section 4 and the registration. */
final class UpdateProfile {
  private UpdateProfile() {}

  /**
   * @throws RequestRefused 4.00 for a malformed header, a forbidden member or a wrong {@code res};
   *     4.01 for the {@code kid} of another key; 4.03 for a plain update if the domain requires
   *     encryption
   */
  static void require(SignedUpdate update, RequestTarget target, String path) {
    ProtectedHeader header = update.header();
    if (header.jwk() != null || header.epk() != null) {
      throw new RequestRefused(
          Reason.FORBIDDEN_MEMBER, "header member jwk or epk is not allowed in an update");
    }
    if (header.typ() != null) {
      throw RequestRefused.malformed("header member typ is not allowed in an update");
    }
    if (!target.keys().jkt().equals(header.kid())) {
      throw new RequestRefused(
          Reason.UNKNOWN_KEY, "kid is not the thumbprint of this endpoint's key");
    }
    if (header.algorithm() != target.keys().key().algorithm()) {
      throw RequestRefused.malformed("alg is not the algorithm of the registered key");
    }
    if (header.seq() < 1) {
      throw RequestRefused.malformed("an update needs a seq from 1");
    }
    requirePath(header.res(), path);
    if (!MeasurementTimes.isSenml(header.cty())) {
      throw RequestRefused.malformed("cty is not application/senml+json or application/senml+cbor");
    }
    if (target.domain().confidential() && !update.encrypted()) {
      throw new RequestRefused(Reason.POLICY, "the domain requires encrypted updates");
    }
  }

  /** The signature covers the canonical path, which a verifier compares octet for octet. */
  private static void requirePath(@Nullable String res, String path) {
    if (path.equals(res)) {
      return;
    }
    throw new RequestRefused(
        Reason.WRONG_RESOURCE,
        res != null && ResourcePaths.spells(res, path)
            ? "res is not in canonical form; it should be " + path
            : "res is not the path of the request");
  }
}
