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
 * Sends long responses in blocks, above Californium's layer, which would keep each body twice, for
 * five minutes, and for whoever asks. Californium's layer passes on a response that is a block.
 */
final class BlockwiseDownloadLayer extends AbstractLayer {
  /** Without a wish of the client, and at most: Californium's preferred size of 512 octets. */
  private static final int LARGEST_SZX = 5;

  /** Californium's size of the largest message that is not cut, when the client does not ask. */
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
   * The octets that the next message may carry of a body.
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

  /** The same octets in blocks of a size that is sent. */
  private static BlockOption limited(BlockOption wanted) {
    int szx = Math.min(wanted.getSzx(), LARGEST_SZX);
    return new BlockOption(szx, wanted.isM(), wanted.getOffset() / BlockOption.szx2Size(szx));
  }
}
