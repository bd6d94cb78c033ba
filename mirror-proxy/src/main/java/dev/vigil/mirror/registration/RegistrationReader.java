package dev.vigil.mirror.registration;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.EndpointLinks;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.RegistrationRequest;
import dev.vigil.mirror.model.keys.KeyArrival;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.cbor.CborReader;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.ProtectedHeader;
import dev.vigil.signed.jose.SignatureAlgorithm;
import dev.vigil.signed.wire.WireReader;
import dev.vigil.store.EndpointName;
import dev.vigil.store.NameGrammar;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Parses signed and plain registrations (docs/protocol.md section 2) and checks what can be checked
 * without the state of the endpoint.
 */
public final class RegistrationReader {
  private static final String REGISTRATION = "vigil-reg";
  static final String ROTATION = "vigil-rotate";
  private static final String LINKS = "application/link-format";
  private static final long DEFAULT_LIFETIME = 90_000;
  private static final long MAX_SECONDS = 0xffff_ffffL;
  private static final int MAX_PAYLOAD = 16_384;

  /** The longest {@code et} that fits into one Uri-Query option (RFC 7252 section 5.10). */
  private static final int MAX_TYPE = 255 - "et=".length();

  private final Map<String, Domain> domains;
  private final Access access;

  public RegistrationReader(Map<String, Domain> domains, Access access) {
    this.domains = domains;
    this.access = access;
  }

  /**
   * @param now unix time in seconds
   * @throws RequestRefused 4.00, 4.03 for an unknown domain, 4.13, 4.15
   * @throws dev.vigil.coap.exchange.ErrorResponseException when the caller may not register in the
   *     domain
   */
  public RegistrationRequest read(Request request, long now) {
    if (request.payload().length > MAX_PAYLOAD) {
      throw new RequestRefused(Reason.TOO_LARGE, "a registration has at most 16384 octets");
    }
    return switch (request.format()) {
      case JOSE -> signed(request, now);
      case MULTIPART -> plain(request, now);
      case null, default ->
          throw new RequestRefused(
              Reason.UNKNOWN_FORMAT, "register with format 65100 (signed) or 62 (plain)");
    };
  }

  private RegistrationRequest signed(Request request, long now) {
    Jws outer = Jws.parse(request.payload());
    boolean rotates = ROTATION.equals(outer.header().typ());
    Jws jws = rotates ? inner(outer) : outer;
    ProtectedHeader header = jws.header();
    Jwk key = header.jwk();
    if (!REGISTRATION.equals(header.typ()) || !LINKS.equals(header.cty()) || key == null) {
      throw RequestRefused.malformed(
          "a registration has typ vigil-reg, cty " + LINKS + " and a jwk");
    }
    if (key.algorithm() != header.algorithm()) {
      throw RequestRefused.malformed("alg is not the algorithm of the jwk");
    }
    if (header.ep() == null || header.seq() < 1) {
      throw RequestRefused.malformed("a registration needs an ep and a seq from 1");
    }
    requireAgreement(request.query(), header);
    requireP256(header.epk());
    Domain domain = domain(request.caller(), header.d());
    Parameters parameters = new Parameters(header.et(), header.lt(), header.wake());
    Lease lease = lease(jws.payload(), parameters, header.seq(), request.payload(), now);
    EndpointLinks.parse(jws.payload(), domain.limits().resources());
    String text = new String(request.payload(), StandardCharsets.US_ASCII);
    return new RegistrationRequest(
        lease.lifetime() == 0 ? withdrawn(header.ep(), domain) : name(header.ep(), domain),
        domain,
        key,
        key.thumbprint(),
        lease,
        header.seq(),
        header.epk(),
        jws,
        rotates ? outer : null,
        text,
        KeyArrival.of(request.caller(), now));
  }

  private static Jws inner(Jws outer) {
    Jws inner = Jws.parse(outer.payload());
    if (inner.header().seq() != outer.header().seq() || outer.header().kid() == null) {
      throw RequestRefused.malformed(
          "the two JWS of a rotation need the same seq, and the outer one a kid");
    }
    return inner;
  }

  /** Parameters in the query must equal the signed header members. */
  private static void requireAgreement(Query query, ProtectedHeader header) {
    requireEqual(query, "ep", header.ep());
    requireEqual(query, "d", header.d());
    requireEqual(query, "et", header.et());
    requireEqual(query, "lt", number(header.lt()));
    requireEqual(query, "wake", number(header.wake()));
  }

  private static @Nullable String number(long value) {
    return value == ProtectedHeader.ABSENT ? null : Long.toString(value);
  }

