package dev.vigil.border.ieee802154;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The link-layer security of one network: accepted levels, keys, replay protection. The frame
 * counter is checked, then the MIC, then the counter is committed. A frame of a level without MIC
 * never commits a counter, because such frames can be forged.
 */
public final class LinkSecurity {
  private final LinkKeys keys;
  private final Set<SecurityLevel> accepted;
  private final ReplayTable replay;
  private final Function<Integer, @Nullable Eui64> shortAddresses;

  /**
   * @param accepted the levels of received frames; {@link SecurityLevel#NONE} admits unsecured
   *     frames
   * @param shortAddresses the extended address of a short one, or null if unknown
   */
  public LinkSecurity(
      LinkKeys keys,
      Set<SecurityLevel> accepted,
      ReplayTable replay,
      Function<Integer, @Nullable Eui64> shortAddresses) {
    this.keys = keys;
    this.accepted = Set.copyOf(accepted);
    this.replay = replay;
    this.shortAddresses = shortAddresses;
  }

  /**
   * Opens a received frame. Acknowledgements are never secured and always pass.
   *
   * @return the payload in the clear
   */
  public byte[] open(Frame frame) throws WireException {
    SecurityHeader security = frame.security();
    if (security == null) {
      if (frame.control().type() == FrameType.ACKNOWLEDGEMENT
          || accepted.contains(SecurityLevel.NONE)) {
        return frame.payload();
      }
      throw new WireException(Drop.SECURITY_MISSING);
    }
    if (!accepted.contains(security.level())) {
      throw new WireException(Drop.SECURITY_LEVEL_REFUSED);
    }
    Eui64 sender = extended(frame.source());
    LinkKey key =
        keys.find(security.keyId(), sender)
            .orElseThrow(() -> new WireException(Drop.SECURITY_KEY_UNKNOWN));
    ReplayTable.Entry entry = new ReplayTable.Entry(sender, security.keyId());
    boolean authenticates = security.level().authenticates();
    if (authenticates) {
      replay.check(entry, security.frameCounter());
    }
    byte[] payload = FrameSecurity.open(frame, key, sender);
    if (authenticates) {
      replay.commit(entry, security.frameCounter());
    }
    return payload;
  }

  /**
   * Secures a frame of the bridge.
   *
   * @param frame unsecured
   * @param self the bridge's extended address
   * @param counter used for this transmission only
   * @throws WireException {@link Drop#SECURITY_KEY_UNKNOWN}, {@link Drop#FRAME_COUNTER_EXHAUSTED}
   */
  public Frame seal(Frame frame, SecurityLevel level, KeyId keyId, Eui64 self, long counter)
      throws WireException {
    if (counter >= SecurityHeader.LAST_COUNTER) {
      throw new WireException(Drop.FRAME_COUNTER_EXHAUSTED);
    }
    Eui64 peer = frame.destination().isBroadcast() ? self : extended(frame.destination());
    LinkKey key =
        keys.find(keyId, peer).orElseThrow(() -> new WireException(Drop.SECURITY_KEY_UNKNOWN));
    Frame headed = frame.withSecurity(new SecurityHeader(level, keyId, counter));
    return FrameSecurity.seal(headed, key, self);
  }

  private Eui64 extended(LinkAddress address) throws WireException {
    Eui64 eui64 =
        switch (address) {
          case LinkAddress.None ignored -> null;
          case LinkAddress.Short(int value) -> shortAddresses.apply(value);
          case LinkAddress.Extended(Eui64 value) -> value;
        };
    if (eui64 == null) {
      throw new WireException(Drop.SECURITY_SOURCE_UNKNOWN);
    }
    return eui64;
  }
}
