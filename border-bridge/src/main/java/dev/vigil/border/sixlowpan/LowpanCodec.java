package dev.vigil.border.sixlowpan;

import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.wire.WireException;
import java.util.List;
import java.util.Optional;

/**
 * IPv6 packets to and from the payloads of 802.15.4 data frames.
 *
 * <p>Holds the fragments of unfinished packets and the next datagram tag; belongs to one thread.
 */
public final class LowpanCodec {
  private final Contexts contexts;
  private final int firstTag;

  /**
   * @param firstTag where datagram tags start, from a source of randomness
   */
  public LowpanCodec(Contexts contexts, int firstTag) {
    this.contexts = contexts;
    this.firstTag = firstTag;
  }

  /**
   * Compresses a packet and splits it if it does not fit.
   *
   * @param ipv6 one whole packet
   * @param source link address of the frame that will carry it
   * @param destination link address of the frame that will carry it
   * @param maxPayload octets that a frame has for each payload, MAC header, MIC and FCS not counted
   * @return frame payloads in the order to send them
   * @throws WireException if the packet is not IPv6 of the length it claims, or larger than 2047
   */
  public List<byte[]> encode(
      byte[] ipv6, LinkAddress source, LinkAddress destination, int maxPayload, Dialect dialect)
      throws WireException {
    throw new UnsupportedOperationException("next slice " + contexts + firstTag);
  }

  /**
   * Takes the payload of a received data frame, already opened.
   *
   * @param nowMillis of a clock that never goes back; milliseconds
   * @return the packet, if this payload completed one
   */
  public Optional<Datagram> accept(
      byte[] payload, LinkAddress source, LinkAddress destination, long nowMillis)
      throws WireException {
    throw new UnsupportedOperationException("next slice");
  }

  /**
   * Forgets packets that did not become whole in five seconds.
   *
   * @return how many were dropped, to be counted as {@code fragment_timeout}
   */
  public int expire(long nowMillis) {
    throw new UnsupportedOperationException("next slice");
  }
}