  private static void requireEqual(Query query, String name, @Nullable String signed) {
    String inQuery = query.single(name).orElse(signed);
    if (!Objects.equals(inQuery, signed)) {
      throw RequestRefused.malformed("query and signed header differ in " + name);
    }
  }

  private static void requireP256(@Nullable Jwk epk) {
    if (epk != null && epk.algorithm() != SignatureAlgorithm.ES256) {
      throw RequestRefused.malformed("epk is not a P-256 key");
    }
  }

  private RegistrationRequest plain(Request request, long now) {
    Query query = request.query();
    String ep = query.single("ep").orElseThrow(() -> RequestRefused.malformed("query has no ep"));
    Domain domain = domain(request.caller(), query.single("d").orElse(null));
    CborReader cbor = new CborReader(new WireReader(request.payload()));
    if (cbor.array() != 4) {
      throw RequestRefused.malformed(
          "the payload is not a multipart of links (40) and key (65101)");
    }
    requirePart(cbor, ContentFormat.LINK_FORMAT);
    byte[] links = cbor.octets();
    requirePart(cbor, ContentFormat.JWK);
    Jwk key = Jwk.parse(cbor.octets());
    cbor.end();
    EndpointLinks.parse(links, domain.limits().resources());
    Parameters parameters =
        new Parameters(
            query.single("et").orElse(null), seconds(query, "lt"), seconds(query, "wake"));
    Lease lease = lease(links, parameters, 0, request.payload(), now);
    if (lease.lifetime() == 0) {
      throw RequestRefused.malformed("only a signed registration can withdraw (lt=0)");
    }
    return new RegistrationRequest(
        name(ep, domain),
        domain,
        key,
        key.thumbprint(),
        lease,
        0,
        null,
        null,
        null,
        null,
        KeyArrival.of(request.caller(), now));
  }

  private static void requirePart(CborReader cbor, ContentFormat format) {
    if (cbor.unsigned() != format.number()) {
      throw RequestRefused.malformed(
          "the payload is not a multipart of links (40) and key (65101)");
    }
  }

  private static long seconds(Query query, String name) {
    String text = query.single(name).orElse("");
    if (text.isEmpty()) {
      return ProtectedHeader.ABSENT;
    }
    if (text.length() > 10 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw RequestRefused.malformed(name + " is not a number of seconds");
    }
    return Long.parseLong(text);
  }

  /**
   * @param lt lifetime in seconds; {@link ProtectedHeader#ABSENT} if not given
   * @param wake seconds between updates; likewise
   */
  private record Parameters(@Nullable String et, long lt, long wake) {}

  /**
   * @param payload the payload of the whole registration
   */
  private static Lease lease(
      byte[] links, Parameters parameters, long seq, byte[] payload, long now) {
    long lifetime = parameters.lt() == ProtectedHeader.ABSENT ? DEFAULT_LIFETIME : parameters.lt();
    if (lifetime > MAX_SECONDS || parameters.wake() > MAX_SECONDS) {
      throw RequestRefused.malformed("lt and wake are at most 4294967295 seconds");
    }
    String et = parameters.et();
    if (et != null && et.getBytes(StandardCharsets.UTF_8).length > MAX_TYPE) {
      throw RequestRefused.malformed("et is longer than " + MAX_TYPE + " octets");
    }
    return new Lease(
        new String(links, StandardCharsets.UTF_8),
        et,
        lifetime,
        Math.max(Lease.UNKNOWN, parameters.wake()),
        now,
        now + lifetime,
        seq,
        Jwk.sha256(payload),
        List.of());
  }

  /** Finds the domain; requires that the caller may register in it. */
  private Domain domain(Caller caller, @Nullable String d) {
    Domain domain = domains.get(d == null ? "" : d);
    if (domain == null) {
      throw new RequestRefused(Reason.POLICY, "there is no such domain");
    }
    access.require(caller, Access.Action.REGISTER, domain.name());
    return domain;
  }

  /** A name to withdraw, which may have been stored before the grammar existed. */
  private static EndpointName withdrawn(String ep, Domain domain) {
    if (ep.isEmpty() || ep.startsWith(".")) {
      throw RequestRefused.malformed("ep is empty or begins with a dot");
    }
    return new EndpointName(ep, domain.name());
  }

  private static EndpointName name(String ep, Domain domain) {
    String fault = NameGrammar.fault(ep);
    if (fault != null) {
      throw RequestRefused.malformed("ep " + fault);
    }
    return new EndpointName(ep, domain.name());
  }
}
