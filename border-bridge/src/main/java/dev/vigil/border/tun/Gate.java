package dev.vigil.border.tun;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.tun.PacketFilter.Way;
import dev.vigil.border.wire.WireException;
import org.jspecify.annotations.Nullable;

/**
 * What passes between the mesh and the world: what a rule lets start, what answers it, and ICMPv6
 * errors about it. Belongs to one thread.
 *
 * <p>Conversations that motes started and those that were started from outside have places of their
 * own, so that a flood from the world cannot make the gate forget what motes wait for.
 */
public final class Gate {
  private static final int MOST = 4_096;
  private static final int MOST_OF_ONE_MOTE = 64;
  private static final int PREFIX_BITS = 64;

  private final PacketFilter filter;
  private final SourceLimit limit;
  private final Ipv6Address prefix;
  private final Ipv6Address kernel;
  private final Conversations ofMotes = new Conversations(MOST, MOST_OF_ONE_MOTE);
  private final Conversations ofWorld = new Conversations(MOST, MOST_OF_ONE_MOTE);

  /**
   * @param limit what the world may send into the mesh
   * @param prefix of the mesh, 64 bits
   * @param kernel the one address of the prefix that is outside
   */
  public Gate(PacketFilter filter, SourceLimit limit, Ipv6Address prefix, Ipv6Address kernel) {
    this.filter = filter;
    this.limit = limit;
    this.prefix = prefix;
    this.kernel = kernel;
  }

  /**
   * Whether a packet may pass now.
   *
   * @param way IN or OUT
   * @return null if it may, else why not
   * @throws WireException if it ends before its ports or the packet it quotes do
   */
  public @Nullable FilterDrop check(Way way, Ipv6Packet packet, long nowMillis)
      throws WireException {
    boolean out = way == Way.OUT;
    if (!(out ? isOfMesh(packet.source()) : isBeyond(packet.source()))) {
      return FilterDrop.FILTERED_SOURCE;
    }
    if (!out && packet.extensions().stream().anyMatch(h -> h instanceof ExtensionHeader.Routing)) {
      return FilterDrop.FILTERED_ROUTE;
    }
    Conversation.Packet seen = Conversation.read(packet);
    return seen.isError()
        ? checkError(way, packet, seen, nowMillis)
        : checkOther(way, seen, nowMillis);
  }

  /** Whoever sent the packet that an error quotes may hear it, and nobody else. */
  private @Nullable FilterDrop checkError(
      Way way, Ipv6Packet packet, Conversation.Packet seen, long nowMillis) throws WireException {
    Conversation.Packet quoted = Conversation.quoted(packet.payload());
    Conversation about = quoted.conversation(way == Way.IN);
    boolean awaited = ofMotes.isKnown(about, nowMillis);
    boolean known = awaited || ofWorld.isKnown(about, nowMillis);
    if (!known || !quoted.from().equals(seen.to())) {
      return FilterDrop.FILTERED_ERROR;
    }
    return isTooFast(way, seen, awaited, nowMillis) ? FilterDrop.RATE_LIMIT : null;
  }

  private @Nullable FilterDrop checkOther(Way way, Conversation.Packet seen, long nowMillis) {
    boolean out = way == Way.OUT;
    Conversation conversation = seen.conversation(out);
    boolean ofMote = ofMotes.isKnown(conversation, nowMillis);
    boolean known = ofMote || ofWorld.isKnown(conversation, nowMillis);
    if (!known && !mayStart(way, seen)) {
      return out ? FilterDrop.FILTERED_OUT : FilterDrop.FILTERED_IN;
    }
    // Before anything is remembered of it: a flood must not make the gate forget.
    if (isTooFast(way, seen, ofMote, nowMillis)) {
      return FilterDrop.RATE_LIMIT;
    }
    boolean startedByMote = known ? ofMote : out;
    (startedByMote ? ofMotes : ofWorld).heard(conversation, nowMillis);
    return null;
  }

  private boolean mayStart(Way way, Conversation.Packet seen) {
    boolean leadsAcross = way == Way.IN ? isOfMesh(seen.to()) : isBeyond(seen.to());
    return leadsAcross && filter.allows(way, seen.seen(), seen.from(), seen.to());
  }

  private boolean isTooFast(Way way, Conversation.Packet seen, boolean awaited, long nowMillis) {
    return way == Way.IN && !limit.take(seen.from(), awaited, nowMillis);
  }

  /**
   * Whether a host beyond the bridge can have an address. Those that begin with 64 zeros stand for
   * none, for oneself, or for IPv4 (RFC 4291, sections 2.5.2, 2.5.3, 2.5.5).
   */
  private boolean isBeyond(Ipv6Address address) {
    boolean unicast = !address.isMulticast() && !address.isLinkLocal() && address.high() != 0;
    return unicast && !isOfMesh(address);
  }

  private boolean isOfMesh(Ipv6Address address) {
    return address.startsWith(prefix, PREFIX_BITS) && !address.equals(kernel);
  }
}
