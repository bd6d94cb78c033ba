package dev.vigil.border.ipsec;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;

/**
 * Opens the packets received under one association: checks addresses and SPI, checks the replay
 * window, verifies the ICV, decrypts, then commits the window. The caller stores {@link #top}
 * before it delivers a packet.
 */
public final class InboundAssociation {
  private final Association association;
  private final Opener opener;
  private ReplayWindow window;

  @FunctionalInterface
  private interface Opener {
    Ipv6Packet open(Ipv6Packet packet) throws WireException;
  }

  /**
   * @param storedTop of the replay window, 0 for a new association
   */
  public InboundAssociation(Association association, long storedTop) {
    this.association = association;
    this.window = new ReplayWindow(association.window(), storedTop);
    this.opener =
        switch (association.protection()) {
          case Association.AhProtection ah -> ah(new AhTransform(ah.integrity(), ah.key()));
          case Association.EspProtection esp ->
              esp(
                  new EspTransform(
                      esp.encryption(), esp.key(), esp.integrity(), esp.integrityKey()),
                  esp.udpCompressed());
        };
  }

  public Association association() {
    return association;
  }

  /** The highest accepted sequence number. */
  public long top() {
    return window.top();
  }

  /** The number that the low 1 or 2 octets of one stand for. */
  public long wholeSequence(int low, int octets) throws WireException {
    return window.whole(low, octets);
  }

  /** Accepts all sequence numbers again, like a new association. */
  public void reset() {
    window = new ReplayWindow(association.window(), 0);
  }

  /** Verifies a packet and removes AH or ESP. */
  public Ipv6Packet open(Ipv6Packet packet) throws WireException {
    // ESP's ICV does not cover the addresses, so they could be changed on the path (RFC 4301,
    // section 5.2, step 4).
    if (!packet.source().equals(association.source())
        || !packet.finalDestination().equals(association.destination())) {
      throw new WireException(Drop.POLICY, "not between the association's ends");
    }
    return opener.open(packet);
  }

  private Opener ah(AhTransform transform) {
    return packet -> {
      ExtensionHeader.Authentication header = header(packet);
      check(header.spi(), header.sequence());
      Ipv6Packet verified = transform.verify(packet);
      window.commit(header.sequence());
      return verified;
    };
  }

  private Opener esp(EspTransform transform, boolean udpCompressed) {
    return packet -> {
      Esp.Header header = Esp.header(packet);
      check(header.spi(), header.sequence());
      Ipv6Packet open = Esp.open(packet, transform, udpCompressed);
      window.commit(header.sequence());
      return open;
    };
  }

  private void check(int spi, long sequence) throws WireException {
    if (spi != association.spi()) {
      throw new WireException(Drop.SA_UNKNOWN);
    }
    window.check(sequence);
  }

  private static ExtensionHeader.Authentication header(Ipv6Packet packet) throws WireException {
    for (ExtensionHeader header : packet.extensions()) {
      if (header instanceof ExtensionHeader.Authentication ah) {
        return ah;
      }
    }
    throw new WireException(Drop.POLICY, "no AH");
  }
}
