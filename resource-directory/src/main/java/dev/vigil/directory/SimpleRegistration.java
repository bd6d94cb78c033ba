package dev.vigil.directory;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.registration.Parameters;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * {@code /.well-known/rd}: registers the links that the sender itself serves (RFC 9176 section
 * 5.1). Only for senders whose address is shown to be their own, else anybody could have a victim
 * asked, and published.
 */
final class SimpleRegistration implements Resource {
  private static final int REMEMBERED = 1_000;

  private final Registrar registrar;
  private final Optional<Fetcher> fetcher;
  private final LinkFormat.Limits limits;
  private final Clock clock;

  /** What was read lately, so that a constrained sender may forget its request and ask again. */
  private final Map<InetSocketAddress, Cached> cache =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Cached> eldest) {
          return size() > REMEMBERED;
        }
      };

  private record Cached(byte[] document, long until) {}

  SimpleRegistration(
      Registrar registrar, Optional<Fetcher> fetcher, LinkFormat.Limits limits, Clock clock) {
    this.registrar = registrar;
    this.fetcher = fetcher;
    this.limits = limits;
    this.clock = clock;
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    if (request.method() != Method.POST) {
      throw new ExchangeException(Code.METHOD_NOT_ALLOWED, "only POST");
    }
    if (request.base().startsWith("http")) {
      // Nobody at the other end of a TCP connection can be asked back.
      throw new ExchangeException(
          Code.NOT_IMPLEMENTED, "over HTTP, register by POST to /rd with a base");
    }
    Parameters parameters = Parameters.of(request.query());
    parameters.name();
    if (parameters.base().isPresent() || request.payload().length > 0) {
      throw new ExchangeException(
          Code.BAD_REQUEST, "a simple registration has neither base nor payload");
    }
    Caller caller = request.caller();
    if (!caller.verified()) {
      throw new ExchangeException(Code.UNAUTHORIZED, "repeat with Echo");
    }
    registrar.requireMayRegister(caller, parameters);
    return document(request)
        .thenCompose(
            document ->
                registrar.register(request, parameters, Parameters.links(document, limits), true))
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
            () -> new ExchangeException(Code.NOT_IMPLEMENTED, "register by POST to /rd instead"))
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
