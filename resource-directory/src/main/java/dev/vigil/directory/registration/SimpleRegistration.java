package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.LinkFetcher;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Resource;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.link.LinkFormat;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * {@code /.well-known/rd}: registers the links that the sender itself serves (RFC 9176 section
 * 5.1). The sender's address must be verified: a forged one would make the directory query, and
 * register, another host.
 */
public final class SimpleRegistration implements Resource {
  private static final int MAX_CACHED = 1_000;

  private final RegistrationService registrations;
  private final Optional<LinkFetcher> fetcher;
  private final LinkFormat.Limits limits;
  private final Clock clock;

  /**
   * Fetched links while they are fresh: a constrained sender may repeat its request (RFC 9176 5.1).
   */
  private final Map<InetSocketAddress, Cached> cache =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Cached> eldest) {
          return size() > MAX_CACHED;
        }
      };

  /**
   * @param until unix time in ms
   */
  private record Cached(byte[] document, long until) {}

  public SimpleRegistration(
      RegistrationService registrations,
      Optional<LinkFetcher> fetcher,
      LinkFormat.Limits limits,
      Clock clock) {
    this.registrations = registrations;
    this.fetcher = fetcher;
    this.limits = limits;
    this.clock = clock;
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    if (request.method() != Method.POST) {
      throw new ErrorResponseException(Code.METHOD_NOT_ALLOWED, "only POST");
    }
    if (request.base().startsWith("http")) {
      // An HTTP client has no CoAP server to fetch links from.
      throw new ErrorResponseException(
          Code.NOT_IMPLEMENTED, "over HTTP, register by POST to /rd with a base");
    }
    RegistrationParameters parameters = RegistrationParameters.of(request.query());
    parameters.name();
    if (parameters.base().isPresent() || request.payload().length > 0) {
      throw new ErrorResponseException(
          Code.BAD_REQUEST, "a simple registration has neither base nor payload");
    }
    Caller caller = request.caller();
    if (!caller.verified()) {
      throw new ErrorResponseException(Code.UNAUTHORIZED, "repeat with Echo");
    }
    registrations.requireMayRegister(caller, parameters);
    return document(request)
        .thenCompose(
            document ->
                registrations.register(
                    request, parameters, RegistrationParameters.links(document, limits), true))
        .thenApply(change -> Response.of(Code.CHANGED));
  }

  private CompletableFuture<byte[]> document(Request request) {
    InetSocketAddress source = request.caller().source();
    synchronized (cache) {
      Cached cached = cache.get(source);
      if (cached != null && cached.until() > clock.millis()) {
        return CompletableFuture.completedFuture(cached.document());
      }
    }
    return fetcher
        .orElseThrow(
            () ->
                new ErrorResponseException(Code.NOT_IMPLEMENTED, "register by POST to /rd instead"))
        .wellKnownCore(request)
        .thenApply(
            fetched -> {
              synchronized (cache) {
                cache.put(
                    source,
                    new Cached(fetched.document(), clock.millis() + 1000 * fetched.maxAge()));
              }
              return fetched.document();
            });
  }
}
