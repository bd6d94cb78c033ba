package dev.vigil.mirror.read;

import dev.vigil.mirror.model.keys.TrustState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One mirrored endpoint as an operator sees it.
 *
 * @param id as in {@code /ms/{id}}
 * @param jkt the thumbprint of its key
 * @param note why the key awaits approval, or why another key is held; else null
 * @param waiting the keys that await a decision on this name, starting with the endpoint's own
 *     pending key
 * @param expires when the registration expires or expired
 * @param wake seconds between updates, as registered or as the domain's default
 * @param lastHeard when the last registration or update was accepted
 * @param lateAt when it becomes late unless it is heard before; null if its key is not trusted
 * @param missingAt when it becomes missing unless it is heard before; null if its key is not
 *     trusted
 * @param high H, the highest accepted sequence number
 */
public record EndpointView(
    String id,
    String ep,
    String d,
    @Nullable String type,
    TrustState state,
    String jkt,
    @Nullable String note,
    List<KeyView> waiting,
    Instant registered,
    Instant expires,
    long wake,
    Instant lastHeard,
    Freshness freshness,
    @Nullable Instant lateAt,
    @Nullable Instant missingAt,
    long high,
    int pendingCommands,
    List<ResourceView> resources) {}
