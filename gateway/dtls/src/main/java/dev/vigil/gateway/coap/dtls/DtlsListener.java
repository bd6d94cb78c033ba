package dev.vigil.gateway.coap.dtls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.eclipse.californium.scandium.DTLSConnector;
import org.eclipse.californium.scandium.dtls.Connection;

/** A socket of the DTLS server and its connections. */
public final class DtlsListener {
  private final DTLSConnector connector;
  private final FairConnectionStore connections;
  private final HandshakeMonitor handshakes;
  private final ClientKeys keys;
  private final OptionalInt number;
  private int restored;

  /**
   * @param keys of the clients
   * @param number that the connection IDs carry; empty without a cluster
   */
  DtlsListener(
      DTLSConnector connector,
      FairConnectionStore connections,
      HandshakeMonitor handshakes,
      ClientKeys keys,
      OptionalInt number) {
    this.connector = connector;
    this.connections = connections;
    this.handshakes = handshakes;
    this.keys = keys;
    this.number = number;
  }

  public DTLSConnector connector() {
    return connector;
  }

  ClientKeys keys() {
    return keys;
  }

  /** The number of handshakes that are not finished. */
  int halfOpen() {
    return connections.halfOpen();
  }

  public DtlsStatistics statistics() {
    return new DtlsStatistics(
        connections.established(),
        connections.halfOpen(),
        handshakes.completed(),
        handshakes.failed(),
        restored,
        connector instanceof ClusterDtlsServer server
            ? server.forwarding()
            : DtlsStatistics.NONE.forwarding());
  }

  /** Names this socket among the saved ones. */
  String label() {
    return connector.getLabel();
  }

  /**
   * Writes the established sessions in Scandium's form, and removes them.
   *
   * @return their number
   */
  int save(OutputStream out) throws IOException {
    return connector.save(out, Long.MAX_VALUE);
  }

  /**
   * Adds sessions before the socket is open.
   *
   * @param delta for Scandium's times, which count from the start of a process
   * @throws IllegalArgumentException when another version saved them
   */
  void load(InputStream in, long delta, Predicate<Connection> which) throws IOException {
    connections.load(in, delta, connection -> isOwn(connection) && which.test(connection));
    restored = connections.established();
  }

  /**
   * The other gateways would not forward the records of a session with a former number to this one.
   */
  private boolean isOwn(Connection connection) {
    return number.isEmpty()
        || (connection.getConnectionId().getBytes()[0] & 0xff) == number.getAsInt();
  }

  /** Removes the sessions that were loaded. */
  void forgetAll() {
    connections.forgetAll();
    restored = 0;
  }

  /** The private socket to which other gateways forward; empty without one. */
  Optional<InetSocketAddress> privateSocket() {
    return connector instanceof ClusterDtlsServer server
        ? Optional.of(server.getClusterInternalAddress())
        : Optional.empty();
  }
}
