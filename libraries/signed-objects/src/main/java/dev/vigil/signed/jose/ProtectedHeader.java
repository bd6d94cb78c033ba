package dev.vigil.signed.jose;

import dev.vigil.signed.Fault;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.wire.WireReader;
import org.jspecify.annotations.Nullable;

/**
 * The protected header of a signed object. Absent members are null, absent numbers {@link #ABSENT};
 * unknown members are skipped.
 */
public record ProtectedHeader(
    SignatureAlgorithm algorithm,
    @Nullable String typ,
    @Nullable String cty,
    @Nullable String kid,
    @Nullable String res,
    long seq,
    long ack,
    @Nullable String ep,
    @Nullable String d,
    @Nullable String et,
    long lt,
    long wake,
    long exp,
    @Nullable Jwk jwk,
    @Nullable Jwk epk) {

  public static final long ABSENT = -1;
  static final int MAX_LENGTH = 2048;

  /**
   * Parses the header of a JWS; nothing may follow it.
   *
   * @throws SignedObjectException for an algorithm outside the profile, and for members by which
   *     the sender could choose the key or change the meaning: {@code jku}, {@code x5c}, {@code
   *     x5u}, {@code b64}, {@code crit}
   */
  static ProtectedHeader parse(byte[] octets) {
    JsonReader json = new JsonReader(new WireReader(octets));
    Parser parser = new Parser(json);
    json.object(parser::readMember);
    json.end();
    return parser.header();
  }

  /** The header of an update in a form other than JWS. */
  static ProtectedHeader ofUpdate(
      SignatureAlgorithm algorithm,
      @Nullable String cty,
      @Nullable String kid,
      @Nullable String res,
      long seq,
      long ack) {
    return new ProtectedHeader(
        algorithm, null, cty, kid, res, seq, ack, null, null, null, ABSENT, ABSENT, ABSENT, null,
        null);
  }

  /** Collects the members in any order. */
  private static final class Parser {
    private final JsonReader json;
    private @Nullable SignatureAlgorithm algorithm;
    private @Nullable String typ;
    private @Nullable String cty;
    private @Nullable String kid;
    private @Nullable String res;
    private @Nullable String ep;
    private @Nullable String d;
    private @Nullable String et;
    private @Nullable Jwk jwk;
    private @Nullable Jwk epk;
    private long seq = ABSENT;
    private long ack = ABSENT;
    private long lt = ABSENT;
    private long wake = ABSENT;
    private long exp = ABSENT;

    Parser(JsonReader json) {
      this.json = json;
    }

    void readMember(String name) {
      switch (name) {
        case "alg" -> algorithm = SignatureAlgorithm.ofJose(json.string());
        case "typ" -> typ = json.string();
        case "cty" -> cty = json.string();
        case "kid" -> kid = json.string();
        case "res" -> res = json.string();
        case "ep" -> ep = json.string();
        case "d" -> d = json.string();
        case "et" -> et = json.string();
        case "jwk" -> jwk = Jwk.read(json);
        case "epk" -> epk = Jwk.read(json);
        case "seq" -> seq = json.integer();
        case "ack" -> ack = json.integer();
        case "lt" -> lt = json.integer();
        case "wake" -> wake = json.integer();
        case "exp" -> exp = json.integer();
        case "jku", "x5c", "x5u", "b64", "crit" ->
            throw new SignedObjectException(
                Fault.FORBIDDEN_MEMBER, "header member " + name + " is not allowed");
        default -> json.skip();
      }
    }

    ProtectedHeader header() {
      SignatureAlgorithm alg = algorithm;
      if (alg == null) {
        throw SignedObjectException.malformed("the header has no alg");
      }
      return new ProtectedHeader(
          alg, typ, cty, kid, res, seq, ack, ep, d, et, lt, wake, exp, jwk, epk);
    }
  }
}
