package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Site;
import dev.vigil.directory.exchange.Topics;
import dev.vigil.mirror.jose.Signatures;
import dev.vigil.mirror.jose.Signer;
import dev.vigil.mirror.wire.CborWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A mirror on a store, with a clock in our hands, and the requests that endpoints make. */
final class World {
  static final Signatures SIGNATURES = new Signatures(Signatures.Choice.AUTO);
  static final byte[] SENML = "[{\"n\":\"urn:dev:a\",\"u\":\"Cel\",\"v\":21.5}]".getBytes(UTF_8);
  static final String LINKS = "</temp>;rt=\"temperature\",</load>;rt=\"load\",</led>;rt=\"led\"";

  static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  final MemoryStore store = new MemoryStore();
  final Topics topics = new Topics();
  final TestClock clock = new TestClock();
  final Path identity;
  final MirrorConfig config;
  MirrorProxy mirror;
  private Site site;

  static final class TestClock extends Clock {
    private Instant now = START;

    void forward(Duration by) {
      now = now.plus(by);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("nobody asks for a zone");
    }
  }

  World(Path folder, Domain... domains) {
    identity = folder.resolve("identity.json");
    config = MirrorConfig.of(List.of(domains), identity);
    mirror = open();
    site = new Site(mirror.resources());
  }

  World(Path folder) {
    this(folder, Domain.of("", TrustPolicy.FIRST_USE));
  }

  /** Ends the mirror and starts another on the same store. */
  void restart() {
    mirror.close();
    mirror = open();
    site = new Site(mirror.resources());
  }

  private MirrorProxy open() {
    Access everybody = (caller, action, domain) -> new Access.Allowed();
    return new MirrorProxy(store, topics, everybody, config, clock, new SecureRandom(), SIGNATURES);
  }

  static Caller caller(String address, boolean verified) {
    try {
      return Caller.anonymous(
          new InetSocketAddress(InetAddress.getByName(address), 40000), verified);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Answers as the adapters would get it. */
  Response ask(
      Method method,
      String uri,
      @Nullable ContentFormat format,
      byte[] payload,
      Caller caller,
      ContentFormat... accept) {
    String[] parts = uri.split("\\?", 2);
    Query query =
        parts.length == 1
            ? Query.EMPTY
            : new Query(Stream.of(parts[1].split("&")).map(Query.Parameter::parse).toList());
    Request request =
        new Request(
            method,
            List.of(parts[0].substring(1).split("/")),
            query,
            format,
            payload,
            List.of(accept),
            true,
            caller);
    return site.answer(request).join();
  }

  Response ask(
      Method method,
      String uri,
      @Nullable ContentFormat format,
      byte[] payload,
      ContentFormat... accept) {
    return ask(method, uri, format, payload, caller("2001:db8::1", true), accept);
  }

  Response get(String uri, ContentFormat... accept) {
    return ask(Method.GET, uri, null, new byte[0], accept);
  }

  static String line(Response response) {
    return new String(response.payload(), UTF_8);
  }

  /** The payload of a signed registration. */
  static byte[] registration(Signer key, String ep, long seq, String more) {
    String header =
        "{\"alg\":\"%s\",\"typ\":\"vigil-reg\",\"cty\":\"application/link-format\",\"jwk\":%s,\"ep\":\"%s\",\"seq\":%d%s}"
            .formatted(key.jwk().algorithm().jose(), key.jwk().json(), ep, seq, more);
    return key.jws(header, LINKS.getBytes(UTF_8));
  }

  /** The payload of a plain registration. */
  static byte[] plain(Signer key) {
    return new CborWriter()
        .array(4)
        .integer(40)
        .octets(LINKS.getBytes(UTF_8))
        .integer(65101)
        .octets(key.jwk().json().getBytes(UTF_8))
        .toOctets();
  }

  List<KeyView> keys() {
    return mirror.keys(key -> true, null, 1000);
  }

  Response register(Signer key, String ep, long seq, String more) {
    return ask(Method.POST, "/ms?ep=" + ep, ContentFormat.JOSE, registration(key, ep, seq, more));
  }

  /** Registers and gives the path of the entry. */
  String registered(Signer key, String ep, long seq) {
    Response response = register(key, ep, seq, ",\"wake\":60");
    if (!response.code().dotted().equals("2.01")) {
      throw new IllegalStateException(response.code().dotted() + " " + line(response));
    }
    return entry(response);
  }

  /** The path that an answer to a registration names. */
  static String entry(Response registered) {
    return "/" + String.join("/", registered.location());
  }

  static byte[] update(Signer key, String res, long seq) {
    return update(key, res, seq, SENML);
  }

  static byte[] update(Signer key, String res, long seq, byte[] senml) {
    return key.jws(key.header("application/senml+json", res, seq, -1), senml);
  }

  Response put(String path, byte[] jws) {
    return ask(Method.PUT, path, ContentFormat.JOSE, jws);
  }
}
