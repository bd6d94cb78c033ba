package dev.vigil.gateway.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.mirror.MirrorConfig;
import dev.vigil.mirror.MirrorProxy;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.trust.MirrorIdentity;
import dev.vigil.signed.batch.BatchVerifier;
import dev.vigil.signed.jose.SignatureVerifier;
import dev.vigil.store.MemoryStore;
import dev.vigil.store.Store;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A mirror on an in-memory store; the test sets the clock. */
public final class MirrorInMemory extends Clock {
  private static final int HISTORY = 10_000;

  private final MemoryStore store = new MemoryStore();
  private final Path identity;
  private final Duration wake;
  private final int history;
  private Instant now = Instant.parse("2026-11-20T12:00:00Z");
  private MirrorProxy mirror;
  private RequestDispatcher dispatcher;

  /**
   * @param folder for the identity key
   * @param wake interval of all endpoints
   */
  public MirrorInMemory(Path folder, Duration wake) {
    this(folder, wake, HISTORY);
  }

  /**
   * @param history as in {@link Domain}
   */
  public MirrorInMemory(Path folder, Duration wake, int history) {
    this.identity = folder.resolve("identity.jwk");
    this.wake = wake;
    this.history = history;
    this.mirror = open();
    this.dispatcher = new RequestDispatcher(mirror.routes());
  }

  private MirrorProxy open() {
    Domain usual = Domain.of("", TrustPolicy.FIRST_USE);
    Domain domain =
        new Domain(
            "",
            TrustPolicy.FIRST_USE,
            usual.listed(),
            usual.commanders(),
            true,
            false,
            Domain.MAX_WINDOW,
            history,
            usual.maxClockSkew(),
            usual.maxDelay(),
            wake,
            true,
            usual.limits());
    return new MirrorProxy(
        new MirrorProxy.Dependencies(
            store,
            new Topics(),
            (caller, action, d) -> new Access.Allowed(),
            this,
            new SecureRandom(),
            BatchVerifier.none(new SignatureVerifier(SignatureVerifier.Choice.AUTO)),
            () -> 0),
        MirrorConfig.of(List.of(domain), MirrorIdentity.load(identity, new SecureRandom())));
  }

  /** Another mirror on the same store. */
  public void restart() {
    mirror.close();
    mirror = open();
    dispatcher = new RequestDispatcher(mirror.routes());
  }

  public MirrorProxy mirror() {
    return mirror;
  }

  public Store store() {
    return store;
  }

  /** Registers an endpoint and returns its id. */
  public String registered(SleepyEndpoint endpoint, String links) {
    return registered(endpoint, links, 1);
  }

  /** Registers an endpoint with a sequence number and returns its id. */
  public String registered(SleepyEndpoint endpoint, String links, long seq) {
    String registration = endpoint.registration(seq, links);
    return ask(Method.POST, "/ms?ep=" + endpoint.ep(), registration).location().getLast();
  }

  public void put(String id, String path, String update) {
    ask(Method.PUT, "/ms/" + id + "/" + path, update);
  }

  /** Sends an update in a datagram from a source address, with or without an IPsec association. */
  public void put(String id, String path, String update, String source, boolean associated) {
    Caller caller =
        new Caller(
            new InetSocketAddress(InetAddress.ofLiteral(source), 40000),
            true,
            associated,
            false,
            new Caller.Anonymous(),
            OptionalLong.empty(),
            associated);
    ask(Method.PUT, "/ms/" + id + "/" + path, update, caller);
  }

  private Response ask(Method method, String uri, String payload) {
    InetSocketAddress source = new InetSocketAddress(InetAddress.ofLiteral("2001:db8::1"), 40000);
    return ask(method, uri, payload, Caller.anonymous(source, true));
  }

  private Response ask(Method method, String uri, String payload, Caller caller) {
    String[] parts = uri.split("\\?", 2);
    Query query =
        parts.length == 1
            ? Query.EMPTY
            : new Query(Stream.of(parts[1].split("&")).map(Query.Parameter::parse).toList());
    Response response =
        dispatcher
            .answer(
                new Request(
                    method,
                    List.of(parts[0].substring(1).split("/")),
                    query,
                    ContentFormat.JOSE,
                    payload.getBytes(UTF_8),
                    List.of(),
                    true,
                    caller))
            .join();
    if (!response.code().isSuccess()) {
      throw new IllegalStateException(new String(response.payload(), UTF_8));
    }
    return response;
  }

  public void forward(Duration by) {
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
