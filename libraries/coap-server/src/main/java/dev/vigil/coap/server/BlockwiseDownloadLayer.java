package dev.vigil.coap.server;

import dev.vigil.coap.blockwise.BlockwiseDownload;
import dev.vigil.coap.blockwise.BlockwiseDownloads;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.OptionSet;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.stack.AbstractLayer;
import org.eclipse.californium.core.network.stack.KeyUri;

/**
 * Sends long responses in blocks, above Californium's own block-wise layer. Californium's layer
 * would keep each body twice, for five minutes and for any client; it passes on a response that is
 * already a block.
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
    Response block = downloads.next(key(exchange, request), limited(wanted));
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
    if (isLong(response, wanted)) {
      downloads.begin(key(exchange, request), response, handler.caller(exchange));
      if (wanted == null || wanted.getNum() == 0) {
        BlockwiseDownload.cut(response, first(wanted));
      }
      // Californium's layer cuts any other block.
    }
    super.sendResponse(exchange, response);
  }

  private static boolean isLong(Response response, BlockOption wanted) {
    OptionSet options = response.getOptions();
    int octets = response.getPayloadSize();
    return !options.hasBlock2()
        && octets > (wanted == null ? LARGEST_WHOLE : limited(wanted).getSize());
  }

  /**
   * The number of octets of a body that the next message may carry.
   *
   * @param request the options of its request
   */
  static int payloadAtMost(OptionSet request, int bodyOctets) {
    BlockOption wanted = request.getBlock2();
    return wanted == null ? bodyOctets : Math.min(bodyOctets, limited(wanted).getSize());
  }

  private static BlockwiseDownload.Key key(Exchange exchange, Request request) {
    return BlockwiseDownload.Key.of(exchange.getEndpoint(), KeyUri.getKey(exchange), request);
  }

  private static BlockOption first(BlockOption wanted) {
    return wanted == null ? new BlockOption(LARGEST_SZX, false, 0) : limited(wanted);
  }

  /** The same position in the body, expressed in blocks of a size that this server sends. */
  private static BlockOption limited(BlockOption wanted) {
    int szx = Math.min(wanted.getSzx(), LARGEST_SZX);
    return new BlockOption(szx, wanted.isM(), wanted.getOffset() / BlockOption.szx2Size(szx));
  }
}
