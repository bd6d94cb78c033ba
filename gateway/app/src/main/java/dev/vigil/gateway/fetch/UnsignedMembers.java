package dev.vigil.gateway.fetch;

import dev.vigil.signed.cbor.CborReader;
import dev.vigil.signed.wire.WireReader;
import java.util.HashMap;
import java.util.Map;

/** Reads answers of a mote's block store: a CBOR map from integer labels to unsigned integers. */
final class UnsignedMembers {
  private UnsignedMembers() {}

  /**
   * The map's members; members under labels of other types are skipped.
   *
   * @throws dev.vigil.signed.SignedObjectException if the map is malformed
   */
  static Map<Long, Long> read(byte[] octets) {
    Map<Long, Long> members = new HashMap<>();
    CborReader in = new CborReader(new WireReader(octets));
    in.map(
        key -> {
          if (key instanceof CborReader.IntKey(long label)) {
            members.put(label, in.unsigned());
          } else {
            in.skip();
          }
        });
    in.end();
    return members;
  }
}
