package dev.vigil.coap.server;

import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.CoAPMessageFormatException;
import org.eclipse.californium.core.coap.Message;
import org.eclipse.californium.core.coap.MessageFormatException;
import org.eclipse.californium.core.network.serialization.MessageHeader;
import org.eclipse.californium.core.network.serialization.UdpDataParser;
import org.eclipse.californium.elements.util.DatagramReader;

/**
 * Californium's parser with two gaps closed. Requests of type ACK or RST are ignored (RFC 7252
 * section 4.2); Californium would serve them. A request that cannot be parsed is answered 4.00;
 * Californium would write a stack trace to the log.
 */
final class StrictDataParser extends UdpDataParser {
  @Override
  protected Message parseMessage(DatagramReader reader, MessageHeader header, Message message) {
    Type type = header.getType();
    if (CoAP.isRequest(header.getCode()) && type != Type.CON && type != Type.NON) {
      throw new MessageFormatException("a request of type " + type);
    }
    try {
      return super.parseMessage(reader, header, message);
    } catch (MessageFormatException e) {
      throw e;
    } catch (RuntimeException e) {
      // For instance the IllegalStateException for a Block1 smaller than the payload.
      throw new CoAPMessageFormatException(
          String.valueOf(e.getMessage()),
          header.getToken(),
          header.getMID(),
          header.getCode(),
          type == Type.CON,
          ResponseCode.BAD_REQUEST);
    }
  }
}
