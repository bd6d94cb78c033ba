package dev.vigil.border.sixlowpan;

/**
 * The octets that compressed AH and ESP headers save in a packet's frames.
 *
 * @param compressed whether a header was compressed
 * @param octets the difference to a packet with these headers inline; -1 for an ESP header with all
 *     values in full
 */
public record IpsecSaving(boolean compressed, int octets) {
  public static final IpsecSaving NONE = new IpsecSaving(false, 0);

  /**
   * The saving from the first compressed AH or ESP header on. If it were inline, the header before
   * it would also need a next header octet, and no header after it would be compressed.
   *
   * @param uncompressed octets of the packet from that header on
   * @param inFrame octets of their compressed form
   */
  static IpsecSaving of(int uncompressed, int inFrame) {
    return new IpsecSaving(true, uncompressed + 1 - inFrame);
  }
}
