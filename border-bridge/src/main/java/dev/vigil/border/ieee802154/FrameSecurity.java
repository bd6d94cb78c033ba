package dev.vigil.border.ieee802154;

import dev.vigil.border.crypto.Ccm;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.util.Optional;

/**
 * Secures and opens data frames (802.15.4-2006, section 7.5.8). The MAC header with the auxiliary
 * security header is authenticated; the payload is authenticated at levels 1 to 3, encrypted at
 * level 4, both at levels 5 to 7. The nonce is the source's EUI-64 and the frame counter, both
 * big-endian, and the level.
 */
public final class FrameSecurity {
  private static final int NONCE_LENGTH = 13;
  private static final byte[] NOTHING = {};

  private FrameSecurity() {}

  /**
   * Secures a frame.
   *
   * @param frame payload in the clear, with a security header
   * @param source the sender's extended address, even if the frame has a short one
   * @return the frame with the secured payload
   */
  public static Frame seal(Frame frame, LinkKey key, Eui64 source) {
    SecurityHeader security = frame.security();
    if (security == null) {
      throw new IllegalArgumentException("a frame to be sealed has a security header");
    }
    SecurityLevel level = security.level();
    if (level == SecurityLevel.NONE) {
      return frame;
    }
    byte[] nonce = nonce(source, security);
    byte[] header = frame.header();
    byte[] payload = frame.payload();
    if (level.encrypts()) {
      return frame.withPayload(key.ccm().seal(nonce, header, payload, level.micLength()));
    }
    byte[] all = concat(header, payload);
    byte[] mic = key.ccm().seal(nonce, all, NOTHING, level.micLength());
    return frame.withPayload(concat(payload, mic));
  }

  /**
   * Opens a secured frame. {@link LinkSecurity} checks for replay; this method does not.
   *
   * @param source the sender's extended address, even if the frame has a short one
   * @return the payload in the clear
   * @throws WireException {@link Drop#MIC_WRONG}, {@link Drop#TRUNCATED} if the payload is shorter
   *     than a MIC, {@link Drop#SECURITY_TYPE_UNSUPPORTED} for frames other than data frames
   */
  public static byte[] open(Frame frame, LinkKey key, Eui64 source) throws WireException {
    SecurityHeader security = frame.security();
    if (security == null) {
      throw new WireException(Drop.SECURITY_MISSING);
    }
    if (frame.control().type() != FrameType.DATA) {
      throw new WireException(Drop.SECURITY_TYPE_UNSUPPORTED);
    }
    SecurityLevel level = security.level();
    if (level == SecurityLevel.NONE) {
      return frame.payload();
    }
    byte[] nonce = nonce(source, security);
    Ccm ccm = key.ccm();
    WireReader in = new WireReader(frame.payload());
    byte[] content = in.bytes(in.remaining() - level.micLength());
    Optional<byte[]> opened =
        level.encrypts()
            ? ccm.open(nonce, frame.header(), frame.payload(), level.micLength())
            : ccm.open(nonce, concat(frame.header(), content), in.rest(), level.micLength())
                .map(nothing -> content);
    return opened.orElseThrow(() -> new WireException(Drop.MIC_WRONG));
  }

  private static byte[] nonce(Eui64 source, SecurityHeader security) {
    return new WireWriter(NONCE_LENGTH)
        .u64(source.value())
        .u32(security.frameCounter())
        .u8(security.level().ordinal())
        .toBytes();
  }

  private static byte[] concat(byte[] first, byte[] second) {
    return new WireWriter(first.length + second.length).bytes(first).bytes(second).toBytes();
  }
}
