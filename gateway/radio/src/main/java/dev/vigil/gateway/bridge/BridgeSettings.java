package dev.vigil.gateway.bridge;

import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.config.Dialects;
import dev.vigil.border.config.LinkSecurityConfig;
import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.config.RadioConfig;
import dev.vigil.border.config.TunConfig;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.KeyId;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.sixlowpan.NhcSupport;
import dev.vigil.border.tun.PacketFilter;
import dev.vigil.border.wire.WireException;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts the settings of the radio to the bridge's configuration. */
final class BridgeSettings {
  private BridgeSettings() {}

  static BridgeConfig of(BorderProperties border) {
    try {
      MeshConfig mesh =
          new MeshConfig(
              border.pan(),
              border.channel(),
              border.eui64().isEmpty() ? MeshConfig.DEFAULT_EUI64 : Eui64.parse(border.eui64()),
              Ipv6Address.parse(border.prefixAddress()),
              new Dialects(NhcSupport.CONTIKI_NG, eui64s(border.compressedIpsec())),
              true,
              border.dioIntervalMin());
      return new BridgeConfig(
          border.radios().stream().map(BridgeSettings::radio).toList(),
          mesh,
          linkSecurity(border.linkSecurity()),
          file(border.capture()),
          tun(border));
    } catch (WireException e) {
      throw new IllegalArgumentException("vigil.border: " + e.getMessage(), e);
    }
  }

  private static Set<Eui64> eui64s(List<String> neighbours) {
    Set<Eui64> all = new HashSet<>();
    for (String neighbour : neighbours) {
      try {
        all.add(Eui64.parse(neighbour));
      } catch (WireException e) {
        throw new InvalidSettingException(
            "border.compressed-ipsec",
            "takes EUI-64s of 16 hexadecimal digits, not \"" + neighbour + "\"");
      }
    }
    return all;
  }

  private static RadioConfig radio(RadioProperties radio) {
    return switch (radio.kind()) {
      case VIRTUAL ->
          new RadioConfig.Virtual(radio.port(), file(radio.topology()), radio.octetNanos());
      case SERIAL -> new RadioConfig.Serial(radio.device(), radio.baud());
      case TCP -> new RadioConfig.Tcp(radio.host(), radio.port());
      case ZEP -> new RadioConfig.Zep(radio.host(), radio.port());
      case TUNSLIP6_SERIAL ->
          new RadioConfig.Tunslip6(new RadioConfig.Serial(radio.device(), radio.baud()));
      case TUNSLIP6_TCP ->
          new RadioConfig.Tunslip6(new RadioConfig.Tcp(radio.host(), radio.port()));
    };
  }

  private static @Nullable LinkSecurityConfig linkSecurity(LinkSecurityProperties security) {
    if (!security.secured()) {
      return null;
    }
    KeyId keyId = security.keyIndex() < 0 ? KeyId.IMPLICIT : new KeyId.Index(security.keyIndex());
    return new LinkSecurityConfig(
        security.octets(), SecurityLevel.of(security.level()), keyId, security.neverUsed());
  }

  private static @Nullable TunConfig tun(BorderProperties border) throws WireException {
    TunProperties tun = border.tun();
    if (tun.device().isEmpty()) {
      return null;
    }
    Ipv6Address prefix = Ipv6Address.parse(border.prefixAddress());
    Ipv6Address address =
        tun.address().isEmpty()
            ? new Ipv6Address(prefix.high(), 1)
            : Ipv6Address.parse(tun.address());
    return TunConfig.defaults(tun.device(), address).withFilter(PacketFilter.of(border.filter()));
  }

  private static @Nullable Path file(String name) {
    return name.isEmpty() ? null : Path.of(name);
  }
}
