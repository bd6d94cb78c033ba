package dev.vigil.coap.server;

import dev.vigil.coap.blockwise.BlockwiseDownload;
import dev.vigil.coap.blockwise.BlockwiseDownloads;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.message.EchoVerifier;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.stack.AbstractLayer;
import org.eclipse.californium.core.network.stack.KeyUri;
import org.jspecify.annotations.Nullable;

/**
 * Sends long responses in blocks, above Californium's own block-wise layer. Californium's layer
 * would keep each body twice, for five minutes and for any client; it passes on a response that is
 * already a block.
 *
 * <p>An unverified source gets blocks of at most three times the octets of its request.
 */
final class BlockwiseDownloadLayer extends AbstractLayer {
  /** Size exponent of the default and largest block: Californium's preferred size of 512 octets. */
  private static final int LARGEST_SZX = 5;

  /**
   * Californium's largest payload that is sent in one message if the client does not ask for
   * blocks.
   */
  private static final int LARGEST_WHOLE = 1024;

  private final CaliforniumRequestHandler handler;
  private final BlockwiseDownloads downloads;

  BlockwiseDownloadLayer(CaliforniumRequestHandler handler, BlockwiseDownloads downloads) {
    this.handler = handler;
    this.downloads = downloads;
  }

  @Override
  public void receiveRequest(Exchange exchange, Request request) {
    BlockOption wanted = request.getOptions().getBlock2();
    if (wanted == null || wanted.getNum() == 0 || request.isMulticast()) {
      super.receiveRequest(exchange, request);
      return;
    }
    BlockOption next = limited(wanted, request, handler.caller(exchange));
    Response block = downloads.next(key(exchange, request), next);
    if (block == null) {
      super.receiveRequest(exchange, request);
    } else {
      block.setDestinationContext(request.getSourceContext());
      super.sendResponse(exchange, block);
    }
  }

  @Override
  public void sendResponse(Exchange exchange, Response response) {
    Request request = exchange.getRequest();
    BlockOption wanted = request.getOptions().getBlock2();
    int octets = response.getPayloadSize();
    if (!response.getOptions().hasBlock2() && (wanted != null || mayBeLong(request, response))) {
      Caller caller = handler.caller(exchange);
      BlockOption block = limited(wanted, request, caller);
      boolean isLong =
          octets > block.getSize()
              && (wanted != null || octets > LARGEST_WHOLE || !caller.verified());
      if (isLong) {
        downloads.begin(key(exchange, request), response, caller);
      }
      // Californium's layer answers a block beyond the end.
      if (isLong && block.getOffset() < octets) {
        BlockwiseDownload.cut(response, block);
      }
    }
    super.sendResponse(exchange, response);
  }

  /** Whether a response may have to be cut although its client asks for no blocks. */
  private static boolean mayBeLong(Request request, Response response) {
    int octets = response.getPayloadSize();
    return octets > LARGEST_WHOLE
        || !request.isMulticast()
            // Observers are verified.
            && !response.getOptions().hasObserve()
            && isContent(request, response.getCode().value)
            && EchoVerifier.isTooLarge(request.getMessageSize(), octets);
  }

  private static boolean isContent(Request request, int code) {
    return request.getCode() == CoAP.Code.GET && code == Code.CONTENT.octet();
  }

  /** The number of octets of a response's payload that the next message may carry. */
  static int payloadAtMost(
      Request request, Caller caller, dev.vigil.coap.exchange.Response response) {
    BlockOption wanted = request.getOptions().getBlock2();
    int octets = response.payload().length;
    boolean inBlocks =
        wanted != null
            || isContent(request, response.code().octet())
                && EchoVerifier.needsBlocks(caller, request.getMessageSize(), octets);
    return inBlocks ? Math.min(octets, limited(wanted, request, caller).getSize()) : octets;
  }

  private static BlockwiseDownload.Key key(Exchange exchange, Request request) {
    return BlockwiseDownload.Key.of(exchange.getEndpoint(), KeyUri.getKey(exchange), request);
  }

  /**
   * The same position in the body, expressed in blocks of a size that may be sent to the caller.
   */
  private static BlockOption limited(@Nullable BlockOption wanted, Request request, Caller caller) {
    int offset = wanted == null ? 0 : wanted.getOffset();
    int szx = wanted == null ? LARGEST_SZX : Math.min(wanted.getSzx(), LARGEST_SZX);
    if (!caller.verified()) {
      szx = EchoVerifier.largestBlock(request.getMessageSize(), szx);
    }
    return new BlockOption(szx, false, offset / BlockOption.szx2Size(szx));
  }
}
