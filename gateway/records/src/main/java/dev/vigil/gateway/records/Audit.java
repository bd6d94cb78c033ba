package dev.vigil.gateway.records;

import dev.vigil.coap.exchange.Caller;

/**
 * The audit trail entry of a change. The record's state before and after the change is added
 * without secrets.
 *
 * @param by label of the caller, for instance {@code account:operator}, or {@code gateway}
 * @param what the change in words, one line
 * @param d domain of the record; empty when the record belongs to no domain
 */
public record Audit(String by, String what, String d) {
  /**
   * Marks frequent or short-lived changes by the gateway itself, such as the last use of a session.
   * They are left out because the audit trail keeps every entry.
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
