package dev.vigil.mirror;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of the audit trail.
 *
 * @param position of the change in the feed
 * @param id of the endpoint; null for what is apart from any, as is {@code ep}
 * @param jkt the key it is about; empty when there is none
 * @param by who decided
 */
public record Decision(
    long position,
    Instant at,
    @Nullable String id,
    @Nullable String ep,
    String d,
    String what,
    String jkt,
    String by) {}
