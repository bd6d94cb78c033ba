package dev.vigil.directory.publishing;

import dev.vigil.coap.exchange.SourceAddress;
import org.jspecify.annotations.Nullable;

/**
 * The client that registered an endpoint. A registration with credentials belongs to these
 * credentials (RFC 9176 section 7.5), an anonymous one to its source address.
 *
 * @param owner the credentials, empty for an anonymous client
 * @param source the address of the last accepted change; null if an earlier version stored an
 *     anonymous registration without its address, which any client may change
 * @param zone the network interface of a link-local source, else empty
 * @param verified whether the source had proved that the address is its own
 */
public record Registrant(
    String owner, @Nullable SourceAddress source, String zone, boolean verified) {
  private static final String RAW_KEY = "rpk:";

  /** An anonymous client whose address is unknown. */
  public static final Registrant UNKNOWN = new Registrant("", null, "", false);

  /** The owner whose credentials are a raw public key with this thumbprint. */
  public static String ownerByRawKey(String thumbprint) {
    return RAW_KEY + thumbprint;
  }

  /**
   * Whether the client has no trusted credentials; anybody can be anonymous or generate a raw
   * public key.
   */
  public boolean isStranger() {
    return owner.isEmpty() || owner.startsWith(RAW_KEY);
  }

  /** Whether an anonymous client at this address is this registrant. */
  public boolean isAt(SourceAddress address, String onLink) {
    return source == null || source.equals(address) && zone.equals(onLink);
  }
}
