package dev.vigil.border;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.sixlowpan.Dialect;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a bridge is told.
 *
 * @param radios at least one
 * @param panId 0 to 0xfffe
 * @param channel 11 to 26
 * @param eui64 of the bridge itself; a slip-radio's own address replaces it on that radio
 * @param prefix of the mesh, 64 bits, also 6LoWPAN context 0
 * @param dialect which compressed headers the motes understand
 * @param protection link-layer security; null for none
 * @param rpl whether the bridge is the root of an RPL DODAG
 * @param capture a pcapng file that gets every frame and packet; null for none
 * @param tun the kernel's way into the mesh; null: IPv6 ends in the bridge's own host
 */
public record BridgeConfig(
    List<RadioConfig> radios,
    int panId,
    int channel,
    Eui64 eui64,
    Ipv6Address prefix,
    Dialect dialect,
    @Nullable LinkProtection protection,
    boolean rpl,
    @Nullable Path capture,
    @Nullable TunConfig tun) {
  /** As Contiki-NG has it. */
  public static final int DEFAULT_PAN_ID = 0xABCD;

  /** As Contiki-NG has it. */
  public static final int DEFAULT_CHANNEL = 26;

  /** fd00::/64. */
  public static final Ipv6Address DEFAULT_PREFIX = new Ipv6Address(0xfd00L << 48, 0);

  /** Locally administered: 02-56-49-47-49-4c-00-01, "VIGIL" in the middle. */
  public static final Eui64 DEFAULT_EUI64 = new Eui64(0x02564947494C0001L);

  /** Checks the ranges. */
  public BridgeConfig {
    radios = List.copyOf(radios);
    if (radios.isEmpty()) {
      throw new IllegalArgumentException("a bridge needs a radio");
    }
    if (panId < 0 || panId > 0xfffe || channel < 11 || channel > 26) {
      throw new IllegalArgumentException("PAN id 0 to 0xfffe, channel 11 to 26");
    }
    if (prefix.low() != 0) {
      throw new IllegalArgumentException("the mesh prefix has 64 bits");
    }
  }

  /** Without a way for the kernel. */
  public BridgeConfig(
      List<RadioConfig> radios,
      int panId,
      int channel,
      Eui64 eui64,
      Ipv6Address prefix,
      Dialect dialect,
      @Nullable LinkProtection protection,
      boolean rpl,
      @Nullable Path capture) {
    this(radios, panId, channel, eui64, prefix, dialect, protection, rpl, capture, null);
  }

  /** A virtual radio with everything else as usual. */
  public static BridgeConfig virtual(int etherPort) {
    return of(RadioConfig.Virtual.on(etherPort));
  }

  /** One radio with everything else as usual: no link security, no capture. */
  public static BridgeConfig of(RadioConfig radio) {
    return new BridgeConfig(
        List.of(radio),
        DEFAULT_PAN_ID,
        DEFAULT_CHANNEL,
        DEFAULT_EUI64,
        DEFAULT_PREFIX,
        Dialect.CONTIKI_NG,
        null,
        true,
        null);
  }

  /** The same with a capture file. */
  public BridgeConfig withCapture(@Nullable Path file) {
    return new BridgeConfig(
        radios, panId, channel, eui64, prefix, dialect, protection, rpl, file, tun);
  }

  /** The same with link-layer security. */
  public BridgeConfig withProtection(@Nullable LinkProtection other) {
    return new BridgeConfig(
        radios, panId, channel, eui64, prefix, dialect, other, rpl, capture, tun);
  }

  /** The same with another address of the bridge. */
  public BridgeConfig withEui64(Eui64 other) {
    return new BridgeConfig(
        radios, panId, channel, other, prefix, dialect, protection, rpl, capture, tun);
  }

  /** The same with another mesh prefix. */
  public BridgeConfig withPrefix(Ipv6Address other) {
    return new BridgeConfig(
        radios, panId, channel, eui64, other, dialect, protection, rpl, capture, tun);
  }

  /** The same with a way for the kernel. */
  public BridgeConfig withTun(@Nullable TunConfig other) {
    return new BridgeConfig(
        radios, panId, channel, eui64, prefix, dialect, protection, rpl, capture, other);
  }

  /** The mesh address of the bridge. */
  public Ipv6Address meshAddress() {
    return new Ipv6Address(prefix.high(), eui64.interfaceId());
  }
}
