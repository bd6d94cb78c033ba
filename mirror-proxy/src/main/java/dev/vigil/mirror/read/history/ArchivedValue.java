package dev.vigil.mirror.read.history;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.senml.ResolvedRecord;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stored value with its signed object, which can be verified without the gateway.
 *
 * @param path of the resource below {@code /ms/{id}/}, percent-encoded
 * @param form JOSE or COSE_SIGN1
 * @param signed the whole JWS or COSE_Sign1, octet for octet
 * @param measurements resolved (RFC 8428 section 4.6), with relative times based on the arrival
 * @param marks DELAYED or REVOKED
 * @param key the signing key; null if the mirror no longer has it
 */
public record ArchivedValue(
    String path,
    long seq,
    Instant arrived,
    ContentFormat form,
    byte[] signed,
    List<ResolvedRecord> measurements,
    Set<ValueMark> marks,
    @Nullable Jwk key) {}
