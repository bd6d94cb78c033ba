package dev.vigil.gateway.http;

import dev.vigil.gateway.credentials.CredentialVerifier;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.coyote.Adapter;
import org.apache.coyote.http11.Http11NioProtocol;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1 as Tomcat speaks it, for HTTP and HTTPS. Tomcat instantiates it by its class name. */
public final class GatewayProtocol extends Http11NioProtocol {
  /** Displaced connections are open until Tomcat has seen their end. */
  private static final int CLOSING = 128;

  /** Buffers that each connection holds, even an idle one; Tomcat's own sizes add up to 56 KB. */
  private static final int SOCKET_BUFFER_OCTETS = 4096;

  private static final int TRAILER_OCTETS = 512;

  /** Processors, with their buffers, that are kept for the next connections. */
  private static final int KEPT_PROCESSORS = 64;

  private final GatewayEndpoint endpoint;
  private @Nullable UnaryOperator<Adapter> protection;

  public GatewayProtocol() {
    this(new GatewayEndpoint());
  }

  private GatewayProtocol(GatewayEndpoint endpoint) {
    super(endpoint);
    this.endpoint = endpoint;
    endpoint.getSocketProperties().setAppReadBufSize(SOCKET_BUFFER_OCTETS);
    endpoint.getSocketProperties().setAppWriteBufSize(SOCKET_BUFFER_OCTETS);
    setMaxTrailerSize(TRAILER_OCTETS);
    setProcessorCache(KEPT_PROCESSORS);
  }

  /**
   * Shares the connections between clients. Called before the start.
   *
   * @param nanoTime monotonic nanoseconds
   * @param credentials of operators
   */
  void protect(LongSupplier nanoTime, Supplier<CredentialVerifier> credentials) {
    int places = ConnectionTable.maxPlaces(Runtime.getRuntime().maxMemory());
    ConnectionTable table = new ConnectionTable(nanoTime, places);
    protection = adapter -> new ConnectionAdapter(adapter, table, credentials);
    endpoint.setConnectionTable(table);
    setMaxConnections(places + ConnectionTable.RESERVE + CLOSING);
  }

  @Override
  public void setAdapter(Adapter adapter) {
    super.setAdapter(Objects.requireNonNull(protection, "not protected").apply(adapter));
  }
}
