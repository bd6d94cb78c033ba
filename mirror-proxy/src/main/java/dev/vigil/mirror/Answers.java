package dev.vigil.mirror;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.mirror.jose.CoseSign1;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.jose.OwnKey;
import dev.vigil.mirror.wire.CborWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer map to a registration (section 2 of the protocol), signed where asked for. */
final class Answers {
  private final OwnKey identity;

  Answers(OwnKey identity) {
    this.identity = identity;
  }

  /**
   * @param time of the gateway, unix time in seconds
   * @param high H
   * @param mirrorKey the mirror's fresh key for encrypted updates, when one was agreed
   * @param keyNumber of that key
   */
  record Facts(long time, long high, int window, @Nullable Jwk mirrorKey, long keyNumber) {
    byte[] map() {
      CborWriter cbor = new CborWriter().map(mirrorKey == null ? 3 : 5);
      cbor.integer(0).integer(time).integer(1).integer(high);
      if (mirrorKey != null) {
        cbor.integer(2).raw(CoseSign1.key(mirrorKey));
      }
      cbor.integer(3).integer(window);
      if (mirrorKey != null) {
        cbor.integer(4).integer(keyNumber);
      }
      return cbor.toOctets();
    }
  }

  Response created(Request request, String id, Facts facts) {
    return filled(Response.created(List.of("ms", id)), request, facts);
  }

  /** 4.09: H in decimal, or the map in the form asked for. */
  Response conflict(Request request, Facts facts) {
    Response plain = Response.diagnostic(Code.CONFLICT, Long.toString(facts.high()));
    return filled(plain, request, facts);
  }

  private Response filled(Response bare, Request request, Facts facts) {
    for (ContentFormat wanted : request.accept()) {
      if (wanted == ContentFormat.CBOR) {
        return bare.withPayload(wanted, facts.map());
      }
      if (wanted == ContentFormat.COSE_SIGN1) {
        byte[] external = Jwk.sha256(request.payload());
        return bare.withPayload(wanted, CoseSign1.sign(identity, facts.map(), external));
      }
    }
    return bare;
  }
}
