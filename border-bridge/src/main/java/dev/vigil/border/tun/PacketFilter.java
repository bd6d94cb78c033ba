package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Protocol;
import java.util.List;

/**
 * Decides which packets may start a flow between the mesh and the outside. The first matching rule
 * applies; a packet without a matching rule is dropped. Answers need no rule: {@link
 * StatefulFirewall} recognises them. A fragment (RFC 8200, section 4.5) matches every rule that
 * denies.
 */
public record PacketFilter(List<Rule> rules) {
  private static final int COAP = 5683;
  private static final int COAPS = 5684;

  /** The direction of a packet or of a rule. */
  public enum Direction {
    /** From outside into the mesh. */
    IN,
    /** From the mesh to the outside. */
    OUT,
    /** Both; for rules only. */
    BOTH
  }

  /**
   * A range of addresses.
   *
   * @param length 0 to 128 bits
   */
  public record Prefix(Ipv6Address address, int length) {
    /** All addresses. */
    public static final Prefix EVERYWHERE = new Prefix(Ipv6Address.UNSPECIFIED, 0);

    boolean contains(Ipv6Address other) {
      return other.startsWith(address, length);
    }
  }

  /** One rule. Source and destination are the packet's source and destination. */
  public record Rule(
      boolean allow,
      Direction direction,
      TrafficSelector traffic,
      Prefix source,
      Prefix destination) {
    /** A rule that allows traffic between any addresses. */
    public static Rule allow(Direction direction, TrafficSelector traffic) {
      return new Rule(true, direction, traffic, Prefix.EVERYWHERE, Prefix.EVERYWHERE);
    }

    /**
     * Parses a rule: {@code allow|deny in|out|both TRAFFIC [from PREFIX] [to PREFIX]}.
     *
     * <p>TRAFFIC is {@code any}, {@code echo} (echo requests), {@code esp}, {@code ah}, {@code udp}
     * or {@code tcp} with an optional destination port or range, or a protocol number. For instance
     * {@code allow in udp 5683-5684 from 2001:db8::/32}.
     *
     * @throws IllegalArgumentException naming the wrong word
     */
    public static Rule of(String line) {
      return FilterRuleParser.parse(line);
    }

    /** A fragment hides its upper-layer header, so it might contain the denied traffic. */
    boolean matches(
        Direction packetDirection,
        TrafficSelector.UpperLayer upperLayer,
        Ipv6Address from,
        Ipv6Address to) {
      boolean fragment = upperLayer.protocol() == Protocol.FRAGMENT;
      return (direction == Direction.BOTH || direction == packetDirection)
          && (traffic.matches(upperLayer) || (fragment && !allow))
          && source.contains(from)
          && destination.contains(to);
    }
  }

  /**
   * Into the mesh: CoAP, CoAPS, ESP, AH and echo requests. To the outside: UDP, ESP, AH and echo
   * requests.
   */
  public static final PacketFilter DEFAULT =
      new PacketFilter(
          List.of(
              Rule.allow(Direction.IN, TrafficSelector.udp(COAP, COAPS)),
              Rule.allow(Direction.OUT, TrafficSelector.UDP),
              Rule.allow(Direction.BOTH, TrafficSelector.ESP),
              Rule.allow(Direction.BOTH, TrafficSelector.AH),
              Rule.allow(Direction.BOTH, TrafficSelector.ECHO)));

  /** Copies the rules. */
  public PacketFilter {
    rules = List.copyOf(rules);
  }

  /** A filter with these rules, or {@link #DEFAULT} without any. */
  public static PacketFilter of(List<Rule> rules) {
    return rules.isEmpty() ? DEFAULT : new PacketFilter(rules);
  }

  boolean allows(
      Direction direction,
      TrafficSelector.UpperLayer upperLayer,
      Ipv6Address from,
      Ipv6Address to) {
    for (Rule rule : rules) {
      if (rule.matches(direction, upperLayer, from, to)) {
        return rule.allow();
      }
    }
    return false;
  }
}
