package dev.vigil.border.cost;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Fcs;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.FrameSecurity;
import dev.vigil.border.ieee802154.KeyId;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ieee802154.LinkKey;
import dev.vigil.border.ieee802154.SecurityHeader;
import dev.vigil.border.ieee802154.SecurityLevel;

/**
 * A data frame as it is sent.
 *
 * @param psdu with FCS
 * @param aesBlocks of its link security
 */
public record LinkFrame(byte[] psdu, int aesBlocks) {
  /** Preamble, start of frame and length (802.15.4-2006, section 6.3). */
  private static final int PHY_HEADER = 6;

  private static final double MILLIS_PER_OCTET = 0.032;
  private static final int PAN = 0xabcd;
  private static final Eui64 SENDER = new Eui64(1);

  /** A frame between short addresses, as Alharby measures them. */
  public static LinkFrame between(SecurityLevel level, byte[] payload) {
    return seal(level, new LinkAddress.Short(1), new LinkAddress.Short(2), payload);
  }

  static LinkFrame seal(SecurityLevel level, LinkAddress from, LinkAddress to, byte[] payload) {
    Frame plain = headed(level, from, to, payload);
    Frame sealed =
        level == SecurityLevel.NONE
            ? plain
            : FrameSecurity.seal(plain, new LinkKey(new byte[16]), SENDER);
    int blocks = AesBlocks.frame(level, plain.headerLength(), payload.length);
    return new LinkFrame(Fcs.append(sealed.encode()), blocks);
  }

  /** Octets of the payload that fit into a frame between these addresses. */
  static int room(SecurityLevel level, LinkAddress from, LinkAddress to) {
    int header = headed(level, from, to, new byte[0]).headerLength();
    return Frame.MAX_PSDU - Fcs.LENGTH - header - level.micLength();
  }

  private static Frame headed(
      SecurityLevel level, LinkAddress from, LinkAddress to, byte[] payload) {
    Frame frame = Frame.data(1, PAN, to, from, true, payload);
    return level == SecurityLevel.NONE
        ? frame
        : frame.withSecurity(new SecurityHeader(level, KeyId.IMPLICIT, 1));
  }

  /** Octets on the air, from the preamble to the FCS. */
  public int octets() {
    return PHY_HEADER + psdu.length;
  }

  /** How long the frame is on the air. */
  public double millis() {
    return octets() * MILLIS_PER_OCTET;
  }
}
