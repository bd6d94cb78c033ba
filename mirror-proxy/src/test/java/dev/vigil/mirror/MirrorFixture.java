package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vigil.coap.deferral.Deferral;
import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.read.KeyView;
import dev.vigil.mirror.trust.MirrorIdentity;
import dev.vigil.signed.batch.BatchVerifier;
import dev.vigil.signed.cbor.CborWriter;
import dev.vigil.signed.jose.SignatureVerifier;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.store.MemoryStore;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A mirror on a memory store with a settable clock, and the requests of endpoints. */
final class MirrorFixture {
  static final SignatureVerifier SIGNATURES = new SignatureVerifier(SignatureVerifier.Choice.AUTO);
  static final BatchVerifier TOGETHER = BatchVerifier.open(SIGNATURES, () -> {});
  static final byte[] LED = "[{\"n\":\"led\",\"vb\":true}]".getBytes(UTF_8);
  static final byte[] SENML = "[{\"n\":\"urn:dev:a\",\"u\":\"Cel\",\"v\":21.5}]".getBytes(UTF_8);
  static final String LINKS = "</temp>;rt=\"temperature\",</load>;rt=\"load\",</led>;rt=\"led\"";

  /** The file of the mirror's identity key. */
  static final String IDENTITY = "identity.json";

  static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  final MemoryStore store = new MemoryStore();
  final Topics topics = new Topics();
  final TestClock clock = new TestClock();

  /** Advances by a nanosecond each time it is read. */
  private final AtomicLong verificationTime = new AtomicLong();

  final Path identity;
  private final SecureRandom random;
  private MirrorConfig config;

  /** Access rights; everybody may do everything unless a test says otherwise. */
  Access access = (caller, action, domain) -> new Access.Allowed();

  private MirrorProxy proxy;
  private RequestDispatcher dispatcher;

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

  MirrorFixture(Path folder, Domain... domains) {
    this(folder, new SecureRandom(), domains);
  }

  /**
   * @param folder of the identity key, which is created unless {@link #IDENTITY} exists
   */
  MirrorFixture(Path folder, SecureRandom random, Domain... domains) {
    this.random = random;
    identity = folder.resolve(IDENTITY);
    config = MirrorConfig.of(List.of(domains), MirrorIdentity.load(identity, random));
    proxy = open();
    dispatcher = new RequestDispatcher(proxy.routes());
  }

  MirrorFixture(Path folder) {
    this(folder, Domain.of("", TrustPolicy.FIRST_USE));
  }

  MirrorProxy proxy() {
    return proxy;
  }

  MirrorQueries queries() {
    return proxy.queries();
  }

  MirrorOperations operations() {
    return proxy.operations();
  }

  /** Restarts with another number of places for waiting keys. */
  void restartWithWaitingPlaces(int places) {
    config = config.withWaitingPlaces(places);
    restart();
  }

  /** Closes the mirror and starts another one on the same store. */
  void restart() {
    proxy.close();
    config =
        new MirrorConfig(
            config.domains(),
            MirrorIdentity.load(identity, random),
            config.own(),
            config.waitingPlaces());
    proxy = open();
    dispatcher = new RequestDispatcher(proxy.routes());
  }

  private MirrorProxy open() {
    Access present = (caller, action, domain) -> access.decide(caller, action, domain);
    return new MirrorProxy(
        new MirrorProxy.Dependencies(
            store, topics, present, clock, random, TOGETHER, verificationTime::incrementAndGet),
        config);
  }

