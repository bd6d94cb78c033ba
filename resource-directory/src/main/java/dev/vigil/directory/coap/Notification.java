package dev.vigil.directory.coap;

import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.OptionSet;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.network.serialization.DataSerializer;
import org.eclipse.californium.elements.util.DatagramWriter;
import org.jspecify.annotations.Nullable;

/** One of many notifications that differ in nothing but type, token and message id. */
final class Notification extends Response {
  private static final int HEADER = 4;
  private static final int VERSION = 1;

  /** What all of them have in common; none of it may be changed. */
  static final class Common {
    private final Response first;
    private final byte[] optionsAndPayload;

    /**
     * @param first fits into one message, and is not sent itself
     */
    Common(Response first) {
      this.first = first;
      DatagramWriter out = new DatagramWriter(HEADER * Long.BYTES + first.getPayloadSize());
      DataSerializer.serializeOptionsAndPayload(out, first.getOptions(), first.getPayload());
      optionsAndPayload = out.toByteArray();
    }
  }

  private final Common common;

  Notification(Common common) {
    super(common.first.getCode());
    this.common = common;
    setPayload(common.first.getPayload());
  }

  @Override
  public OptionSet getOptions() {
    return common.first.getOptions();
  }

  /** Californium serializes what has no octets yet; this has, once its message id is known. */
  @Override
  public byte @Nullable [] getBytes() {
    if (super.getBytes() == null && hasMID() && getType() != null && getToken() != null) {
      setBytes(octets(getType(), getTokenBytes(), getMID()));
    }
    return super.getBytes();
  }

  private byte[] octets(CoAP.Type type, byte[] token, int id) {
    byte[] rest = common.optionsAndPayload;
    byte[] octets = new byte[HEADER + token.length + rest.length];
    octets[0] = (byte) (VERSION << 6 | type.value << 4 | token.length);
    octets[1] = (byte) getRawCode();
    octets[2] = (byte) (id >> 8);
    octets[3] = (byte) id;
    System.arraycopy(token, 0, octets, HEADER, token.length);
    System.arraycopy(rest, 0, octets, HEADER + token.length, rest.length);
    return octets;
  }
}
