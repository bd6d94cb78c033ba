package dev.vigil.gateway.coap.dtls;

import dev.vigil.coap.limits.FairPool;
import dev.vigil.coap.limits.RateLimiter.Rate;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.limits.Source.Standing;
import dev.vigil.coap.limits.SourceRateLimiter;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.eclipse.californium.elements.auth.PreSharedKeyIdentity;
import org.eclipse.californium.elements.auth.X509CertPath;
import org.eclipse.californium.elements.util.ClockUtil;
import org.eclipse.californium.elements.util.SerialExecutor;
import org.eclipse.californium.scandium.dtls.Connection;
import org.eclipse.californium.scandium.dtls.DtlsException;
import org.eclipse.californium.scandium.dtls.Handshaker;
import org.eclipse.californium.scandium.dtls.HelloVerifyRequest;
import org.eclipse.californium.scandium.dtls.InMemoryReadWriteLockConnectionStore;
import org.eclipse.californium.scandium.dtls.Record;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one DTLS socket, in places that sources share fairly ({@link FairPool}).
 * Unfinished handshakes have a small number of separate places, and a rate limit for each source,
 * because anybody with an address can begin them. Their clients have answered a cookie.
 *
 * <p>Each IPv4 address shares its half-open places with its /24 and its /16. Otherwise an attacker
 * with as many addresses as there are places would hold them all, and nobody would be greedier.
 *
 * <p>A handshake is <em>half-open</em> from {@link #put} until {@link #putEstablishedSession}, then
 * its connection is <em>established</em>; {@link #remove} ends both. A displaced client shakes
 * hands again. The connection that was idle longest is displaced first. A closed connection keeps
 * its place until then, because its session can be resumed.
 *
 * <p>Before the socket is open, saved connections can be loaded ({@link #load}); each takes a place
 * as if its handshake had just ended.
 */
final class FairConnectionStore extends InMemoryReadWriteLockConnectionStore {
  /** The maximum number of unfinished handshakes, about 10 KB each. */
  static final int MAX_HALF_OPEN = 500;

  /** A quarter is kept for clients with a pre-shared key or a certificate. */
  static final int MAX_ESTABLISHED = 20_000;

  /** For displaced connections, which their own threads remove. */
  private static final int LEAVING = 1_000;

  /**
   * A connection without a message for this long gives way to a newcomer even if every source has
   * its fair share. Otherwise addresses that never come back would hold all places.
   */
  static final Duration IDLE = Duration.ofDays(1);

  /** The source of a restored client whose address another client has taken over. */
  private static final InetAddress UNKNOWN = InetAddress.ofLiteral("::");

  /** Unused: the pools decide which connection is displaced. */
  private static final long STALE_SECONDS = 60;

  /**
   * The maximum rate of handshakes of one address. A signature and a key agreement take about a
   * millisecond.
   */
  private static final Rate HANDSHAKES = new Rate(1_000, Duration.ofSeconds(10));

  private final BiFunction<Standing, InetAddress, Source> sources;
  private final SourceRateLimiter handshakes;
  private final FairPool<Connection> halfOpen =
      new FairPool<>(
          new FairPool.Bounds(MAX_HALF_OPEN, 0, MAX_HALF_OPEN),
          connection -> end(connection, "too many unfinished handshakes"));
  private final FairPool<Connection> established;

  /** By identity: the hash code of a connection changes with its state. */
  private final Map<Connection, FairPool<Connection>.Place> places =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /** The client whose ClientHello the current thread refused, until {@link #withholds}. */
  private final ThreadLocal<@Nullable InetSocketAddress> refused = new ThreadLocal<>();

  /** Selects the saved connections to restore; used by the thread that loads them. */
  private Predicate<Connection> restorable = none -> false;

  /**
   * @param sources how the clients of this socket are counted
   */
  FairConnectionStore(BiFunction<Standing, InetAddress, Source> sources, Clock clock) {
    this(sources, clock, MAX_ESTABLISHED);
  }

  FairConnectionStore(
      BiFunction<Standing, InetAddress, Source> sources, Clock clock, int maxEstablished) {
    super(MAX_HALF_OPEN + maxEstablished + LEAVING, STALE_SECONDS, null, false);
    this.established =
        new FairPool<>(
            new FairPool.Bounds(maxEstablished, 0, maxEstablished - maxEstablished / 4),
            connection -> end(connection, "too many connections"));
    this.sources = sources;
    this.handshakes = new SourceRateLimiter(clock);
  }

  /** The number of handshakes that are not finished. */
  int halfOpen() {
    return halfOpen.size();
  }

  /** The number of established connections. */
  int established() {
    return established.size();
  }

  /**
   * Adds saved connections.
   *
   * @param delta as in {@link #loadConnections}
   * @throws IllegalArgumentException when another version saved them; the store is then empty
   */
  void load(InputStream in, long delta, Predicate<Connection> which) throws IOException {
    restorable = which;
    loadConnections(in, delta);
  }

  /** Removes all connections; the socket must not be open. */
  void forgetAll() {
    clear();
    synchronized (places) {
      places.values().forEach(FairPool.Place::release);
      places.clear();
    }
  }

  @Override
  public boolean restore(Connection connection) {
    return restorable.test(connection) && super.restore(connection);
  }

  /** Called with the store's lock when a client has answered the cookie. */
  @Override
  public boolean put(Connection connection) {
    boolean added = admitHalfOpen(connection) && super.put(connection);
    if (!added) {
      release(connection);
      refused.set(connection.getPeerAddress());
    }
    return added;
  }

  private boolean admitHalfOpen(Connection connection) {
    Source source = source(connection, Standing.VERIFIED);
    if (handshakes.tryCharge(source, SourceRateLimiter.ANY_SCOPE, HANDSHAKES) > 0) {
      return false;
    }
    FairPool<Connection>.Place place = halfOpen.admit(source.withIpv4Networks(), connection);
    if (place != null) {
      places.put(connection, place);
    }
    return place != null;
  }

  /**
   * Whether the server must not send a record: Scandium asks a client for its cookie again after
   * {@link #put} refused it on the same thread. OpenSSL answers that at once, thousands of times a
   * second. A client without an answer tries again after a second or more.
   */
  boolean withholds(Record record) {
    if (!(record.getFragment() instanceof HelloVerifyRequest)) {
      return false;
    }
    InetSocketAddress last = refused.get();
    refused.remove();
    return record.getPeerAddress().equals(last);
  }

  @Override
  public void putEstablishedSession(Connection connection) {
    release(connection);
    FairPool<Connection>.Place place = admit(connection);
    if (place == null) {
      end(connection, "too many connections");
    } else {
      places.put(connection, place);
    }
    super.putEstablishedSession(connection);
  }

  private FairPool<Connection>.@Nullable Place admit(Connection connection) {
    Standing standing = standing(connection.getEstablishedPeerIdentity());
    Source source = source(connection, standing);
    FairPool<Connection>.Place place = established.admit(source, connection);
    if (place != null) {
      return place;
    }
    Connection idle = longestIdle(standing);
    if (idle == null) {
      return null;
    }
    end(idle, "idle, and too many connections");
    return established.admit(source, connection);
  }

  /** The connection of at most this standing that was idle longest; null if none was idle. */
  private @Nullable Connection longestIdle(Standing atMost) {
    Connection longest = null;
    long most = IDLE.toNanos();
    long now = ClockUtil.nanoRealtime();
    synchronized (places) {
      for (Connection connection : places.keySet()) {
        long idle = now - connection.getLastMessageNanos();
        if (idle > most
            && connection.hasEstablishedDtlsContext()
            && standing(connection.getEstablishedPeerIdentity()).compareTo(atMost) <= 0) {
          longest = connection;
          most = idle;
        }
      }
    }
    return longest;
  }

  /** Called for each message of an established connection. */
  @Override
  public boolean update(Connection connection, @Nullable InetSocketAddress newPeerAddress) {
    FairPool<Connection>.Place place = places.get(connection);
    if (place != null) {
      place.touch();
    }
    return super.update(connection, newPeerAddress);
  }

  @Override
  public boolean remove(Connection connection, boolean removeFromSessionCache) {
    release(connection);
    return super.remove(connection, removeFromSessionCache);
  }

  private void release(Connection connection) {
    FairPool<Connection>.Place place = places.remove(connection);
    if (place != null) {
      place.release();
    }
  }

  private Source source(Connection connection, Standing standing) {
    InetSocketAddress peer = connection.getPeerAddress();
    return sources.apply(standing, peer == null ? UNKNOWN : peer.getAddress());
  }

  /** A raw public key proves nothing here: anybody can make one. */
  private static Standing standing(@Nullable Principal identity) {
    return identity instanceof PreSharedKeyIdentity || identity instanceof X509CertPath
        ? Standing.AUTHENTICATED
        : Standing.VERIFIED;
  }

  /** Ends a connection on its own thread, which also cancels its retransmissions. */
  private void end(Connection connection, String reason) {
    release(connection);
    SerialExecutor executor = connection.getExecutor();
    if (executor == null) {
      remove(connection, false);
      return;
    }
    try {
      executor.execute(
          () -> {
            Handshaker handshaker = connection.getOngoingHandshake();
            if (handshaker != null) {
              handshaker.handshakeFailed(new DtlsException(reason));
            }
            remove(connection, false);
          });
    } catch (RejectedExecutionException e) {
      remove(connection, false);
    }
  }
}
