package dev.vigil.coap.server;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.LinkFetcher;
import dev.vigil.coap.exchange.Request;
import java.util.concurrent.CompletableFuture;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.MessageObserverAdapter;
import org.eclipse.californium.core.coap.OptionSet;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.jspecify.annotations.Nullable;

/**
 * Fetches links over CoAP from the socket that received the sender's request, because a NAT or
 * firewall in between lets such requests through. The server is attached later, because its
 * resources need the fetcher.
 */
public final class CoapLinkFetcher implements LinkFetcher {
  /** RFC 7252 section 5.10.5. */
  private static final long DEFAULT_MAX_AGE = 60;

  private final ResponseDeadline deadline;
  private volatile @Nullable CoapServer server;

  public CoapLinkFetcher() {
    this(ResponseDeadline.STANDARD);
  }

  CoapLinkFetcher(ResponseDeadline deadline) {
    this.deadline = deadline;
  }

  /** Sets the server from whose sockets requests are sent; null before that server closes. */
  public void attach(@Nullable CoapServer newServer) {
    server = newServer;
  }

  @Override
  public CompletableFuture<Fetched> wellKnownCore(Request request) {
    CoapServer attached = server;
    CoapEndpoint endpoint =
        attached == null
            ? null
            : attached.endpointFor(request.caller(), request.base()).orElse(null);
    if (endpoint == null) {
      return CompletableFuture.failedFuture(
          new ErrorResponseException(
              Code.SERVICE_UNAVAILABLE, "this server has no CoAP socket to fetch your links from"));
    }
    var get = org.eclipse.californium.core.coap.Request.newGet();
    get.setDestinationContext(new AddressEndpointContext(request.caller().source()));
    get.setScheme(endpoint.getUri().getScheme());
    get.getOptions()
        .addUriPath(".well-known")
        .addUriPath("core")
        .setAccept(ContentFormat.LINK_FORMAT.number());
    CompletableFuture<Fetched> fetched = new CompletableFuture<>();
    get.addMessageObserver(new LinksObserver(fetched));
    endpoint.sendRequest(get);
    deadline.watch(get, fetched);
    return fetched;
  }

  private static final class LinksObserver extends MessageObserverAdapter {
    private final CompletableFuture<Fetched> fetched;

    LinksObserver(CompletableFuture<Fetched> fetched) {
      this.fetched = fetched;
    }

    @Override
    public void onResponse(Response response) {
      OptionSet options = response.getOptions();
      boolean isLinks =
          !options.hasContentFormat()
              || options.getContentFormat() == ContentFormat.LINK_FORMAT.number();
      if (response.getCode() != CoAP.ResponseCode.CONTENT || !isLinks) {
        fetched.completeExceptionally(
            new ErrorResponseException(
                Code.BAD_GATEWAY, "your /.well-known/core answered " + response.getCode()));
        return;
      }
      long maxAge = options.hasMaxAge() ? options.getMaxAge() : DEFAULT_MAX_AGE;
      fetched.complete(new Fetched(response.getPayload(), maxAge));
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
      fetched.completeExceptionally(
          new ErrorResponseException(
              Code.GATEWAY_TIMEOUT, "your /.well-known/core did not answer"));
    }
  }
}
