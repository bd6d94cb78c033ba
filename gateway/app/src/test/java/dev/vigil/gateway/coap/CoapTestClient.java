package dev.vigil.gateway.coap;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.californium.core.CoapClient;
import org.eclipse.californium.core.CoapHandler;
import org.eclipse.californium.core.CoapObserveRelation;
import org.eclipse.californium.core.CoapResponse;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.UdpConfig;
import org.eclipse.californium.elements.exception.ConnectorException;
import org.jspecify.annotations.Nullable;

/** A short form of Californium's CoAP client. */
public final class CoapTestClient implements AutoCloseable {
  private static final long TIMEOUT_MILLIS = 20_000;

  private final String base;
  private final CoapEndpoint endpoint;

  /**
   * @param code in dotted form, for instance 2.05
   * @param text the payload
   */
  public record Answer(String code, String text) {}

  public CoapTestClient(String base) {
    this(base, new InetSocketAddress(0));
  }

  /**
   * @param local the address to send from
   */
  public CoapTestClient(String base, InetSocketAddress local) {
    this.base = base;
    CoapConfig.register();
    UdpConfig.register();
    this.endpoint =
        CoapEndpoint.builder()
            .setConfiguration(new Configuration())
            .setInetSocketAddress(local)
            .build();
  }

  private CoapClient client(String path) {
    CoapClient client = new CoapClient(base + path);
    client.setEndpoint(endpoint);
    client.setTimeout(TIMEOUT_MILLIS);
    return client;
  }

  public Answer get(String path, int accept) {
    Request request = Request.newGet();
    request.getOptions().setAccept(accept);
    return advanced(path, request);
  }

  public Answer get(String path) {
    return advanced(path, Request.newGet());
  }

  public Answer post(String path, String payload, int format) {
    return with(Request.newPost(), path, payload, format);
  }

  public Answer put(String path, String payload, int format) {
    return with(Request.newPut(), path, payload, format);
  }

  private Answer with(Request request, String path, String payload, int format) {
    request.setPayload(payload.getBytes(StandardCharsets.UTF_8));
    request.getOptions().setContentFormat(format);
    return advanced(path, request);
  }

  private Answer advanced(String path, Request request) {
    try {
      @Nullable CoapResponse response = client(path).advanced(request);
      if (response == null) {
        throw new IllegalStateException("no answer from " + base + path);
      }
      return new Answer(response.getCode().toString(), response.getResponseText());
    } catch (ConnectorException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Observes a resource; the queue gets the first response and each notification. */
  public BlockingQueue<String> observe(String path) {
    BlockingQueue<String> notifications = new LinkedBlockingQueue<>();
    CoapObserveRelation relation =
        client(path)
            .observe(
                new CoapHandler() {
                  @Override
                  public void onLoad(CoapResponse response) {
                    notifications.add(response.getResponseText());
                  }

                  @Override
                  public void onError() {
                    notifications.add("error");
                  }
                });
    if (relation == null) {
      throw new IllegalStateException("not observable: " + path);
    }
    return notifications;
  }

  @Override
  public void close() {
    endpoint.destroy();
  }
}
