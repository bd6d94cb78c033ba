package dev.vigil.mirror.update;

import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.mirror.state.ProvenTarget;
import dev.vigil.mirror.state.RequestTarget;
import dev.vigil.mirror.state.UnprovenTarget;
import dev.vigil.signed.jose.ProtectedHeader;
import dev.vigil.signed.jose.SignedObject;
import java.util.Arrays;

/**
 * An update after decryption and expansion; the signature is not verified yet.
 *
 * @param object the JWS or COSE_Sign1 that is verified, stored and served; a compact update has
 *     been rebuilt as the JWS that it represents
 * @param encrypted whether it was received encrypted
 */
record SignedUpdate(SignedObject object, boolean encrypted) {
  ProtectedHeader header() {
    return object.header();
  }

  /** N = H with identical octets: a retransmission after a lost acknowledgement. */
  boolean repeats(RequestTarget target, String path) {
    if (path.equals(CommandRefusal.PATH)) {
      return header().seq() == target.high()
          && target instanceof ProvenTarget proven
          && CommandRefusal.isRepeated(object, CommandQueue.of(proven.endpoint()));
    }
    StoredValue last =
        switch (target) {
          case ProvenTarget proven -> proven.endpoint().value(path);
          case UnprovenTarget unproven -> null;
        };
    return last != null
        && last.seq() == target.high()
        && header().seq() == target.high()
        && Arrays.equals(last.signed(), object.octets());
  }
}
