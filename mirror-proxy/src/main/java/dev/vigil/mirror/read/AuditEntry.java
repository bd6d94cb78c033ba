package dev.vigil.mirror.read;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the audit trail.
 *
 * @param position of the change in the feed
 * @param id of the endpoint; null, like {@code ep}, for a decision that concerns no endpoint
 * @param action one line
 * @param jkt the thumbprint of the key concerned; empty if there is none
 * @param actor the operator, {@code mirror}, {@code endpoint}, or the address of a client
 * @param edit the record of the gateway that was changed; null for decisions about keys and
 *     commands
 */
public record AuditEntry(
    long position,
    Instant at,
    @Nullable String id,
    @Nullable String ep,
    String d,
    String action,
    String jkt,
    String actor,
    @Nullable Edit edit) {

  /**
   * A change of a record.
   *
   * @param kind of the record, for instance {@code account}
   * @param record id of the record
   * @param before JSON without secrets; null if the record is new
   * @param after JSON without secrets; null if the record was removed
   */
  public record Edit(String kind, String record, @Nullable String before, @Nullable String after) {}
}
