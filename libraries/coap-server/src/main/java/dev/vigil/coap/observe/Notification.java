package dev.vigil.coap.observe;

import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.OptionSet;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.serialization.DataSerializer;
import org.eclipse.californium.elements.util.DatagramWriter;
import org.jspecify.annotations.Nullable;

/** A notification that differs between observers only in type, token and message ID. */
final class Notification extends Response {
  private static final int HEADER_OCTETS = 4;
  private static final int VERSION = 1;

  /** The options and payload that notifications share, serialised once. Immutable. */
  static final class SharedContent {
    private final Response response;
    private final byte[] optionsAndPayload;

    /**
     * @param response a prototype that is not sent itself; its payload fits into one message
     */
    SharedContent(Response response) {
      this.response = response;
      DatagramWriter out =
          new DatagramWriter(HEADER_OCTETS * Long.BYTES + response.getPayloadSize());
      DataSerializer.serializeOptionsAndPayload(out, response.getOptions(), response.getPayload());
      optionsAndPayload = out.toByteArray();
    }
  }

  private final SharedContent content;

  Notification(SharedContent content) {
    super(content.response.getCode());
    this.content = content;
    setPayload(content.response.getPayload());
  }

  @Override
  public OptionSet getOptions() {
    return content.response.getOptions();
  }

  /** Californium serialises messages without octets; this one has them once its ID is assigned. */
  @Override
  public byte @Nullable [] getBytes() {
    if (super.getBytes() == null && hasMID() && getType() != null && getToken() != null) {
      setBytes(octets(getType(), getTokenBytes(), getMID()));
    }
    return super.getBytes();
  }

  private byte[] octets(CoAP.Type type, byte[] token, int id) {
    byte[] shared = content.optionsAndPayload;
    byte[] octets = new byte[HEADER_OCTETS + token.length + shared.length];
    octets[0] = (byte) (VERSION << 6 | type.value << 4 | token.length);
    octets[1] = (byte) getRawCode();
    octets[2] = (byte) (id >> 8);
    octets[3] = (byte) id;
    System.arraycopy(token, 0, octets, HEADER_OCTETS, token.length);
    System.arraycopy(shared, 0, octets, HEADER_OCTETS + token.length, shared.length);
    return octets;
  }
}