  static Caller caller(String address, boolean verified) {
    try {
      return Caller.anonymous(
          new InetSocketAddress(InetAddress.getByName(address), 40000), verified);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** The answer that an adapter would receive. */
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
    return dispatcher.answer(request).join();
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

  /** A command to the resource {@code led}, signed by a commander. */
  static byte[] command(TestSigner commander, String ep, long seq, String more) {
    return commander.jws(
        "{\"alg\":\"ES256\",\"typ\":\"vigil-cmd\",\"cty\":\"application/senml+json\",\"kid\":\"%s\",\"ep\":\"%s\",\"res\":\"led\",\"seq\":%d%s}"
            .formatted(commander.jkt(), ep, seq, more),
        LED);
  }

  /** A rotation, signed by the old key. */
  static byte[] rotation(TestSigner old, TestSigner fresh, String ep, long seq, String more) {
    return old.jws(
        "{\"alg\":\"ES256\",\"typ\":\"vigil-rotate\",\"cty\":\"jose\",\"kid\":\"%s\",\"seq\":%d}"
            .formatted(old.jkt(), seq),
        registration(fresh, ep, seq, more));
  }

  /** The payload of a signed registration. */
  static byte[] registration(TestSigner key, String ep, long seq, String more) {
    return registration(key, ep, seq, more, LINKS);
  }

  private static byte[] registration(
      TestSigner key, String ep, long seq, String more, String links) {
    String header =
        "{\"alg\":\"%s\",\"typ\":\"vigil-reg\",\"cty\":\"application/link-format\",\"jwk\":%s,\"ep\":\"%s\",\"seq\":%d%s}"
            .formatted(key.jwk().algorithm().jose(), key.jwk().json(), ep, seq, more);
    return key.jws(header, links.getBytes(UTF_8));
  }

  /** The payload of a plain registration. */
  static byte[] plain(TestSigner key) {
    return new CborWriter()
        .array(4)
        .integer(40)
        .octets(LINKS.getBytes(UTF_8))
        .integer(65101)
        .octets(key.jwk().json().getBytes(UTF_8))
        .toOctets();
  }

  List<KeyView> keys() {
    return queries().keys(key -> true, null, 1000);
  }

  Response register(TestSigner key, String ep, long seq, String more) {
    return ask(Method.POST, "/ms?ep=" + ep, ContentFormat.JOSE, registration(key, ep, seq, more));
  }

  Response register(TestSigner key, String ep, long seq, String more, String links) {
    byte[] payload = registration(key, ep, seq, more, links);
    return ask(Method.POST, "/ms?ep=" + ep, ContentFormat.JOSE, payload);
  }

  /** Registers and returns the path of the endpoint. */
  String registered(TestSigner key, String ep, long seq) {
    Response response = register(key, ep, seq, ",\"wake\":60");
    if (!response.code().dotted().equals("2.01")) {
      throw new IllegalStateException(response.code().dotted() + " " + line(response));
    }
    return entry(response);
  }

  /** The path in the Location-Path of an answer to a registration. */
  static String entry(Response registered) {
    return "/" + String.join("/", registered.location());
  }

  static byte[] update(TestSigner key, String res, long seq) {
    return update(key, res, seq, SENML);
  }

  static byte[] update(TestSigner key, String res, long seq, byte[] senml) {
    return key.jws(key.header("application/senml+json", res, seq, -1), senml);
  }

  /** The answers to updates that wait for one worker, by path. */
  List<Response> putTogether(List<Map.Entry<String, byte[]>> updates) {
    List<CompletableFuture<Response>> answers = new ArrayList<>();
    Deferral.begin();
    try {
      for (Map.Entry<String, byte[]> update : updates) {
        answers.add(begin(update.getKey(), update.getValue()));
      }
    } finally {
      Deferral.end();
    }
    return answers.stream().map(CompletableFuture::join).toList();
  }

  /** Sends an update or a command; its answer may come later. */
  CompletableFuture<Response> begin(String path, byte[] jws) {
    return dispatcher.answer(
        new Request(
            Method.PUT,
            List.of(path.substring(1).split("/")),
            Query.EMPTY,
            ContentFormat.JOSE,
            jws,
            List.of(),
            true,
            caller("2001:db8::1", true)));
  }

  Response put(String path, byte[] jws) {
    return ask(Method.PUT, path, ContentFormat.JOSE, jws);
  }
}
