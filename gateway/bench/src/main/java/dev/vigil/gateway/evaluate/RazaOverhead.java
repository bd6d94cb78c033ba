package dev.vigil.gateway.evaluate;

import dev.vigil.border.cost.LinkFrame;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.ipsec.Association;
import dev.vigil.border.ipsec.Association.AhProtection;
import dev.vigil.border.ipsec.Association.EspProtection;
import dev.vigil.border.ipsec.Association.Protection;
import dev.vigil.border.ipsec.Encryption;
import dev.vigil.border.ipsec.Integrity;
import dev.vigil.border.ipsec.OutboundAssociation;
import dev.vigil.border.ipsec.SequenceCounter;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.sixlowpan.NeighbourForms;
import dev.vigil.border.sixlowpan.NhcSupport;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import dev.vigil.border.wire.WireException;
import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.How;
import dev.vigil.gateway.evaluate.tables.Row;
import dev.vigil.gateway.evaluate.tables.Table;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;

/** Raza 2011, table II: octets that protection adds to a packet, counted on real frames. */
final class RazaOverhead implements Experiment {
  private static final long PREFIX = 0xfd00L << 48;
  private static final Eui64 MOTE = new Eui64(0x0212_7400_0000_0002L);
  private static final Eui64 ROOT = new Eui64(0x0212_7400_0000_0001L);
  private static final Ipv6Address FROM = new Ipv6Address(PREFIX, MOTE.interfaceId());
  private static final Ipv6Address TO = new Ipv6Address(PREFIX, ROOT.interfaceId());
  private static final int HOP_LIMIT = 64;
  private static final int ROOM = 100;
  private static final int TRAILER = 2;
  private static final NeighbourForms WHOLE = new NeighbourForms(NhcSupport.IPSEC, true, 0);
  private static final NeighbourForms ONE_OCTET = new NeighbourForms(NhcSupport.IPSEC, true, 1);

  /** With UDP's header and the trailer, these payloads fill whole AES blocks: no padding. */
  private static final int PAYLOAD = 22;

  private static final EspProtection CTR = esp(Encryption.AES_CTR, Integrity.NONE);
  private static final EspProtection CTR_XCBC = esp(Encryption.AES_CTR, Integrity.AES_XCBC_96);
  private static final EspProtection CTR_SHA1 = esp(Encryption.AES_CTR, Integrity.HMAC_SHA1_96);
  private static final EspProtection CBC = esp(Encryption.AES_CBC, Integrity.NONE);
  private static final EspProtection CBC_XCBC = esp(Encryption.AES_CBC, Integrity.AES_XCBC_96);
  private static final AhProtection AH =
      new AhProtection(Integrity.AES_XCBC_96, new byte[Integrity.AES_XCBC_96.keyLength()]);

  @Override
  public List<String> tables() {
    return List.of("raza-2");
  }

  @Override
  public boolean isQuick() {
    return true;
  }

  @Override
  public List<Table> run() throws WireException {
    return List.of(
        new Table(
            "raza-2",
            "octets added to each packet, IPsec uncompressed and compressed, and link security",
            List.of(
                equal("AH, uncompressed", 24, plain(AH)),
                equal("AH, compressed", 16, compressedAh(WHOLE)),
                beside("  with one octet of the sequence number", 16, compressedAh(ONE_OCTET)),
                equal("ESP CTR, uncompressed", 18, plain(CTR)),
                equal("ESP CTR, compressed, without trailer", 12, compressed(CTR)),
                Row.equal("  with trailer", 14, compressed(CTR) + TRAILER, "B", How.COUNTED),
                equal("ESP CTR and ICV, uncompressed", 30, plain(CTR_XCBC)),
                equal("ESP CTR and ICV, compressed, without trailer", 24, compressed(CTR_XCBC)),
                Row.equal("  with trailer", 26, compressed(CTR_XCBC) + TRAILER, "B", How.COUNTED),
                equal("  with HMAC-SHA1-96, without trailer", 24, compressed(CTR_SHA1)),
                beside(
                    "  with trailer and one octet of the sequence number",
                    24,
                    compressed(CTR_XCBC, ONE_OCTET) + TRAILER),
                beside("ESP CBC (IV of 16), uncompressed", 18, plain(CBC)),
                beside("ESP CBC, compressed, without trailer", 12, compressed(CBC)),
                beside("ESP CBC and ICV, uncompressed", 30, plain(CBC_XCBC)),
                beside("ESP CBC and ICV, compressed, without trailer", 24, compressed(CBC_XCBC)),
                beside("link MIC (theirs 96 bits, ours 64: level 2)", 12, link(2)),
                equal("link encryption (level 4)", 5, link(4)),
                equal("link encryption and MIC-128 (level 7)", 21, link(7)))));
  }

