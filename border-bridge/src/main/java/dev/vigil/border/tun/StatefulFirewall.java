package dev.vigil.border.tun;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.tun.PacketFilter.Direction;
import dev.vigil.border.wire.WireException;
import org.jspecify.annotations.Nullable;

/**
 * Decides which packets pass between the mesh and the outside: packets that a rule allows to start
 * a flow, packets of known flows, and ICMPv6 errors about them. Belongs to one thread.
 *
 * <p>Flows started by motes and flows started from outside have separate tables, so that a flood
 * from outside cannot displace the flows that motes wait for.
 */
public final class StatefulFirewall {
  private static final int CAPACITY = 4_096;
  private static final int CAPACITY_PER_MOTE = 64;
  private static final int PREFIX_BITS = 64;

  private final PacketFilter filter;
  private final PacketRateLimiter limiter;
  private final Ipv6Address prefix;
  private final Ipv6Address kernel;
  private final FlowTable startedByMotes = new FlowTable(CAPACITY, CAPACITY_PER_MOTE);
  private final FlowTable startedOutside = new FlowTable(CAPACITY, CAPACITY_PER_MOTE);

  /**
   * @param limiter for packets from outside
   * @param prefix of the mesh, 64 bits
   * @param kernel the one address of the prefix that is outside
   */
  public StatefulFirewall(
      PacketFilter filter, PacketRateLimiter limiter, Ipv6Address prefix, Ipv6Address kernel) {
    this.filter = filter;
    this.limiter = limiter;
    this.prefix = prefix;
    this.kernel = kernel;
  }

  /**
   * Checks whether a packet may pass now.
   *
   * @param direction IN or OUT
   * @return null if it may pass, otherwise the drop reason
   * @throws WireException if the packet ends before its ports, or before the packet that it quotes
   */
  public @Nullable FilterDrop check(Direction direction, Ipv6Packet packet, long nowMillis)
      throws WireException {
    boolean out = direction == Direction.OUT;
    if (!(out ? isInMesh(packet.source()) : isOutside(packet.source()))) {
      return FilterDrop.FILTERED_SOURCE;
    }
    if (!out && packet.extensions().stream().anyMatch(h -> h instanceof ExtensionHeader.Routing)) {
      return FilterDrop.FILTERED_ROUTE;
    }
    Flow.FiveTuple tuple = Flow.read(packet);
    return tuple.isIcmpError()
        ? checkIcmpError(direction, packet, tuple, nowMillis)
        : checkOther(direction, tuple, nowMillis);
  }

  /** An ICMPv6 error may reach only the sender of the packet that it quotes. */
  private @Nullable FilterDrop checkIcmpError(
      Direction direction, Ipv6Packet packet, Flow.FiveTuple tuple, long nowMillis)
      throws WireException {
    Flow.FiveTuple quoted = Flow.quoted(packet.payload());
    Flow flow = quoted.flow(direction == Direction.IN);
    boolean awaited = startedByMotes.isActive(flow, nowMillis);
    boolean active = awaited || startedOutside.isActive(flow, nowMillis);
    if (!active || !quoted.from().equals(tuple.to())) {
      return FilterDrop.FILTERED_ERROR;
    }
    return isTooFast(direction, tuple, awaited, nowMillis) ? FilterDrop.RATE_LIMIT : null;
  }

  private @Nullable FilterDrop checkOther(
      Direction direction, Flow.FiveTuple tuple, long nowMillis) {
    boolean out = direction == Direction.OUT;
    Flow flow = tuple.flow(out);
    boolean awaited = startedByMotes.isActive(flow, nowMillis);
    boolean active = awaited || startedOutside.isActive(flow, nowMillis);
    if (!active && !mayStart(direction, tuple)) {
      return out ? FilterDrop.FILTERED_OUT : FilterDrop.FILTERED_IN;
    }
    // This is checked before the flow is recorded, because a flood must not displace other flows.
    if (isTooFast(direction, tuple, awaited, nowMillis)) {
      return FilterDrop.RATE_LIMIT;
    }
    boolean startedByMote = active ? awaited : out;
    (startedByMote ? startedByMotes : startedOutside).record(flow, nowMillis);
    return null;
  }

  private boolean mayStart(Direction direction, Flow.FiveTuple tuple) {
    boolean crosses = direction == Direction.IN ? isInMesh(tuple.to()) : isOutside(tuple.to());
    return crosses && filter.allows(direction, tuple.upperLayer(), tuple.from(), tuple.to());
  }

  private boolean isTooFast(
      Direction direction, Flow.FiveTuple tuple, boolean awaited, long nowMillis) {
    return direction == Direction.IN && !limiter.take(tuple.from(), awaited, nowMillis);
  }

  /**
   * Whether a host outside can have this address. Addresses that begin with 64 zeros are
   * unspecified (RFC 4291, section 2.5.2), loopback (RFC 4291, section 2.5.3) or IPv4 (RFC 4291,
   * section 2.5.5).
   */
  private boolean isOutside(Ipv6Address address) {
    boolean unicast = !address.isMulticast() && !address.isLinkLocal() && address.high() != 0;
    return unicast && !isInMesh(address);
  }

  private boolean isInMesh(Ipv6Address address) {
    return address.startsWith(prefix, PREFIX_BITS) && !address.equals(kernel);
  }
}
