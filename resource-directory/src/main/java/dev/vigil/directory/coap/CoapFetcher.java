package dev.vigil.directory.coap;

import dev.vigil.directory.Fetcher;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Request;
import java.util.concurrent.CompletableFuture;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.MessageObserverAdapter;
import org.eclipse.californium.core.coap.OptionSet;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.jspecify.annotations.Nullable;

/**
 * Asks senders for their links by the front that heard them: from the very port, so that a router
 * between lets it through. The front serves what the directory answers and the directory asks by
 * the front; so the front is told later.
 */
public final class CoapFetcher implements Fetcher {
  private static final long STANDARD_MAX_AGE = 60;

  private volatile @Nullable CoapFront front;

  /** From now on, asks by this front; null once it closes. */
  public void through(@Nullable CoapFront newFront) {
    front = newFront;
  }

  @Override
  public CompletableFuture<Fetched> wellKnownCore(Request request) {
    CoapFront asking = front;
    CoapEndpoint endpoint =
        asking == null ? null : asking.endpointFor(request.caller(), request.base()).orElse(null);
    if (endpoint == null) {
      return CompletableFuture.failedFuture(
          new ExchangeException(Code.SERVICE_UNAVAILABLE, "nothing to ask the sender by"));
    }
    var get = org.eclipse.californium.core.coap.Request.newGet();
    get.setDestinationContext(new AddressEndpointContext(request.caller().source()));
    get.setScheme(endpoint.getUri().getScheme());
    get.getOptions()
        .addUriPath(".well-known")
        .addUriPath("core")
        .setAccept(ContentFormat.LINK_FORMAT.number());
    CompletableFuture<Fetched> fetched = new CompletableFuture<>();
    get.addMessageObserver(new Waiting(fetched));
    endpoint.sendRequest(get);
    return fetched;
  }

  private static final class Waiting extends MessageObserverAdapter {
    private final CompletableFuture<Fetched> fetched;

    Waiting(CompletableFuture<Fetched> fetched) {
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
            new ExchangeException(
                Code.BAD_GATEWAY, "your /.well-known/core answered " + response.getCode()));
        return;
      }
      long maxAge = options.hasMaxAge() ? options.getMaxAge() : STANDARD_MAX_AGE;
      fetched.complete(new Fetched(response.getPayload(), maxAge));
    }

    /** Timed out, reset, too large, or could not be sent. */
    @Override
    protected void failed() {
      fetched.completeExceptionally(
          new ExchangeException(Code.GATEWAY_TIMEOUT, "your /.well-known/core did not answer"));
    }
  }
}
