package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import java.util.List;

/**
 * Which packets may pass between the mesh and the world. The first rule that fits decides; what no
 * rule names is dropped.
 */
public record PacketFilter(List<Rule> rules) {
  /** Any protocol, any port. */
  public static final int ANY = -1;

  /** Which way a rule looks. */
  public enum Way {
    /** From the world to the mesh. */
    IN,
    /** From the mesh to the world. */
    OUT,
    /** Both. */
    BOTH
  }

  /**
   * A prefix, everything with {@link #EVERYWHERE}.
   *
   * @param length 0 to 128 bits
   */
  public record Prefix(Ipv6Address address, int length) {
    /** All addresses. */
    public static final Prefix EVERYWHERE = new Prefix(Ipv6Address.UNSPECIFIED, 0);

    boolean holds(Ipv6Address other) {
      return other.startsWith(address, length);
    }
  }

  /**
   * One rule.
   *
   * @param protocol a protocol number, or {@link #ANY}
   * @param port the destination's UDP or TCP port, or {@link #ANY}
   */
  public record Rule(
      boolean allow, Way way, int protocol, int port, Prefix source, Prefix destination) {
    /** Lets a protocol pass both ways, whoever speaks it. */
    public static Rule allow(int protocol) {
      return new Rule(true, Way.BOTH, protocol, ANY, Prefix.EVERYWHERE, Prefix.EVERYWHERE);
    }
  }

  /** What motes speak: UDP, ICMPv6, ESP, AH. */
  public static final PacketFilter USUAL =
      new PacketFilter(
          List.of(
              Rule.allow(Protocol.UDP),
              Rule.allow(Protocol.ICMPV6),
              Rule.allow(Protocol.ESP),
              Rule.allow(Protocol.AH)));

  /** Copies the rules. */
  public PacketFilter {
    rules = List.copyOf(rules);
  }

  /** Whether a packet may pass. */
  public boolean allows(Way way, Ipv6Packet packet) {
    int protocol = outermost(packet);
    int port = port(packet);
    for (Rule rule : rules) {
      boolean fits =
          (rule.way() == Way.BOTH || rule.way() == way)
              && (rule.protocol() == ANY || rule.protocol() == protocol)
              && (rule.port() == ANY || rule.port() == port)
              && rule.source().holds(packet.source())
              && rule.destination().holds(packet.destination());
      if (fits) {
        return rule.allow();
      }
    }
    return false;
  }

  /** AH is an extension header on the wire, but what a rule wants to name. */
  private static int outermost(Ipv6Packet packet) {
    boolean authenticated =
        packet.extensions().stream().anyMatch(header -> header.protocol() == Protocol.AH);
    return authenticated ? Protocol.AH : packet.protocol();
  }

  private static int port(Ipv6Packet packet) {
    if (packet.protocol() != Protocol.UDP && packet.protocol() != Protocol.TCP) {
      return ANY;
    }
    try {
      WireReader in = new WireReader(packet.payload());
      in.skip(2);
      return in.u16();
    } catch (WireException e) {
      return ANY;
    }
  }
}
