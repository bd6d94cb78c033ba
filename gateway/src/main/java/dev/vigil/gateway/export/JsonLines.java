package dev.vigil.gateway.export;

import dev.vigil.gateway.export.Reading.Form;
import dev.vigil.gateway.export.Reading.Told;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.senml.Measurement;
import dev.vigil.mirror.senml.Pack;
import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An archive as JSON lines, one reading each: {@code {"ep","d","res","seq","arrived","marks",
 * "senml":[resolved records],"jws" or "cose" (base64url),"jwk"}}.
 */
final class JsonLines {
  private JsonLines() {}

  /** One line, without its end. */
  static String write(Reading reading) {
    JsonText json = new JsonText().open('{');
    Told told = reading.told();
    if (told != null) {
      json.member("ep", told.ep()).member("d", told.d()).member("res", told.res());
      json.member("seq", told.seq()).member("arrived", told.arrived().toString());
      json.member("marks", told.marks());
      json.name("senml").raw(senml(told.measurements()));
    }
    switch (reading.form()) {
      case JWS -> json.member("jws", new String(reading.signed(), StandardCharsets.US_ASCII));
      case COSE -> json.member("cose", base64url(reading.signed()));
    }
    if (reading.key() != null) {
      json.name("jwk").raw(reading.key().json());
    }
    return json.close('}').toString();
  }

  static String senml(List<Measurement> measurements) {
    return new String(Pack.of(measurements).writeJson(), StandardCharsets.UTF_8);
  }

  static String base64url(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }

  /**
   * @throws Rejection in one line, when it is no line of an archive
   */
  static Reading read(String line) {
    return new Line(line).reading();
  }

  /** The members as they come; what nobody here knows is passed over. */
  private static final class Line {
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

    Line(String line) {
      json = new JsonReader(new WireReader(line.getBytes(StandardCharsets.UTF_8)));
    }

    Reading reading() {
      json.object(this::member);
      json.end();
      byte[] signed = jws == null ? cose : jws;
      if (signed == null || jws != null && cose != null) {
        throw Rejection.malformed("a line has either jws or cose");
      }
      return new Reading(told(), jws == null ? Form.COSE : Form.JWS, signed, key);
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

    private @Nullable Told told() {
      if (ep == null && res == null && arrived == null && senml == null) {
        return null;
      }
      if (ep == null || res == null || arrived == null || senml == null) {
        throw Rejection.malformed("a line has ep, res, seq, arrived and senml, or none of them");
      }
      Instant at = instant(arrived);
      List<Measurement> measurements = Pack.readJson(senml).resolve(at.toEpochMilli() / 1000.0);
      return new Told(ep, d, res, seq, at, marks, measurements);
    }
  }

  static byte[] octets(String base64url) {
    return new WireReader(base64url.getBytes(StandardCharsets.UTF_8)).base64url(base64url.length());
  }

  static Instant instant(String text) {
    try {
      Instant at = Instant.parse(text);
      // Beyond what milliseconds count nothing ever arrived.
      return Instant.ofEpochMilli(at.toEpochMilli());
    } catch (DateTimeException | ArithmeticException e) {
      throw Rejection.malformed("arrived is no time such as 2026-11-20T12:00:00Z");
    }
  }
}
