package dev.vigil.mirror.registration;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.confidential.SecretSealer;
import dev.vigil.mirror.confidential.UpdateKeys;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.RegistrationRequest;
import dev.vigil.mirror.state.UnprovenRegistration;
import dev.vigil.signed.cbor.CborWriter;
import dev.vigil.signed.jose.CoseSign1;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.LocalKeyPair;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers to registrations (docs/protocol.md section 2): a map of facts, in CBOR or in COSE_Sign1
 * signed with the identity key, whichever the request accepts.
 */
public final class RegistrationAnswers {
  private final LocalKeyPair identity;
  private final SecretSealer sealer;
  private final Clock clock;

  public RegistrationAnswers(LocalKeyPair identity, SecretSealer sealer, Clock clock) {
    this.identity = identity;
    this.sealer = sealer;
    this.clock = clock;
  }

  /**
   * @param time of the gateway, unix time in seconds
   * @param high H
   * @param updateKeys null if none were agreed
   */
  private record AnswerMap(long time, long high, int window, @Nullable UpdateKeys updateKeys) {
    byte[] toCbor() {
      CborWriter cbor = new CborWriter().map(updateKeys == null ? 3 : 5);
      cbor.integer(0).integer(time).integer(1).integer(high);
      if (updateKeys != null) {
        cbor.integer(2).raw(CoseSign1.key(updateKeys.mirrorKey()));
      }
      cbor.integer(3).integer(window);
      if (updateKeys != null) {
        cbor.integer(4).integer(updateKeys.number());
      }
      return cbor.toOctets();
    }
  }

  /** 2.01 for an endpoint whose key is proven. */
  Response created(Request request, RegistrationRequest registration, MirroredEndpoint endpoint) {
    byte[] sealed = registration.epk() == null ? null : endpoint.sealedKeys();
    UpdateKeys keys = sealed == null ? null : UpdateKeys.read(sealed, sealer, endpoint.name());
    return filled(
        Response.created(List.of("ms", endpoint.id())),
        request,
        map(registration, endpoint.high(), keys));
  }

  /** 2.01 for a plain registration that awaits its first update. */
  Response created(Request request, UnprovenRegistration unproven) {
    return filled(
        Response.created(List.of("ms", unproven.id())),
        request,
        map(unproven.request(), unproven.high(), null));
  }

  /** 4.09 with H in decimal, or with the map of facts if the request accepts it. */
  Response conflict(Request request, RegistrationRequest registration, long high) {
    Response plain = Response.diagnostic(Code.CONFLICT, Long.toString(high));
    return filled(plain, request, map(registration, high, null));
  }

  private AnswerMap map(RegistrationRequest registration, long high, @Nullable UpdateKeys keys) {
    return new AnswerMap(
        clock.instant().getEpochSecond(), high, registration.domain().window(), keys);
  }

  private Response filled(Response response, Request request, AnswerMap map) {
    for (ContentFormat format : request.accept()) {
      if (format == ContentFormat.CBOR) {
        return response.withPayload(format, map.toCbor());
      }
      if (format == ContentFormat.COSE_SIGN1) {
        byte[] externalAad = Jwk.sha256(request.payload());
        return response.withPayload(format, CoseSign1.sign(identity, map.toCbor(), externalAad));
      }
    }
    return response;
  }
}
