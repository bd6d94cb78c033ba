package dev.vigil.mirror.model.keys;

import java.util.Locale;

/**
 * The trust state of a key under a name (docs/protocol.md section 6).
 *
 * <ul>
 *   <li>UNPROVEN: from a plain registration. The first valid update leads to PENDING or TRUSTED;
 *       without one, the registration is removed after ten minutes
 *   <li>PENDING: awaits an operator. Approval leads to TRUSTED, revocation of the key to REVOKED.
 *       Refusal removes the endpoint, or gives the name back to a former key, which is REVOKED
 *   <li>TRUSTED: its updates are accepted and served. A rotation or the approval of another key
 *       leads to REPLACED, revocation to REVOKED
 *   <li>REPLACED: values signed with it can be verified; new updates are refused
 *   <li>REVOKED: final, under every name and in every domain
 * </ul>
 */
public enum TrustState {
  UNPROVEN,
  PENDING,
  TRUSTED,
  REPLACED,
  REVOKED;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static TrustState ofLabel(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
