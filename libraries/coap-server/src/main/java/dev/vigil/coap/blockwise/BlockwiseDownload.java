package dev.vigil.coap.blockwise;

import dev.vigil.coap.limits.FairPool;
import java.util.Arrays;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.OptionSet;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.eclipse.californium.core.network.Endpoint;
import org.eclipse.californium.core.network.stack.KeyUri;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a response body that a client fetches in blocks (RFC 7959 section 2.4), taken when
 * the first block is sent. Confined to the lock of its {@link BlockwiseDownloads}.
 */
public final class BlockwiseDownload {
  /** No Accept option. */
  private static final int ANY_FORMAT = -1;

  /**
   * Identifies a body: all requests for its blocks have equal keys.
   *
   * @param endpoint the socket that received the request
   * @param uri the client, the method, and the URI
   * @param accept content format
   */
  public record Key(Endpoint endpoint, KeyUri uri, int accept) {
    public static Key of(Endpoint endpoint, KeyUri uri, Request request) {
      OptionSet options = request.getOptions();
      return new Key(endpoint, uri, options.hasAccept() ? options.getAccept() : ANY_FORMAT);
    }
  }

  private final Key key;
  private final ResponseCode code;
  private final OptionSet options;
  private final byte[] body;

  private long usedAt;
  private FairPool<BlockwiseDownload>.@Nullable Place place;

  /**
   * @param whole a response with all of the body
   */
  BlockwiseDownload(Key key, Response whole) {
    this.key = key;
    this.code = whole.getCode();
    this.body = whole.getPayload();
    this.options = new OptionSet(whole.getOptions());
    options.removeObserve();
    options.removeBlock1();
    options.clearOtherOption(StandardOptionRegistry.ECHO);
  }

  public Key key() {
    return key;
  }

  int octets() {
    return body.length;
  }

  void occupy(FairPool<BlockwiseDownload>.Place newPlace) {
    place = newPlace;
  }

  void release() {
    if (place != null) {
      place.release();
    }
  }

  /** Marks the download as in use. */
  void used(long now) {
    usedAt = now;
    if (place != null) {
      place.touch();
    }
  }

  /**
   * @return the time of the last block, in nanoseconds
   */
  long usedAt() {
    return usedAt;
  }

  /** Whether a block holds octets of the body. */
  boolean has(BlockOption block) {
    return block.getOffset() < body.length;
  }

  /** The response with one block of the body. */
  Response block(BlockOption block) {
    Response response = new Response(code);
    response.setOptions(options);
    response.setPayload(body);
    cut(response, block);
    return response;
  }

  /** Cuts the body of a response down to one block. */
  public static void cut(Response response, BlockOption block) {
    byte[] body = response.getPayload();
    int end = Math.min(body.length, block.getOffset() + block.getSize());
    response.setPayload(Arrays.copyOfRange(body, block.getOffset(), end));
    response.getOptions().setBlock2(block.getSzx(), end < body.length, block.getNum());
    if (block.getNum() == 0) {
      response.getOptions().setSize2(body.length);
    }
  }
}
