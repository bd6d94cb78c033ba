package dev.vigil.mirror.update;

import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.ProtectedHeader;
import dev.vigil.signed.jose.SignedObject;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.signed.senml.SenmlValue;
import java.util.Base64;
import java.util.List;

/**
 * An endpoint's signed statement that it did not carry out a command: an update of {@link #PATH}
 * (docs/protocol.md section 8). It is not a value of a resource.
 *
 * @param command the number of the command
 * @param reason 400 to 599
 * @param digest of the signed octets, base64url
 */
record CommandRefusal(long command, int reason, String digest) {
  /** The resource to which refusals are sent; no link names it. */
  static final String PATH = ".result";

  private static final int LEAST_REASON = 400;
  private static final int GREATEST_REASON = 599;

  /**
   * @throws RequestRefused 4.00 without an {@code ack}, or if the payload is not one record with a
   *     reason
   */
  static CommandRefusal read(SignedObject signed, SenmlPack pack) {
    List<ResolvedRecord> records = pack.resolve(0);
    if (signed.header().ack() == ProtectedHeader.ABSENT
        || records.size() != 1
        || !(records.getFirst().value() instanceof SenmlValue.Number(double reason))
        || reason != Math.rint(reason)
        || reason < LEAST_REASON
        || reason > GREATEST_REASON) {
      throw RequestRefused.malformed(
          "a result needs an ack and one record with a number from 400 to 599");
    }
    return new CommandRefusal(signed.header().ack(), (int) reason, digest(signed));
  }

  /** Whether the refusal was accepted before, so that its answer was lost. */
  static boolean isRepeated(SignedObject signed, CommandQueue queue) {
    return queue.isEndedBy(digest(signed));
  }

  private static String digest(SignedObject signed) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Jwk.sha256(signed.octets()));
  }
}
