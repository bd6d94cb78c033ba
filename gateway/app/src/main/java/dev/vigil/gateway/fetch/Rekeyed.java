package dev.vigil.gateway.fetch;

import java.util.Map;

/**
 * The answer of {@code /store/rekey}.
 *
 * @param blocks number of blocks that this request re-encrypted
 * @param segments number of segments that are still under the previous key
 */
record Rekeyed(long blocks, long segments) {
  private static final long BLOCKS = 0;
  private static final long SEGMENTS = 1;

  /**
   * @throws dev.vigil.signed.SignedObjectException if it is malformed
   */
  static Rekeyed parse(byte[] octets) {
    Map<Long, Long> members = UnsignedMembers.read(octets);
    return new Rekeyed(members.getOrDefault(BLOCKS, 0L), members.getOrDefault(SEGMENTS, 0L));
  }
}
