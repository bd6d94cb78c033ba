package dev.vigil.gateway.http;

import dev.vigil.coap.limits.FairPool;
import dev.vigil.coap.limits.Source;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one listener. Clients share the places by address, /64 and /48; a newcomer
 * displaces the longest idle connection of the greediest source. When no place is available, a
 * newcomer enters the reserve. There, only requests for health and requests of operators are
 * served, and the oldest other connection makes room for the newest.
 *
 * <p>A client must send the head of a request within seconds of connecting, and its body at a
 * minimum rate. Octets that trickle in do not extend these deadlines.
 */
final class ConnectionTable {
  private static final int MAX_PLACES = 512;

  /** The memory of one connection: mostly the body of a request that may never end. */
  private static final int OCTETS_PER_CONNECTION = 200_000;

  static final int RESERVE = 64;

  /** From the connection to the end of the first request's head, a TLS handshake included. */
  static final long FIRST_HEAD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** From the end of an answer to the end of the next head: the client may idle for 20 s. */
  static final long NEXT_HEAD_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long BODY_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long BODY_MAX_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** The least rate of a body: 4096 octets a second. */
  private static final long NANOS_PER_OCTET = TimeUnit.SECONDS.toNanos(1) / 4096;

  private final LongSupplier nanoTime;
  private final int maxPlaces;
  private final FairPool<ClientConnection> places;
  private final Map<Ends, ClientConnection> connections = new ConcurrentHashMap<>();

  /** Connections without a place, the oldest first. Guarded by this object's lock. */
  private final Set<ClientConnection> reserve = new LinkedHashSet<>();

  /** A client may use one port for connections to several addresses of this machine. */
  private record Ends(InetAddress local, InetSocketAddress client) {}

  /**
   * @param nanoTime monotonic nanoseconds
   * @param maxPlaces connections without the reserve
   */
  ConnectionTable(LongSupplier nanoTime, int maxPlaces) {
    this.nanoTime = nanoTime;
    this.maxPlaces = maxPlaces;
    this.places =
        new FairPool<>(
            new FairPool.Bounds(maxPlaces, maxPlaces, maxPlaces), ClientConnection::shut);
  }

  /** The number of connections that take an eighth of a heap, between 64 and 512. */
  static int maxPlaces(long heapOctets) {
    return Math.clamp(heapOctets / 8 / OCTETS_PER_CONNECTION, 64, MAX_PLACES);
  }

  /**
   * Admits a new connection.
   *
   * @return false when there is no room, not even in the reserve
   */
  synchronized boolean admit(SocketChannel channel, InetSocketAddress client) {
    if (places.size() >= maxPlaces || reserve.size() >= RESERVE) {
      forgetClosed();
      // Idle connections and unfinished heads go first.
      connections.values().stream()
          .filter(ClientConnection::isServing)
          .forEach(ClientConnection::touch);
    }
    ClientConnection connection =
        new ClientConnection(channel, nanoTime.getAsLong() + FIRST_HEAD_NANOS);
    Source source = Source.of(Source.Standing.VERIFIED, client.getAddress());
    FairPool<ClientConnection>.Place place = places.admit(source, connection);
    if (place != null) {
      connection.take(place);
    } else if (!makeRoomInReserve()) {
      return false;
    } else {
      reserve.add(connection);
    }
    Ends ends = new Ends(channel.socket().getLocalAddress(), client);
    ClientConnection former = connections.put(ends, connection);
    if (former != null) {
      // The client has ended it, otherwise it could not use the port again.
      former.shut();
      forget(former);
    }
    return true;
  }

  private boolean makeRoomInReserve() {
    if (reserve.size() < RESERVE) {
      return true;
    }
    for (Iterator<ClientConnection> all = reserve.iterator(); all.hasNext(); ) {
      ClientConnection oldest = all.next();
      if (!oldest.isPrivileged()) {
        all.remove();
        oldest.shut();
        return true;
      }
    }
    return false;
  }

  /**
   * Notes that the head of a request has arrived.
   *
   * @param octets of the body; -1: not announced; 0: there is none
   * @param privileged whether the reserve serves the request
   * @return false when the request must not be served now
   */
  boolean serve(ClientConnection connection, long octets, BooleanSupplier privileged) {
    connection.serve(
        octets == 0 ? ClientConnection.NEVER : nanoTime.getAsLong() + bodyNanos(octets));
    if (connection.hasPlace()) {
      return true;
    }
    if (privileged.getAsBoolean()) {
      connection.privilege();
    }
    return connection.isPrivileged();
  }

  private static long bodyNanos(long octets) {
    return octets < 0 || octets > BODY_MAX_NANOS / NANOS_PER_OCTET
        ? BODY_MAX_NANOS
        : BODY_NANOS + octets * NANOS_PER_OCTET;
  }

  /** Notes that an answer is complete. */
  void served(ClientConnection connection) {
    connection.awaitHead(nanoTime.getAsLong() + NEXT_HEAD_NANOS);
  }

  /** The connection between two addresses; null when it was not admitted. */
  @Nullable ClientConnection of(InetAddress local, InetSocketAddress client) {
    return connections.get(new Ends(local, client));
  }

  /** Ends connections of late clients. */
  synchronized void expire() {
    forgetClosed();
    long now = nanoTime.getAsLong();
    connections.values().stream()
        .filter(connection -> connection.isLate(now))
        .forEach(ClientConnection::shut);
  }

  private void forgetClosed() {
    connections
        .values()
        .removeIf(
            connection -> {
              if (connection.isOpen()) {
                return false;
              }
              forget(connection);
              return true;
            });
  }

  private void forget(ClientConnection connection) {
    connection.release();
    reserve.remove(connection);
  }
}
