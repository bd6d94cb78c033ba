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
  private final Ipv6Address prefix;
  private final Ipv6Address kernel;
  private final Conversations ofMotes = new Conversations(MOST, MOST_OF_ONE_MOTE);
  private final Conversations ofWorld = new Conversations(MOST, MOST_OF_ONE_MOTE);

  /**
   * @param prefix of the mesh, 64 bits
   * @param kernel the one address of the prefix that is outside
   */
  public Gate(PacketFilter filter, Ipv6Address prefix, Ipv6Address kernel) {
    this.filter = filter;
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
    if (isOfMesh(packet.source()) != out) {
      return FilterDrop.FILTERED_SOURCE;
    }
    if (!out && packet.extensions().stream().anyMatch(h -> h instanceof ExtensionHeader.Routing)) {
      return FilterDrop.FILTERED_ROUTE;
    }
    Conversation.Packet seen = Conversation.read(packet);
    if (seen.isError()) {
      Conversation about = Conversation.quoted(packet.payload()).conversation(!out);
      boolean known = ofMotes.isKnown(about, nowMillis) || ofWorld.isKnown(about, nowMillis);
      return known ? null : FilterDrop.FILTERED_ERROR;
    }
    Conversation conversation = seen.conversation(out);
    if (ofMotes.goesOn(conversation, nowMillis) || ofWorld.goesOn(conversation, nowMillis)) {
      return null;
    }
    if (filter.allows(way, seen.seen(), seen.from(), seen.to())) {
      (out ? ofMotes : ofWorld).start(conversation, nowMillis);
      return null;
    }
    return out ? FilterDrop.FILTERED_OUT : FilterDrop.FILTERED_IN;
  }

  private boolean isOfMesh(Ipv6Address address) {
    return address.startsWith(prefix, PREFIX_BITS) && !address.equals(kernel);
  }
}
