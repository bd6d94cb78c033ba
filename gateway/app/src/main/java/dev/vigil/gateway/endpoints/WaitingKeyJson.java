package dev.vigil.gateway.endpoints;

import dev.vigil.mirror.model.keys.KeyArrival;
import dev.vigil.mirror.read.KeyView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A key that waits for an operator's decision on an endpoint's name.
 *
 * @param thumbprint RFC 7638, SHA-256, base64url
 * @param held whether it requests a name that has another key
 * @param note why it waits
 * @param since when it came
 * @param from its source address; absent when unknown
 */
record WaitingKeyJson(
    String thumbprint,
    boolean held,
    @Nullable String note,
    @Nullable Instant since,
    @Nullable String from) {

  static WaitingKeyJson of(KeyView key) {
    KeyArrival arrival = key.arrival();
    return new WaitingKeyJson(
        key.jkt(),
        key.held(),
        key.note(),
        arrival == null ? null : Instant.ofEpochSecond(arrival.at()),
        arrival == null || arrival.from().isEmpty() ? null : arrival.from());
  }
}
