package dev.vigil.coap.blockwise;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.limits.FairPool;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.OptionSet;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.eclipse.californium.core.network.Endpoint;
import org.eclipse.californium.core.network.stack.KeyUri;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body arrives in blocks, one after another (RFC 7959 section 2.5). Its buffer
 * grows as blocks arrive; the size that the client announces is not allocated in advance. Confined
 * to the lock of its {@link BlockwiseUploads}.
 */
public final class BlockwiseUpload {
  /** The size exponent that RFC 7959 section 2.2 reserves. */
  private static final int RESERVED_SZX = 7;

  /**
   * Identifies a body: all of its blocks have equal keys.
   *
   * @param endpoint the socket that received the block
   * @param uri the client, the method, and the URI
   * @param tags the Request-Tag options (RFC 9175 section 3)
   */
  public record Key(Endpoint endpoint, KeyUri uri, int contentFormat, List<Option> tags) {
    public static Key of(Endpoint endpoint, KeyUri uri, Request block) {
      OptionSet options = block.getOptions();
      return new Key(
          endpoint,
          uri,
          options.getContentFormat(),
          options.getOthers(StandardOptionRegistry.REQUEST_TAG));
    }
  }

  private final Key key;
  private final OptionSet firstOptions;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private int messageOctets;

  private long usedAt;
  private FairPool<BlockwiseUpload>.@Nullable Place place;

  BlockwiseUpload(Key key, Request first) {
    this.key = key;
    this.firstOptions = new OptionSet(first.getOptions());
  }

  public Key key() {
    return key;
  }

  /** Marks the upload as in use. */
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

  void occupy(FairPool<BlockwiseUpload>.Place newPlace) {
    place = newPlace;
  }

  void release() {
    if (place != null) {
      place.release();
    }
  }

  /**
   * Adds the next block.
   *
   * @throws ErrorResponseException 4.00 for a block of a wrong size, 4.08 for one that is not the
   *     next, 4.13 beyond {@code maxBody}
   */
  void add(Request message, int maxBody) {
    BlockOption block = message.getOptions().getBlock1();
    byte[] payload = message.getPayload();
    if (block.getSzx() == RESERVED_SZX
        || payload.length > block.getSize()
        || block.isM() && payload.length < block.getSize()) {
      throw new ErrorResponseException(
          Code.BAD_REQUEST, "the payload does not have the size that Block1 states");
    }
    if (block.getOffset() != body.size()) {
      throw incomplete("expected the block that starts at octet " + body.size());
    }
    if (body.size() + payload.length > maxBody) {
      throw new ErrorResponseException(
          Code.REQUEST_ENTITY_TOO_LARGE, "at most " + maxBody + " octets");
    }
    body.writeBytes(payload);
    messageOctets += message.getMessageSize();
  }

  /** 4.08 (RFC 7959 section 2.9.2): the client has to start again. */
  static ErrorResponseException incomplete(String diagnostic) {
    return new ErrorResponseException(Code.REQUEST_ENTITY_INCOMPLETE, diagnostic);
  }

  /**
   * The request with the whole body and the options of the first block. Token, message ID, Block2
   * size and Echo option come from the last block, because the response answers that block.
   */
  Request assemble(Request last) {
    Request whole = new Request(last.getCode());
    whole.setType(last.getType());
    whole.setMID(last.getMID());
    whole.setToken(last.getToken());
    whole.setScheme(last.getScheme());
    whole.setSourceContext(last.getSourceContext());
    whole.setLocalAddress(last.getLocalAddress());
    whole.setNanoTimestamp(last.getNanoTimestamp());
    whole.setOptions(firstOptions);
    OptionSet options = whole.getOptions();
    options.removeBlock1();
    options.removeSize1();
    options.setBlock2(last.getOptions().getBlock2());
    Option echo = last.getOptions().getOtherOption(StandardOptionRegistry.ECHO);
    if (echo != null) {
      options.clearOtherOption(StandardOptionRegistry.ECHO);
      options.addOtherOption(echo);
    }
    if (!whole.isIntendedPayload()) {
      whole.setUnintendedPayload();
    }
    whole.setPayload(body.toByteArray());
    whole.addMessageSize(messageOctets);
    return whole;
  }
}
