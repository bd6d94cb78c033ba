package dev.vigil.coap.server;

import dev.vigil.coap.exchange.Query;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.MessageObserverAdapter;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to other servers from the sockets of a {@link CoapServer}, so that the source
 * address of a request is one at which this server can be reached. The server is attached later,
 * because its resources may need the client.
 */
public final class CoapClient {
  private final ResponseDeadline deadline;
  private volatile @Nullable CoapServer server;

  public CoapClient() {
    this(ResponseDeadline.STANDARD);
  }

  CoapClient(ResponseDeadline deadline) {
    this.deadline = deadline;
  }

  /** Sets the server from whose sockets requests are sent; null before that server closes. */
  public void attach(@Nullable CoapServer newServer) {
    server = newServer;
  }

  /**
   * Sends a request. Blocks while it resolves a host name.
   *
   * @return completes exceptionally with an {@link IOException} if there is no response within
   *     EXCHANGE_LIFETIME, and with an {@link IllegalArgumentException} if an option does not fit;
   *     cancelling it gives up the request
   */
  public CompletableFuture<ClientResponse> send(ClientRequest request) {
    CompletableFuture<ClientResponse> response = new CompletableFuture<>();
    try {
      URI uri = request.server();
      InetAddress address = InetAddress.getByName(uri.getHost());
      int port = uri.getPort() < 0 ? CoAP.DEFAULT_COAP_PORT : uri.getPort();
      InetSocketAddress destination = new InetSocketAddress(address, port);
      Request message = message(request, destination);
      message.addMessageObserver(
          new ResponseObserver(
              uri, response, echo -> repeat(request, destination, echo, response)));
      endpoint(address).sendRequest(message);
      deadline.watch(message, response);
    } catch (IOException | IllegalArgumentException e) {
      response.completeExceptionally(e);
    }
    return response;
  }

  /** Repeats a request with the Echo option that its server asked for (RFC 9175 section 2.3). */
  private void repeat(
      ClientRequest request,
      InetSocketAddress destination,
      Option echo,
      CompletableFuture<ClientResponse> response) {
    try {
      Request message = message(request, destination);
      message.getOptions().addOtherOption(echo);
      message.addMessageObserver(new ResponseObserver(request.server(), response, null));
      endpoint(destination.getAddress()).sendRequest(message);
      deadline.watch(message, response);
    } catch (IOException e) {
      response.completeExceptionally(e);
    }
  }

  private static Request message(ClientRequest request, InetSocketAddress destination) {
    Request message = new Request(CoAP.Code.valueOf(request.method().name()));
    message.setDestinationContext(new AddressEndpointContext(destination));
    message.setScheme(CoAP.COAP_URI_SCHEME);
    request.path().forEach(message.getOptions()::addUriPath);
    for (Query.Parameter parameter : request.query().parameters()) {
      String text =
          parameter.value().isEmpty()
              ? parameter.name()
              : parameter.name() + "=" + parameter.value();
      message.getOptions().addUriQuery(text);
    }
    if (request.format() != null) {
      message.getOptions().setContentFormat(request.format().number());
      message.setPayload(request.payload());
    }
    return message;
  }

  private CoapEndpoint endpoint(InetAddress destination) throws IOException {
    CoapServer attached = server;
    if (attached == null) {
      throw new IOException("cannot send the request: the CoAP server is not running");
    }
    return attached
        .endpointTowards(destination)
        .orElseThrow(
            () ->
                new IOException(
                    "no CoAP address of this server has the address family of " + destination));
  }

  private static final class ResponseObserver extends MessageObserverAdapter {
    private final URI server;
    private final CompletableFuture<ClientResponse> response;
    private final @Nullable Consumer<Option> repeat;

    /**
     * @param repeat repeats the request with an Echo option; null if it has already been repeated
     */
    ResponseObserver(
        URI server, CompletableFuture<ClientResponse> response, @Nullable Consumer<Option> repeat) {
      this.server = server;
      this.response = response;
      this.repeat = repeat;
    }

    @Override
    public void onResponse(Response message) {
      Option echo = message.getOptions().getOtherOption(StandardOptionRegistry.ECHO);
      if (echo != null && repeat != null && message.getCode() == CoAP.ResponseCode.UNAUTHORIZED) {
        repeat.accept(echo);
        return;
      }
      response.complete(
          new ClientResponse(
              message.getCode().text,
              List.copyOf(message.getOptions().getLocationPath()),
              message.getPayload()));
    }

    @Override
    public void onCancel() {
      failed();
    }

    /**
     * The request timed out, was reset, given up or could not be sent, or its response was too
     * large.
     */
    @Override
    protected void failed() {
      response.completeExceptionally(new IOException("no response from " + server));
    }
  }
}
