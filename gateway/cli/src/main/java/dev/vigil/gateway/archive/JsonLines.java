package dev.vigil.gateway.archive;

import dev.vigil.gateway.archive.ArchivedReading.Fields;
import dev.vigil.gateway.archive.ArchivedReading.Form;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.signed.wire.WireReader;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JSON-lines form of an archive, one reading on each line: {@code {"ep", "d", "res", "seq",
 * "arrived", "marks", "senml": [resolved records], "jws" or "cose" (base64url), "jwk"}}. A reading
 * with the mark {@code recovered} has neither jws nor cose nor jwk.
 */
final class JsonLines {
  private JsonLines() {}

  /** One line, without the line end. */
  static String write(ArchivedReading reading) {
    JsonWriter json = new JsonWriter().open('{');
    Fields fields = reading.fields();
    if (fields != null) {
      json.member("ep", fields.ep()).member("d", fields.d()).member("res", fields.res());
      json.member("seq", fields.seq()).member("arrived", fields.arrived().toString());
      json.member("marks", fields.marks());
      json.name("senml").raw(senml(fields.measurements()));
    }
    switch (reading.form()) {
      case JWS -> json.member("jws", new String(reading.signed(), StandardCharsets.US_ASCII));
      case COSE -> json.member("cose", base64url(reading.signed()));
      case RECOVERED -> {}
    }
    if (reading.key() != null) {
      json.name("jwk").raw(reading.key().json());
    }
    return json.close('}').toString();
  }

  static String senml(List<ResolvedRecord> measurements) {
    return new String(SenmlPack.of(measurements).writeJson(), StandardCharsets.UTF_8);
  }

  static String base64url(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }

  /**
   * @throws ArchiveException when members are missing or malformed
   * @throws SignedObjectException when the JSON, the key or the SenML is malformed
   */
  static ArchivedReading read(String line) {
    return new Parser(line).parse();
  }

  /** Collects the members of a line; unknown members are skipped. */
  private static final class Parser {
    private final JsonReader json;
    private @Nullable String ep;
    private String d = "";
    private @Nullable String res;
    private long seq;
    private @Nullable String arrived;
    private String marks = "";
    private byte @Nullable [] senml;
    private byte @Nullable [] jws;
    private byte @Nullable [] cose;
    private @Nullable Jwk key;

    Parser(String line) {
      json = new JsonReader(new WireReader(line.getBytes(StandardCharsets.UTF_8)));
    }

    ArchivedReading parse() {
      json.object(this::member);
      json.end();
      Fields fields = fields();
      byte[] signed = jws == null ? cose : jws;
      if (signed == null && fields != null && marks.equals(ArchivedReading.RECOVERED_MARK)) {
        return ArchivedReading.recovered(fields);
      }
      if (signed == null || jws != null && cose != null) {
        throw new ArchiveException("a line must have either jws or cose");
      }
      return new ArchivedReading(fields, jws == null ? Form.COSE : Form.JWS, signed, key);
    }

    private void member(String name) {
      switch (name) {
        case "ep" -> ep = json.string();
        case "d" -> d = json.string();
        case "res" -> res = json.string();
        case "seq" -> seq = json.integer();
        case "arrived" -> arrived = json.string();
        case "marks" -> marks = json.string();
        case "senml" -> senml = json.value();
        case "jws" -> jws = json.string().getBytes(StandardCharsets.UTF_8);
        case "cose" -> cose = octets(json.string());
        case "jwk" -> key = Jwk.read(json);
        default -> json.skip();
      }
    }

    private @Nullable Fields fields() {
      if (ep == null && res == null && arrived == null && senml == null) {
        return null;
      }
      if (ep == null || res == null || arrived == null || senml == null) {
        throw new ArchiveException(
            "a line must have all of ep, res, arrived and senml, or none of them");
      }
      Instant at = instant(arrived);
      List<ResolvedRecord> measurements =
          SenmlPack.readJson(senml).resolve(at.toEpochMilli() / 1000.0);
      return new Fields(ep, d, res, seq, at, marks, measurements);
    }
  }

  static byte[] octets(String base64url) {
    return new WireReader(base64url.getBytes(StandardCharsets.UTF_8)).base64url(base64url.length());
  }

  static Instant instant(String text) {
    try {
      Instant at = Instant.parse(text);
      // Throws for times whose milliseconds overflow.
      return Instant.ofEpochMilli(at.toEpochMilli());
    } catch (DateTimeException | ArithmeticException e) {
      throw new ArchiveException("arrived is not a time such as 2026-11-20T12:00:00Z");
    }
  }
}
