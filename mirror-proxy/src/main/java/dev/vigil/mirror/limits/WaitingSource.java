package dev.vigil.mirror.limits;

import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.Source.Standing;
import dev.vigil.mirror.model.keys.KeyArrival;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** The source that the place of a waiting key is charged to. */
final class WaitingSource {
  /** Shared by all senders whose address may be forged or is unknown. */
  private static final Source UNVERIFIED =
      Source.of(Standing.VERIFIED, InetAddress.ofLiteral("0.0.0.0"));

  private WaitingSource() {}

  /**
   * All sources have the same standing, so that a newcomer of higher standing does not displace a
   * waiting key.
   */
  static Source of(@Nullable KeyArrival arrival) {
    return arrival == null || !arrival.verified() || arrival.from().isEmpty()
        ? UNVERIFIED
        : Source.of(Standing.VERIFIED, InetAddress.ofLiteral(arrival.from()));
  }
}
