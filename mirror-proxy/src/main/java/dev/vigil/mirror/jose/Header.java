package dev.vigil.mirror.jose;

import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import org.jspecify.annotations.Nullable;

/**
 * The protected header of a JWS. A member that is absent is null, a number that is absent is {@link
 * #ABSENT}; what the profile does not know is passed over.
 */
public record Header(
    Algorithm algorithm,
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
   * Reads a protected header and nothing after it.
   *
   * @throws Rejection 4.00, for an algorithm outside the profile and for what would let the sender
   *     choose the key or the meaning: {@code jku}, {@code x5c}, {@code x5u}, {@code b64}, {@code
   *     crit}
   */
  static Header parse(byte[] octets) {
    JsonReader json = new JsonReader(new WireReader(octets));
    Members members = new Members(json);
    json.object(members::read);
    json.end();
    return members.header();
  }

  /** The header of an update that came in another form. */
  static Header ofUpdate(
      Algorithm algorithm,
      @Nullable String cty,
      @Nullable String kid,
      @Nullable String res,
      long seq,
      long ack) {
    return new Header(
        algorithm, null, cty, kid, res, seq, ack, null, null, null, ABSENT, ABSENT, ABSENT, null,
        null);
  }

  /** The members as they come, in any order. */
  private static final class Members {
    private final JsonReader json;
    private @Nullable Algorithm algorithm;
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

    Members(JsonReader json) {
      this.json = json;
    }

    void read(String name) {
      switch (name) {
        case "alg" -> algorithm = Algorithm.ofJose(json.string());
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
            throw new Rejection(
                Reason.FORBIDDEN_MEMBER, "header member " + name + " is not allowed");
        default -> json.skip();
      }
    }

    Header header() {
      Algorithm alg = algorithm;
      if (alg == null) {
        throw Rejection.malformed("the header has no alg");
      }
      return new Header(alg, typ, cty, kid, res, seq, ack, ep, d, et, lt, wake, exp, jwk, epk);
    }
  }
}
