package dev.vigil.border.config;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.rpl.RplRoot;

/**
 * The network of motes.
 *
 * @param panId 0 to 0xfffe
 * @param channel 11 to 26
 * @param eui64 the bridge's address; on a slip-radio the radio's own address replaces it
 * @param prefix of the mesh, 64 bits, also 6LoWPAN context 0
 * @param dialects the compressed headers that the motes can read
 * @param rplRoot whether the bridge is the root of an RPL DODAG
 * @param dioIntervalMin Trickle's Imin of DIOs is 2^this milliseconds (RFC 6550, section 6.7.6)
 */
public record MeshConfig(
    int panId,
    int channel,
    Eui64 eui64,
    Ipv6Address prefix,
    Dialects dialects,
    boolean rplRoot,
    int dioIntervalMin) {
  /** Contiki-NG's default. */
  public static final int DEFAULT_PAN_ID = 0xABCD;

  /** Contiki-NG's default. */
  public static final int DEFAULT_CHANNEL = 26;

  /** fd00::/64. */
  public static final Ipv6Address DEFAULT_PREFIX = new Ipv6Address(0xfd00L << 48, 0);

  /** Locally administered: 02-56-49-47-49-4c-00-01, "VIGIL" in the middle. */
  public static final Eui64 DEFAULT_EUI64 = new Eui64(0x02564947494C0001L);

  /** All defaults, for unmodified Contiki-NG motes. */
  public static final MeshConfig DEFAULT =
      new MeshConfig(
          DEFAULT_PAN_ID,
          DEFAULT_CHANNEL,
          DEFAULT_EUI64,
          DEFAULT_PREFIX,
          Dialects.DEFAULT,
          true,
          RplRoot.DEFAULT_DIO_INTERVAL_MIN);

  /** Checks the ranges. */
  public MeshConfig {
    if (panId < 0 || panId > 0xfffe || channel < 11 || channel > 26) {
      throw new IllegalArgumentException("the PAN id must be 0 to 0xfffe, the channel 11 to 26");
    }
    if (prefix.low() != 0) {
      throw new IllegalArgumentException("the mesh prefix must have 64 bits");
    }
  }

  /** The same mesh with another address of the bridge. */
  public MeshConfig withEui64(Eui64 other) {
    return new MeshConfig(panId, channel, other, prefix, dialects, rplRoot, dioIntervalMin);
  }

  /** The same mesh with another prefix. */
  public MeshConfig withPrefix(Ipv6Address other) {
    return new MeshConfig(panId, channel, eui64, other, dialects, rplRoot, dioIntervalMin);
  }

  /** The bridge's address in the mesh prefix. */
  public Ipv6Address address() {
    return new Ipv6Address(prefix.high(), eui64.interfaceId());
  }
}
