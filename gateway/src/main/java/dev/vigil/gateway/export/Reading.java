package dev.vigil.gateway.export;

import dev.vigil.mirror.ArchivedValue;
import dev.vigil.mirror.EndpointView;
import dev.vigil.mirror.Mark;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.senml.Measurement;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One reading of an archive: what the gateway says, what the endpoint signed, and its public key.
 *
 * @param told what the gateway says; null where there is nothing but what is signed
 * @param form how it is signed
 * @param signed the JWS, or the COSE_Sign1; never changed by anyone
 * @param key as the archive has it; null when it has none
 */
record Reading(@Nullable Told told, Form form, byte[] signed, @Nullable Jwk key) {
  enum Form {
    JWS,
    COSE
  }

  /**
   * @param res the resource, percent-encoded
   * @param marks in words, separated by spaces
   * @param measurements resolved
   */
  record Told(
      String ep,
      String d,
      String res,
      long seq,
      Instant arrived,
      String marks,
      List<Measurement> measurements) {}

  static Reading of(EndpointView endpoint, ArchivedValue value) {
    String marks =
        value.marks().stream()
            .map((Mark mark) -> mark.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(" "));
    Told told =
        new Told(
            endpoint.ep(),
            endpoint.d(),
            value.path(),
            value.seq(),
            value.arrived(),
            marks,
            value.measurements());
    Form form =
        switch (value.form()) {
          case JOSE -> Form.JWS;
          case COSE_SIGN1 -> Form.COSE;
          case TEXT,
              LINK_FORMAT,
              JSON,
              CBOR,
              MULTIPART,
              SENML_JSON,
              SENML_CBOR,
              JWK,
              SIGNED_UPDATE,
              JWS_LIST ->
              throw new IllegalArgumentException("no signed form: " + value.form());
        };
    return new Reading(told, form, value.signed(), value.key());
  }
}
