package dev.vigil.gateway.accounts;

import dev.vigil.gateway.records.Versioned;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A passkey, without its keys.
 *
 * @param host name of the gateway under which it works
 * @param backedUp whether the person's other devices have it, too
 * @param usedAt absent: it was not used yet
 * @param regressedAt when it was refused because its signature counter went back, as that of a copy
 *     does; absent: it never was
 */
record PasskeyJson(
    String id,
    String name,
    String host,
    boolean backedUp,
    Instant createdAt,
    @Nullable Instant usedAt,
    @Nullable Instant regressedAt) {
  static PasskeyJson of(Versioned<PasskeyRecord> passkey) {
    PasskeyRecord record = passkey.value();
    return new PasskeyJson(
        passkey.id(),
        record.name(),
        record.host(),
        record.backedUp(),
        record.createdAt(),
        record.usedAt(),
        record.regressedAt());
  }
}
