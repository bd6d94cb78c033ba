package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.LinkFetcher;
import dev.vigil.coap.exchange.LinkFetcher.Fetched;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.limits.FairPool;
import dev.vigil.coap.limits.Source;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the links of simple registrations. An unanswered fetch lasts for minutes; concurrent
 * fetches therefore need places, which sources share. Fetched links are kept while they are fresh,
 * within a bounded number of octets, because a constrained sender may repeat its request (RFC 9176
 * section 5.1). Safe for use by any number of threads.
 */
final class LinkFetches {
  static final int MAX_UNDER_WAY = 256;

  /** Maximum octets of all cached documents. */
  static final int MAX_CACHED = 1 << 20;

  private static final int ENTRY_OCTETS = 256;
  private static final long RETRY_SECONDS = 5;

  private final LinkFetcher fetcher;
  private final Clock clock;
  private final FairPool<CompletableFuture<Fetched>> underWay =
      new FairPool<>(
          new FairPool.Bounds(MAX_UNDER_WAY, 0, MAX_UNDER_WAY - MAX_UNDER_WAY / 4),
          fetch -> fetch.completeExceptionally(tooMany()));

  /** Ordered by arrival, latest last. It guards itself and {@code cachedOctets}. */
  private final LinkedHashMap<InetSocketAddress, Cached> cache = new LinkedHashMap<>();

  private int cachedOctets;

  /**
   * @param until unix time in ms
   */
  private record Cached(byte[] document, long until) {
    int octets() {
      return document.length + ENTRY_OCTETS;
    }
  }

  LinkFetches(LinkFetcher fetcher, Clock clock) {
    this.fetcher = fetcher;
    this.clock = clock;
  }

  /**
   * The links that the sender of a request serves.
   *
   * @return fails with 5.03 if too many fetches are under way
   */
  CompletableFuture<byte[]> document(Request request) {
    InetSocketAddress source = request.caller().source();
    byte[] fresh = cached(source);
    return fresh != null
        ? CompletableFuture.completedFuture(fresh)
        : fetch(request)
            .thenApply(
                fetched -> {
                  keep(source, fetched);
                  return fetched.document();
                });
  }

  private CompletableFuture<Fetched> fetch(Request request) {
    CompletableFuture<Fetched> fetch = new CompletableFuture<>();
    FairPool<CompletableFuture<Fetched>>.Place place =
        underWay.admit(Source.of(request.caller()), fetch);
    if (place == null) {
      return CompletableFuture.failedFuture(tooMany());
    }
    CompletableFuture<Fetched> asked = fetcher.wellKnownCore(request);
    fetch.whenComplete(
        (fetched, thrown) -> {
          place.release();
          asked.cancel(false); // of a fetch that was displaced
        });
    asked.whenComplete(
        (fetched, thrown) -> {
          if (thrown == null) {
            fetch.complete(fetched);
          } else {
            fetch.completeExceptionally(thrown);
          }
        });
    return fetch;
  }

  private byte @Nullable [] cached(InetSocketAddress source) {
    synchronized (cache) {
      Cached known = cache.get(source);
      return known == null || known.until() <= clock.millis() ? null : known.document();
    }
  }

  private void keep(InetSocketAddress source, Fetched fetched) {
    Cached added = new Cached(fetched.document(), clock.millis() + 1000 * fetched.maxAge());
    synchronized (cache) {
      Cached before = cache.putLast(source, added);
      cachedOctets += added.octets() - (before == null ? 0 : before.octets());
      while (cachedOctets > MAX_CACHED) {
        cachedOctets -= cache.pollFirstEntry().getValue().octets();
      }
    }
  }

  private static ErrorResponseException tooMany() {
    return new ErrorResponseException(
        Code.SERVICE_UNAVAILABLE, "too many simple registrations are under way", RETRY_SECONDS);
  }
}
