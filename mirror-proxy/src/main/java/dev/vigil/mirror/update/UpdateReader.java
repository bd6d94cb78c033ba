package dev.vigil.mirror.update;

import dev.vigil.coap.exchange.Request;
import dev.vigil.mirror.confidential.SecretSealer;
import dev.vigil.mirror.confidential.UpdateCipher;
import dev.vigil.mirror.confidential.UpdateKeys;
import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.SequenceRule;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.state.ProvenTarget;
import dev.vigil.mirror.state.RequestTarget;
import dev.vigil.mirror.state.UnprovenTarget;
import dev.vigil.signed.jose.CompactUpdate;
import dev.vigil.signed.jose.CoseSign1;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.ProtectedHeader;
import org.jspecify.annotations.Nullable;

/**
 * Opens the payload of an update: JWS, compact signed update or COSE_Sign1 (docs/protocol.md
 * section 4), plain or encrypted (section 7).
 */
public final class UpdateReader {
  private final SecretSealer sealer;

  public UpdateReader(SecretSealer sealer) {
    this.sealer = sealer;
  }

  /**
   * @param jws the payload if it is a JWS that the caller has already parsed
   * @throws RequestRefused 4.00, 4.01 if it cannot be decrypted, 4.15. None of them reveals
   *     anything about the endpoint, because the signature is checked later
   */
  SignedUpdate read(Request request, @Nullable Jws jws, RequestTarget target, String path) {
    byte[] payload = request.payload();
    return switch (request.format()) {
      case JOSE -> {
        if (jws != null) {
          yield new SignedUpdate(jws, false);
        }
        byte[] inner = UpdateCipher.openJwe(payload, updateKeys(target));
        yield new SignedUpdate(Jws.parse(inner), true);
      }
      case SIGNED_UPDATE -> expand(CompactUpdate.parse(payload), target, path);
      case COSE_SIGN1 -> new SignedUpdate(CoseSign1.parse(payload), false);
      case null, default ->
          throw new RequestRefused(
              Reason.UNKNOWN_FORMAT, "an update is of format 65100 (JWS), 65102 or 18 (COSE)");
    };
  }

  /**
   * Finds the full sequence number: H if the update repeats the last one, else a number above H.
   */
  private SignedUpdate expand(CompactUpdate update, RequestTarget target, String path) {
    if (SequenceRule.sameLowBits(update.shortSeq(), target.high())) {
      Jws jws = rebuild(update, target, path, target.high());
      if (jws != null) {
        SignedUpdate repeated = new SignedUpdate(jws, update.encrypted());
        if (repeated.repeats(target, path)) {
          return repeated;
        }
      }
    }
    long seq = SequenceRule.expand(update.shortSeq(), target.high());
    Jws jws = rebuild(update, target, path, seq);
    if (jws == null) {
      throw UpdateCipher.doesNotDecrypt();
    }
    return new SignedUpdate(jws, update.encrypted());
  }

  /** The JWS that a compact update represents; null if it cannot be decrypted with that number. */
  private @Nullable Jws rebuild(CompactUpdate update, RequestTarget target, String path, long seq) {
    CompactUpdate plain = update;
    if (update.encrypted()) {
      byte[] opened = UpdateCipher.openCompact(update, seq, updateKeys(target));
      if (opened == null) {
        return null;
      }
      plain = update.decrypted(opened);
    }
    return plain.toJws(target.keys().jkt(), path, seq, fullAck(plain, target));
  }

  /**
   * The number of the newest command with these bits. Without one, returns the bits themselves, so
   * that the answer depends only on the signature.
   */
  private static long fullAck(CompactUpdate update, RequestTarget target) {
    if (update.shortAck() == ProtectedHeader.ABSENT) {
      return ProtectedHeader.ABSENT;
    }
    CommandQueue queue =
        switch (target) {
          case ProvenTarget proven -> CommandQueue.of(proven.endpoint());
          case UnprovenTarget unproven -> CommandQueue.EMPTY;
        };
    long ack = queue.expandAck(update.shortAck());
    return ack == ProtectedHeader.ABSENT ? update.shortAck() : ack;
  }

  private @Nullable UpdateKeys updateKeys(RequestTarget target) {
    MirroredEndpoint endpoint =
        switch (target) {
          case ProvenTarget proven -> proven.endpoint();
          case UnprovenTarget unproven -> null;
        };
    byte[] sealed = endpoint == null ? null : endpoint.sealedKeys();
    return endpoint == null || sealed == null
        ? null
        : UpdateKeys.read(sealed, sealer, endpoint.name());
  }
}
