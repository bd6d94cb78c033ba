package dev.vigil.border.cost;

import dev.vigil.border.ipsec.Association;
import dev.vigil.border.ipsec.Association.AhProtection;
import dev.vigil.border.ipsec.Association.EspProtection;
import dev.vigil.border.ipsec.Association.Protection;
import dev.vigil.border.ipsec.OutboundAssociation;
import dev.vigil.border.ipsec.Profile;
import dev.vigil.border.ipsec.SequenceCounter;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.RplOption;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.wire.WireException;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The protection between the mote and its peer; IPsec in transport mode with SPI 1. */
public enum Transport {
  NONE("none", null),
  AH_XCBC("ah-xcbc", Profile.AH_XCBC),
  ESP_CTR_XCBC("ctr-xcbc", Profile.CTR_XCBC),
  ESP_CBC_XCBC("cbc-xcbc", Profile.CBC_XCBC),
  ESP_CCM8("ccm8", Profile.CCM8),
  DTLS_CCM8("dtls-ccm8", null);

  private static final int COAP = 5683;
  private static final int COAPS = 5684;
  private static final int HOP_LIMIT = 64;
  private static final int RANK_OF_A_HOP = 256;
  private static final int AH_ALIGNED = 24;
  private static final int ESP_HEADER = 8;

  /** SPI and sequence number, which CCM authenticates in addition to the text. */
  private static final int ESP_ASSOCIATED = 8;

  private final String label;
  private final @Nullable Profile profile;

  Transport(String label, @Nullable Profile profile) {
    this.label = label;
    this.profile = profile;
  }

  /**
   * A packet ready to be compressed.
   *
   * @param aesBlocks of its protection
   */
  record Protected(Ipv6Packet packet, int aesBlocks) {}

  /** The name in the API. For IPsec it is the profile's name in files of associations. */
  public String label() {
    return label;
  }

  /** Whether routers cannot read the payload. */
  public boolean encrypts() {
    return switch (this) {
      case NONE, AH_XCBC -> false;
      case ESP_CTR_XCBC, ESP_CBC_XCBC, ESP_CCM8, DTLS_CCM8 -> true;
    };
  }

  /**
   * A UDP datagram of a mote that is a number of hops from its RPL root, with the root's RPL
   * option.
   */
  Protected send(Ipv6Address mote, Ipv6Address peer, int hops, byte[] message)
      throws WireException {
    boolean dtls = this == DTLS_CCM8;
    int port = dtls ? COAPS : COAP;
    byte[] content = dtls ? DtlsRecord.seal(message) : message;
    byte[] udp = new Udp(port, port, content).encode(mote, peer);
    Ipv6Packet packet =
        Ipv6Packet.of(mote, peer, HOP_LIMIT, Protocol.UDP, udp)
            .withExtensions(List.of(new RplOption(0, 0, RANK_OF_A_HOP * (hops + 1)).header()));
    if (profile == null) {
      return new Protected(packet, dtls ? DtlsRecord.aesBlocks(message.length) : 0);
    }
    Ipv6Packet sealed = associate(profile, mote, peer).protect(packet);
    return new Protected(sealed, aesBlocks(profile, sealed, udp.length));
  }

  private static OutboundAssociation associate(
      Profile profile, Ipv6Address mote, Ipv6Address peer) {
    byte[] integrityKey = new byte[profile.integrityKey()];
    Protection protection =
        profile.header().equals("ah")
            ? new AhProtection(profile.integrity(), integrityKey)
            : new EspProtection(
                profile.encryption(),
                new byte[profile.cipherKey()],
                profile.integrity(),
                integrityKey);
    Association association =
        new Association(
            "cost", mote, peer, Association.DEFAULT_SPI, protection, Association.DEFAULT_WINDOW);
    // Content and keys are zeros and are never sent. An unpredictable IV would only make results
    // vary.
    return new OutboundAssociation(
        association, new SequenceCounter(OptionalLong.of(0), 1, reserved -> {}), new Random(0));
  }

  private static int aesBlocks(Profile profile, Ipv6Packet sealed, int udp) {
    if (profile.header().equals("ah")) {
      return AesBlocks.xcbc(Ipv6Packet.HEADER + AH_ALIGNED + udp);
    }
    int covered = sealed.payload().length - profile.integrity().icvLength();
    int text =
        covered - ESP_HEADER - profile.encryption().ivLength() - profile.encryption().icvLength();
    return profile.encryption().isCombined()
        ? AesBlocks.ccm(ESP_ASSOCIATED, text)
        : AesBlocks.of(text) + AesBlocks.xcbc(covered);
  }
}
