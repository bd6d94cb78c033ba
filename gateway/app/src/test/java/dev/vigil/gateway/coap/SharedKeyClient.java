package dev.vigil.gateway.coap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.eclipse.californium.core.CoapClient;
import org.eclipse.californium.core.CoapResponse;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.UdpConfig;
import org.eclipse.californium.elements.exception.ConnectorException;
import org.eclipse.californium.scandium.DTLSConnector;
import org.eclipse.californium.scandium.config.DtlsConfig;
import org.eclipse.californium.scandium.config.DtlsConnectorConfig;
import org.eclipse.californium.scandium.dtls.pskstore.AdvancedSinglePskStore;
import org.jspecify.annotations.Nullable;

/** A CoAPS client with a pre-shared key. */
public final class SharedKeyClient implements AutoCloseable {
  private static final long TIMEOUT_MILLIS = 20_000;

  private final String base;
  private final CoapEndpoint endpoint;

  public SharedKeyClient(String coaps, String identity, String key) {
    CoapConfig.register();
    UdpConfig.register();
    DtlsConfig.register();
    this.base = "coaps://127.0.0.1:" + URI.create(coaps).getPort();
    DtlsConnectorConfig.Builder builder =
        DtlsConnectorConfig.builder(
                new Configuration()
                    .set(DtlsConfig.DTLS_ROLE, DtlsConfig.DtlsRole.CLIENT_ONLY)
                    .set(DtlsConfig.DTLS_CONNECTION_ID_LENGTH, 0))
            .setAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .setAdvancedPskStore(
                new AdvancedSinglePskStore(identity, key.getBytes(StandardCharsets.US_ASCII)));
    this.endpoint =
        CoapEndpoint.builder()
            .setConfiguration(new Configuration())
            .setConnector(new DTLSConnector(builder.build()))
            .build();
  }

  /**
   * @param method GET, POST, PUT or DELETE
   * @param format of the body, which is empty if there is none
   * @return the code in dotted form, for instance 2.05
   */
  public String code(String method, String path, String body, int format) {
    Request request =
        switch (method) {
          case "POST" -> Request.newPost();
          case "PUT" -> Request.newPut();
          case "DELETE" -> Request.newDelete();
          default -> Request.newGet();
        };
    if (!body.isEmpty()) {
      request.setPayload(body.getBytes(StandardCharsets.UTF_8));
      request.getOptions().setContentFormat(format);
    }
    CoapClient client = new CoapClient(base + path);
    client.setEndpoint(endpoint);
    client.setTimeout(TIMEOUT_MILLIS);
    try {
      @Nullable CoapResponse response = client.advanced(request);
      if (response == null) {
        throw new IllegalStateException("no response to " + path);
      }
      return response.getCode().toString();
    } catch (ConnectorException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    endpoint.destroy();
  }
}
