package dev.vigil.mirror.read;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the audit trail.
 *
 * @param position of the change in the feed
 * @param id of the endpoint; null for a decision that concerns no endpoint, as is {@code ep}
 * @param action one line
 * @param jkt the thumbprint of the key concerned; empty when there is none
 * @param actor the operator, {@code mirror}, {@code endpoint}, or the address of a client
 */
public record AuditEntry(
    long position,
    Instant at,
    @Nullable String id,
    @Nullable String ep,
    String d,
    String action,
    String jkt,
    String actor) {}
