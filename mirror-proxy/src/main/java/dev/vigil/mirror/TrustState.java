package dev.vigil.mirror;

import java.util.Locale;

/**
 * What the mirror thinks of a key under a name (section 6 of the protocol).
 *
 * <ul>
 *   <li>UNPROVEN: came in a plain registration; the first valid update leads to PENDING or TRUSTED,
 *       an hour without one to nothing
 *   <li>PENDING: waits for an operator; approval leads to TRUSTED, refusal to REVOKED or nothing
 *   <li>TRUSTED: its updates are taken and served; a rotation leads to REPLACED
 *   <li>REPLACED: its former updates can still be verified, new ones are refused
 *   <li>REVOKED: for ever, under every name and domain
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
