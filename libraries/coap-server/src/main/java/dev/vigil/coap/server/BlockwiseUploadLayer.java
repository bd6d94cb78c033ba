package dev.vigil.coap.server;

import dev.vigil.coap.blockwise.BlockwiseUpload;
import dev.vigil.coap.blockwise.BlockwiseUploads;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.Exchange;
import org.eclipse.californium.core.network.stack.AbstractLayer;
import org.eclipse.californium.core.network.stack.KeyUri;

/**
 * Assembles block-wise uploads before Californium's layer sees them. Californium's layer would give
 * all its places to the first client that asks, and would allocate the largest body for each.
 */
final class BlockwiseUploadLayer extends AbstractLayer {
  private final CaliforniumRequestHandler handler;
  private final BlockwiseUploads uploads;

  BlockwiseUploadLayer(CaliforniumRequestHandler handler, BlockwiseUploads uploads) {
    this.handler = handler;
    this.uploads = uploads;
  }

  @Override
  public void receiveRequest(Exchange exchange, Request request) {
    BlockOption block = request.getOptions().getBlock1();
    if (block == null) {
      super.receiveRequest(exchange, request);
    } else if (request.isMulticast()) {
      // Only GETs without payload are answered.
      request.getOptions().removeBlock1();
      super.receiveRequest(exchange, request);
    } else {
      receiveBlock(exchange, request, block);
    }
  }

  private void receiveBlock(Exchange exchange, Request request, BlockOption block) {
    Integer announced = request.getOptions().getSize1();
    if (announced != null && announced > uploads.maxBody()) {
      refuseSize(exchange, request);
      return;
    }
    Caller caller = handler.caller(exchange);
    Request whole;
    try {
      BlockwiseUpload.Key key =
          BlockwiseUpload.Key.of(exchange.getEndpoint(), KeyUri.getKey(exchange), request);
      whole = uploads.add(key, request, caller);
    } catch (ErrorResponseException e) {
      if (e.code() == Code.REQUEST_ENTITY_TOO_LARGE) {
        refuseSize(exchange, request);
      } else {
        handler.send(exchange, caller, e.response());
      }
      return;
    }
    if (whole == null) {
      confirm(exchange, request, block);
    } else {
      exchange.setBlock1ToAck(block);
      exchange.setRequest(whole);
      super.receiveRequest(exchange, whole);
    }
  }

  private void confirm(Exchange exchange, Request request, BlockOption block) {
    Response response = new Response(ResponseCode.CONTINUE);
    response.setDestinationContext(request.getSourceContext());
    response.getOptions().setBlock1(block.getSzx(), true, block.getNum());
    super.sendResponse(exchange, response);
  }

  /** 4.13 with the largest size (RFC 7959 section 2.9.3). */
  private void refuseSize(Exchange exchange, Request request) {
    Response response = new Response(ResponseCode.REQUEST_ENTITY_TOO_LARGE, true);
    response.setDestinationContext(request.getSourceContext());
    response.setPayload("at most " + uploads.maxBody() + " octets");
    response.getOptions().setSize1(uploads.maxBody());
    super.sendResponse(exchange, response);
  }
}
