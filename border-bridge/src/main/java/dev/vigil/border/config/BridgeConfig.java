package dev.vigil.border.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a bridge.
 *
 * @param radios at least one
 * @param linkSecurity null for a mesh without link-layer security
 * @param capture a pcapng file that receives every frame and packet; null for none
 * @param tun the TUN interface between the kernel and the mesh; without one (null), IPv6 ends in
 *     the bridge's own host
 */
public record BridgeConfig(
    List<RadioConfig> radios,
    MeshConfig mesh,
    @Nullable LinkSecurityConfig linkSecurity,
    @Nullable Path capture,
    @Nullable TunConfig tun) {
  /** Copies the list. */
  public BridgeConfig {
    radios = List.copyOf(radios);
    if (radios.isEmpty()) {
      throw new IllegalArgumentException("a bridge needs a radio");
    }
  }

  /** A virtual radio and defaults. */
  public static BridgeConfig virtual(int etherPort) {
    return of(RadioConfig.Virtual.on(etherPort));
  }

  /** One radio and defaults: no link-layer security, no capture, no TUN interface. */
  public static BridgeConfig of(RadioConfig radio) {
    return new BridgeConfig(List.of(radio), MeshConfig.DEFAULT, null, null, null);
  }

  /** The same configuration with another mesh. */
  public BridgeConfig withMesh(MeshConfig other) {
    return new BridgeConfig(radios, other, linkSecurity, capture, tun);
  }

  /** The same configuration with another link-layer security. */
  public BridgeConfig withLinkSecurity(@Nullable LinkSecurityConfig other) {
    return new BridgeConfig(radios, mesh, other, capture, tun);
  }

  /** The same configuration with another capture file. */
  public BridgeConfig withCapture(@Nullable Path other) {
    return new BridgeConfig(radios, mesh, linkSecurity, other, tun);
  }

  /** The same configuration with another TUN interface. */
  public BridgeConfig withTun(@Nullable TunConfig other) {
    return new BridgeConfig(radios, mesh, linkSecurity, capture, other);
  }
}
