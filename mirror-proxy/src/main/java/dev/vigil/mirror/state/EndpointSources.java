package dev.vigil.mirror.state;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.TrustState;
import java.time.Clock;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The source address of each endpoint's last newly accepted signed message. A request from there
 * within {@link #LIFETIME_MILLIS} counts as the endpoint's own, because the endpoint has no other
 * credentials. A repeated message does not count, because anyone can record and repeat it.
 *
 * <p>In memory only: after a restart the next message of an endpoint counts. Holds one entry for
 * each endpoint that was heard within the lifetime. Guarded by its monitor.
 */
public final class EndpointSources {
  /** A mote asks for commands after its update; five minutes cover its retransmissions. */
  private static final long LIFETIME_MILLIS = 300_000;

  private static final String SCHEME_END = "://";
  private static final int MAX_SHOWN = 20_000;

  /** By endpoint id, oldest first. */
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /**
   * By endpoint id: the addresses to show, kept after the lifetime; the least recently heard is
   * dropped first.
   */
  private final LinkedHashMap<String, Shown> shown = new LinkedHashMap<>();

  /** The number of endpoints by shown address; read without the monitor. */
  private final Map<SourceAddress, Integer> endpointsAt = new ConcurrentHashMap<>();

  private final Clock clock;

  /**
   * @param associated the source of the last message that an IPsec association authenticated; null
   *     before the first one
   */
  private record Shown(SourceAddress address, @Nullable SourceAddress associated) {}

  /**
   * @param jkt the key that signed the message
   * @param until unix time in milliseconds
   */
  private record Entry(SourceAddress address, String scheme, String jkt, long until) {}

  public EndpointSources(Clock clock) {
    this.clock = clock;
  }

  /** Records the source of a newly accepted and committed message. */
  public synchronized void record(String id, String jkt, Request request) {
    long now = clock.millis();
    show(id, request.caller());
    entries.remove(id);
    entries.put(
        id,
        new Entry(SourceAddress.of(request.caller()), scheme(request), jkt, now + LIFETIME_MILLIS));
    Iterator<Entry> oldest = entries.values().iterator();
    while (oldest.hasNext() && oldest.next().until() <= now) {
      oldest.remove();
    }
  }

  private void show(String id, Caller caller) {
    SourceAddress address = SourceAddress.of(caller);
    Shown before = shown.get(id);
    SourceAddress earlier = before == null ? null : before.associated();
    shown.putLast(id, new Shown(address, caller.associated() ? address : earlier));
    endpointsAt.merge(address, 1, Integer::sum);
    if (before == null && shown.size() > MAX_SHOWN) {
      before = shown.pollFirstEntry().getValue();
    }
    if (before != null) {
      endpointsAt.computeIfPresent(
          before.address(), (left, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Whether the last newly accepted message of an endpoint came from this address. */
  public boolean isAddressOfEndpoint(SourceAddress address) {
    return endpointsAt.containsKey(address);
  }

  /** The source address of an endpoint's last newly accepted message since the start. */
  public synchronized Optional<SourceAddress> address(String id) {
    return Optional.ofNullable(shown.get(id)).map(Shown::address);
  }

  /**
   * The source of an endpoint's last newly accepted message that an IPsec association with that
   * source authenticated. Anyone can forge the source of other messages.
   */
  public synchronized Optional<SourceAddress> associatedAddress(String id) {
    return Optional.ofNullable(shown.get(id)).map(Shown::associated);
  }

  /** The endpoints whose last newly accepted message came from a known address, by their ids. */
  public synchronized Map<String, SourceAddress> addresses() {
    Map<String, SourceAddress> addresses = new HashMap<>();
    shown.forEach((id, one) -> addresses.put(id, one.address()));
    return addresses;
  }

  /**
   * Whether a request comes from the endpoint itself: over DTLS with its key, or over the same
   * protocol from the address of its last message. New ways to prove an identity are added as
   * {@link Caller.Identity}.
   */
  public boolean isEndpoint(Request request, ProvenTarget target) {
    KeyHistory keys = target.keys();
    if (keys.state() != TrustState.TRUSTED) {
      return false;
    }
    return switch (request.caller().identity()) {
      case Caller.RawKey(String jkt) when jkt.equals(keys.jkt()) -> true;
      case Caller.RawKey raw -> isLastSource(request, target.id(), keys.jkt());
      case Caller.Anonymous anonymous -> isLastSource(request, target.id(), keys.jkt());
      case Caller.PreSharedKey psk -> isLastSource(request, target.id(), keys.jkt());
      case Caller.Certificate certificate -> isLastSource(request, target.id(), keys.jkt());
      case Caller.Account account -> isLastSource(request, target.id(), keys.jkt());
      case Caller.Link link -> false;
      case Caller.Broker broker -> false;
    };
  }

  private synchronized boolean isLastSource(Request request, String id, String jkt) {
    Entry entry = entries.get(id);
    return entry != null
        && entry.until() > clock.millis()
        && entry.jkt().equals(jkt)
        && entry.scheme().equals(scheme(request))
        && entry.address().equals(SourceAddress.of(request.caller()));
  }

  private static String scheme(Request request) {
    int end = request.base().indexOf(SCHEME_END);
    return end < 0 ? "" : request.base().substring(0, end);
  }

  /** Whether a request came over HTTP, where a browser sends requests for pages of any site. */
  public static boolean isFromWeb(Request request) {
    return scheme(request).startsWith("http");
  }
}
