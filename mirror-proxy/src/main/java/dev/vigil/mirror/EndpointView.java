package dev.vigil.mirror;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One mirrored endpoint as an operator sees it.
 *
 * @param id of {@code /ms/{id}}
 * @param jkt the thumbprint of its key
 * @param note why it is held, else null
 * @param heldJkt the thumbprint of another key that asks for the name, else null
 * @param expires when the registration runs out; past for an expired one
 * @param wake seconds between its updates, as it told or as the domain assumes
 * @param heard when the last registration or update was accepted
 * @param high the highest accepted sequence number
 */
public record EndpointView(
    String id,
    String ep,
    String d,
    @Nullable String type,
    TrustState state,
    String jkt,
    @Nullable String note,
    @Nullable String heldJkt,
    Instant registered,
    Instant expires,
    long wake,
    Instant heard,
    Freshness freshness,
    long high,
    int pendingCommands,
    List<ResourceView> resources) {}
