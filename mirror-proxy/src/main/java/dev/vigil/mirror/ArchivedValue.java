package dev.vigil.mirror;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.senml.Measurement;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A reading of the past, with what its endpoint signed: whoever has the key can check it without
 * us.
 *
 * @param path of the resource below {@code /ms/{id}/}, percent-encoded
 * @param form JOSE or COSE_SIGN1, as it came or was rebuilt
 * @param signed the whole JWS or COSE_Sign1; never changed by anyone
 * @param measurements resolved, relative times against the arrival
 * @param marks DELAYED, REVOKED
 * @param key that signed it; null when it is no longer remembered
 */
public record ArchivedValue(
    String path,
    long seq,
    Instant arrived,
    ContentFormat form,
    byte[] signed,
    List<Measurement> measurements,
    Set<Mark> marks,
    @Nullable Jwk key) {}