  private static Row equal(String row, double theirs, int ours) {
    return Row.equal(row, theirs, ours, "B", How.COUNTED);
  }

  private static Row beside(String row, double theirs, int ours) {
    return Row.beside(row, theirs, ours, "B", How.COUNTED);
  }

  private static EspProtection esp(Encryption encryption, Integrity integrity) {
    int key = 16 + encryption.saltLength();
    return new EspProtection(encryption, new byte[key], integrity, new byte[integrity.keyLength()]);
  }

  private static Ipv6Packet udp() {
    byte[] message = new Udp(5683, 5683, new byte[PAYLOAD]).encode(FROM, TO);
    return Ipv6Packet.of(FROM, TO, HOP_LIMIT, Protocol.UDP, message);
  }

  private static Ipv6Packet protect(Protection protection) throws WireException {
    Association association =
        new Association("table", FROM, TO, Association.DEFAULT_SPI, protection, 64);
    SequenceCounter counter = new SequenceCounter(OptionalLong.of(0), 1, reserved -> {});
    return new OutboundAssociation(association, counter, new Random(0)).protect(udp());
  }

  /** Octets more of an IPv6 packet. */
  private static int plain(Protection protection) throws WireException {
    return protect(protection).encode().length - udp().encode().length;
  }

  /** Octets more of the frame's payload: UDP's header is compressed in both. */
  private static int compressedAh(NeighbourForms forms) throws WireException {
    return lowpan(protect(AH), forms) - lowpan(udp(), forms);
  }

  /**
   * Octets of the frame's payload that are neither the compressed IPv6 header nor the encrypted UDP
   * datagram with its trailer. UDP's header is never compressed inside ESP.
   */
  private static int compressed(EspProtection protection) throws WireException {
    return compressed(protection, WHOLE);
  }

  private static int compressed(EspProtection protection, NeighbourForms forms)
      throws WireException {
    Ipv6Packet empty = Ipv6Packet.of(FROM, TO, HOP_LIMIT, Protocol.NO_NEXT_HEADER, new byte[0]);
    int nextHeader = 1; // of the empty packet; behind a compressed header it is elided
    int iphc = lowpan(empty, forms) - nextHeader;
    return lowpan(protect(protection), forms) - iphc - udp().payload().length - TRAILER;
  }

  private static int lowpan(Ipv6Packet packet, NeighbourForms forms) throws WireException {
    LowpanCodec codec = new LowpanCodec(Contexts.mesh(new Ipv6Address(PREFIX, 0)), 0);
    List<byte[]> payloads =
        codec
            .encodeCounted(packet.encode(), LinkAddress.of(MOTE), LinkAddress.of(ROOT), ROOM, forms)
            .payloads();
    if (payloads.size() != 1) {
      throw new IllegalStateException("a packet of the table was fragmented");
    }
    return payloads.getFirst().length;
  }

  private static int link(int level) {
    byte[] payload = new byte[PAYLOAD];
    return LinkFrame.between(SecurityLevel.of(level), payload).octets()
        - LinkFrame.between(SecurityLevel.NONE, payload).octets();
  }
}
