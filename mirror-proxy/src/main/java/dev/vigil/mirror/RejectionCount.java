package dev.vigil.mirror;

import dev.vigil.mirror.wire.Reason;

/**
 * How often something was refused since the start.
 *
 * @param id of the endpoint it was for; empty when there is none
 */
public record RejectionCount(Reason reason, String id, long count) {}
