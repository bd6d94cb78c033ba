package dev.vigil.gateway.archive;

import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.history.ArchivedValue;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.mirror.state.RecoveredReadings.Recovered;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.senml.ResolvedRecord;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One reading of an archive: the gateway's fields, the object that the endpoint signed, and the
 * endpoint's public key. A recovered reading has no signed object and no key.
 *
 * @param fields null when the archive has only the signed object
 * @param form of the signed object
 * @param signed the JWS or COSE_Sign1, empty for a recovered reading; not copied, and never
 *     modified
 * @param key null when the archive has none
 */
public record ArchivedReading(
    @Nullable Fields fields, Form form, byte[] signed, @Nullable Jwk key) {
  enum Form {
    JWS,
    COSE,
    /** Fetched from the mote's block store; authenticated by ESP between mote and gateway. */
    RECOVERED
  }

  /** The mark of a recovered reading. */
  static final String RECOVERED_MARK = "recovered";

  private static final byte[] NOTHING = {};

  /**
   * Plain text fields that the endpoint did not sign.
   *
   * @param res path of the resource, percent-encoded
   * @param marks in words, separated by spaces
   * @param measurements resolved SenML records
   */
  record Fields(
      String ep,
      String d,
      String res,
      long seq,
      Instant arrived,
      String marks,
      List<ResolvedRecord> measurements) {}

  public static ArchivedReading of(EndpointView endpoint, String path, Recovered recovered) {
    Fields fields =
        new Fields(
            endpoint.ep(),
            endpoint.d(),
            path,
            recovered.value().seq(),
            recovered.at(),
            RECOVERED_MARK,
            List.of(recovered.value().measurement()));
    return recovered(fields);
  }

  static ArchivedReading recovered(Fields fields) {
    return new ArchivedReading(fields, Form.RECOVERED, NOTHING, null);
  }

  public static ArchivedReading of(EndpointView endpoint, ArchivedValue value) {
    String marks =
        value.marks().stream()
            .map((ValueMark mark) -> mark.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(" "));
    Fields fields =
        new Fields(
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
              throw new IllegalArgumentException("not a signed form: " + value.form());
        };
    return new ArchivedReading(fields, form, value.signed(), value.key());
  }
}
