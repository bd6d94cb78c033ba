package dev.vigil.gateway.http;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.coyote.Adapter;
import org.apache.coyote.http11.Http11NioProtocol;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1 as Tomcat speaks it, for HTTP and HTTPS. Tomcat instantiates it by its class name. */
public final class GatewayProtocol extends Http11NioProtocol {
  /** Displaced connections are open until Tomcat has seen their end. */
  private static final int CLOSING = 128;

  private final GatewayEndpoint endpoint;
  private @Nullable ReservedRequests reserved;
  private @Nullable ConnectionTable connections;

  public GatewayProtocol() {
    this(new GatewayEndpoint());
  }

  private GatewayProtocol(GatewayEndpoint endpoint) {
    super(endpoint);
    this.endpoint = endpoint;
  }

  /**
   * Shares the connections between clients. Called before the start.
   *
   * @param nanoTime monotonic nanoseconds
   * @param credentials of operators
   */
  void protect(LongSupplier nanoTime, Supplier<CredentialVerifier> credentials) {
    ConnectionTable table = new ConnectionTable(nanoTime);
    connections = table;
    reserved = new ReservedRequests(credentials);
    endpoint.setConnectionTable(table);
    setMaxConnections(ConnectionTable.PLACES + ConnectionTable.RESERVE + CLOSING);
  }

  @Override
  public void setAdapter(Adapter adapter) {
    Adapter served =
        connections == null || reserved == null
            ? adapter
            : new ConnectionAdapter(adapter, connections, reserved);
    super.setAdapter(new SecurityHeadersAdapter(served));
  }
}
