package dev.vigil.mirror;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.mirror.jose.Algorithm;
import dev.vigil.mirror.jose.Header;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.wire.CborReader;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads both forms of a registration (section 2 of the protocol) and checks them in themselves. */
final class ClaimReader {
  private static final String REGISTRATION = "vigil-reg";
  static final String ROTATION = "vigil-rotate";
  private static final String LINKS = "application/link-format";
  private static final long DEFAULT_LIFETIME = 90_000;
  private static final long LONGEST_LIFETIME = 0xffff_ffffL;
  private static final int MAX_PAYLOAD = 16_384;
  private static final int MAX_NAME = 63;

  private final Map<String, Domain> domains;
  private final Access access;

  ClaimReader(Map<String, Domain> domains, Access access) {
    this.domains = domains;
    this.access = access;
  }

  /**
   * @param now unix time in seconds
   * @throws Rejection 4.00, 4.03 for an unknown domain, 4.13, 4.15
   * @throws dev.vigil.directory.exchange.ExchangeException when the caller may not register there
   */
  Claim read(Request request, long now) {
    if (request.payload().length > MAX_PAYLOAD) {
      throw new Rejection(Reason.TOO_LARGE, "a registration has at most 16384 octets");
    }
    return switch (request.format()) {
      case JOSE -> signed(request, now);
      case MULTIPART -> plain(request, now);
      case null, default ->
          throw new Rejection(
              Reason.UNKNOWN_FORMAT, "register with format 65100 (signed) or 62 (plain)");
    };
  }

  private Claim signed(Request request, long now) {
    Jws outer = Jws.parse(request.payload());
    boolean rotates = ROTATION.equals(outer.header().typ());
    Jws jws = rotates ? inner(outer) : outer;
    Header header = jws.header();
    Jwk key = header.jwk();
    if (!REGISTRATION.equals(header.typ()) || !LINKS.equals(header.cty()) || key == null) {
      throw Rejection.malformed("a registration has typ vigil-reg, cty " + LINKS + " and a jwk");
    }
    if (key.algorithm() != header.algorithm()) {
      throw Rejection.malformed("alg does not fit the jwk");
    }
    if (header.ep() == null || header.seq() < 1) {
      throw Rejection.malformed("a registration has ep, and seq from 1");
    }
    requireAgreement(request.query(), header);
    requireUsable(header.epk());
    Domain domain = domain(request.caller(), header.d());
    Lease lease =
        lease(
            Links.text(jws.payload()),
            header.et(),
            header.lt(),
            header.wake(),
            header.seq(),
            request.payload(),
            now);
    Links.read(jws.payload(), domain.limits().resources());
    String text = new String(request.payload(), StandardCharsets.US_ASCII);
    return new Claim(
        name(header.ep(), domain),
        domain,
        key,
        key.thumbprint(),
        lease,
        header.seq(),
        header.epk(),
        jws,
        rotates ? outer : null,
        text);
  }

  private static Jws inner(Jws outer) {
    Jws inner = Jws.parse(outer.payload());
    if (inner.header().seq() != outer.header().seq() || outer.header().kid() == null) {
      throw Rejection.malformed("both parts of a rotation name the same seq, the outer one a kid");
    }
    return inner;
  }

  /** What the query repeats must agree with what is signed. */
  private static void requireAgreement(Query query, Header header) {
    agree(query, "ep", header.ep());
    agree(query, "d", header.d());
    agree(query, "et", header.et());
    agree(query, "lt", number(header.lt()));
    agree(query, "wake", number(header.wake()));
  }

  private static @Nullable String number(long value) {
    return value == Header.ABSENT ? null : Long.toString(value);
  }

  private static void agree(Query query, String name, @Nullable String signed) {
    String asked = query.single(name).orElse(signed);
    if (!Objects.equals(asked, signed)) {
      throw Rejection.malformed("query and signed header differ in " + name);
    }
  }

  private static void requireUsable(@Nullable Jwk epk) {
    if (epk != null && epk.algorithm() != Algorithm.ES256) {
      throw Rejection.malformed("epk is not of P-256");
    }
  }

  private Claim plain(Request request, long now) {
    Query query = request.query();
    String ep = query.single("ep").orElseThrow(() -> Rejection.malformed("query has no ep"));
    Domain domain = domain(request.caller(), query.single("d").orElse(null));
    CborReader cbor = new CborReader(new WireReader(request.payload()));
    if (cbor.array() != 4) {
      throw Rejection.malformed("multipart of links (40) and key (65101) expected");
    }
    requirePart(cbor, ContentFormat.LINK_FORMAT);
    byte[] links = cbor.octets();
    requirePart(cbor, ContentFormat.JWK);
    Jwk key = Jwk.parse(cbor.octets());
    cbor.end();
    Links.read(links, domain.limits().resources());
    Lease lease =
        lease(
            Links.text(links),
            query.single("et").orElse(null),
            seconds(query, "lt"),
            seconds(query, "wake"),
            0,
            request.payload(),
            now);
    if (lease.lifetime() == 0) {
      throw Rejection.malformed("only a signed registration withdraws");
    }
    return new Claim(
        name(ep, domain), domain, key, key.thumbprint(), lease, 0, null, null, null, null);
  }

  private static void requirePart(CborReader cbor, ContentFormat format) {
    if (cbor.unsigned() != format.number()) {
      throw Rejection.malformed("multipart of links (40) and key (65101) expected");
    }
  }

  private static long seconds(Query query, String name) {
    String text = query.single(name).orElse("");
    if (text.isEmpty()) {
      return Header.ABSENT;
    }
    if (text.length() > 10 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw Rejection.malformed(name + " is not a number of seconds");
    }
    return Long.parseLong(text);
  }

  private static Lease lease(
      String links, @Nullable String type, long lt, long wake, long seq, byte[] payload, long now) {
    long lifetime = lt == Header.ABSENT ? DEFAULT_LIFETIME : lt;
    if (lifetime > LONGEST_LIFETIME || wake > LONGEST_LIFETIME) {
      throw Rejection.malformed("lt and wake are at most 4294967295 seconds");
    }
    return new Lease(
        links,
        type,
        lifetime,
        Math.max(Lease.UNKNOWN, wake),
        now,
        now + lifetime,
        seq,
        Jwk.sha256(payload),
        List.of());
  }

  /** The domain, where the caller may register in it. */
  private Domain domain(Caller caller, @Nullable String d) {
    Domain domain = domains.get(d == null ? "" : d);
    if (domain == null) {
      throw new Rejection(Reason.POLICY, "there is no such domain");
    }
    access.require(caller, Access.Action.REGISTER, domain.name());
    return domain;
  }

  private static EndpointName name(String ep, Domain domain) {
    if (ep.isEmpty()
        || ep.startsWith(".")
        || ep.getBytes(StandardCharsets.UTF_8).length > MAX_NAME
        || ep.chars().anyMatch(c -> c < 0x20 || c == 0x7f)) {
      throw Rejection.malformed("ep has 1 to 63 octets, no control character, no dot in front");
    }
    return new EndpointName(ep, domain.name());
  }
}
