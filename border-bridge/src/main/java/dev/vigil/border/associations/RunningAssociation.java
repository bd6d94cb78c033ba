package dev.vigil.border.associations;

import dev.vigil.border.ipsec.Association;
import dev.vigil.border.ipsec.AssociationFile.Entry;
import dev.vigil.border.ipsec.InboundAssociation;
import dev.vigil.border.ipsec.OutboundAssociation;
import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An association with its numbers and its traffic. Belongs to the pipeline thread; any thread may
 * read its {@link #status}.
 */
final class RunningAssociation {
  private final String record;
  private final @Nullable InboundAssociation in;
  private final @Nullable OutboundAssociation out;
  private final AssociationTraffic traffic = new AssociationTraffic();
  private volatile AssociationState state;

  /** An association without its record has neither {@code in} nor {@code out}. */
  private RunningAssociation(
      String record, @Nullable InboundAssociation in, @Nullable OutboundAssociation out) {
    this.record = record;
    this.in = in;
    this.out = out;
    this.state =
        in == null && out == null ? AssociationState.RECORD_MISSING : AssociationState.READY;
  }

  static RunningAssociation receiving(String record, InboundAssociation in) {
    return new RunningAssociation(record, in, null);
  }

  static RunningAssociation sending(String record, OutboundAssociation out) {
    return new RunningAssociation(record, null, out);
  }

  static RunningAssociation stopped(String record) {
    return new RunningAssociation(record, null, null);
  }

  /** The name of the association's durable number. */
  String record() {
    return record;
  }

  /** Whether packets are opened under it. */
  boolean receives() {
    return in != null;
  }

  /** Whether packets are carried under exactly this association. */
  boolean carries(Association other) {
    return in != null && in.association().isSameAs(other)
        || out != null && out.association().isSameAs(other);
  }

  boolean isStopped() {
    return state == AssociationState.RECORD_MISSING;
  }

  /** The highest accepted number. */
  long top() {
    return in == null ? 0 : in.top();
  }

  /** Accepts all sequence numbers again. */
  void reset() {
    if (in != null) {
      in.reset();
    }
  }

  /** The number that the low 1 or 2 octets of one stand for. */
  long wholeSequence(int low, int octets) throws WireException {
    if (in == null) {
      throw new WireException(Drop.SEQUENCE_RECORD_MISSING);
    }
    return in.wholeSequence(low, octets);
  }

  /** The packet without the header of this association. */
  Ipv6Packet open(Ipv6Packet packet) throws WireException {
    try {
      if (in == null) {
        throw new WireException(Drop.SEQUENCE_RECORD_MISSING);
      }
      Ipv6Packet open = in.open(packet);
      traffic.carried(size(open));
      return open;
    } catch (WireException e) {
      traffic.dropped(e.reason());
      throw e;
    }
  }

  /** The packet under the next number. */
  Ipv6Packet protect(Ipv6Packet packet) throws WireException {
    try {
      if (out == null) {
        throw new WireException(Drop.SEQUENCE_RECORD_MISSING);
      }
      if (!packet.source().equals(out.association().source())) {
        throw new WireException(Drop.POLICY, "not between the association's ends");
      }
      Ipv6Packet protectedPacket = out.protect(packet);
      traffic.carried(size(packet));
      return protectedPacket;
    } catch (WireException e) {
      dropped(e.reason());
      throw e;
    }
  }

  /** Counts octets that compression saved in the frames of one of its packets. */
  void saved(int octets) {
    traffic.saved(octets);
  }

  /** Counts a packet that this association should have carried, or must not carry. */
  void dropped(Drop reason) {
    if (reason == Drop.SEQUENCE_EXHAUSTED) {
      state = AssociationState.EXHAUSTED;
    }
    traffic.dropped(reason);
  }

  private static int size(Ipv6Packet packet) {
    int size = Ipv6Packet.HEADER + packet.payload().length;
    for (ExtensionHeader header : packet.extensions()) {
      size += header.length();
    }
    return size;
  }

  AssociationStatus status(Entry entry, List<String> warnings) {
    return new AssociationStatus(
        entry.line(),
        entry.direction(),
        entry.store(),
        entry.profile().header(),
        entry.profile().label(),
        entry.association().spi(),
        entry.association().source(),
        entry.association().destination(),
        warnings,
        () -> state,
        traffic::figures);
  }
}
