package dev.vigil.gateway.records;

import dev.vigil.coap.exchange.Caller;

/**
 * The entry of a change in the audit trail. The record before and after the change is added to it,
 * without its secrets.
 *
 * @param by label of the caller, for instance {@code account:operator}, or {@code gateway}
 * @param what the change in words, one line
 * @param d domain that the record belongs to; empty when it belongs to none
 */
public record Audit(String by, String what, String d) {
  /**
   * Changes that the gateway makes by itself, often or for a short time, such as the last use of a
   * session: they are not in the audit trail, which keeps every entry.
   */
  public static final Audit UNRECORDED = new Audit("gateway", "", "");

  /** A decision of a caller about a record that belongs to no domain. */
  public static Audit of(Caller caller, String what) {
    return new Audit(caller.label(), what, "");
  }

  boolean isRecorded() {
    return !what.isEmpty();
  }
}
