package dev.vigil.coap.server;

import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.CoAPMessageFormatException;
import org.eclipse.californium.core.coap.Message;
import org.eclipse.californium.core.coap.MessageFormatException;
import org.eclipse.californium.core.network.serialization.MessageHeader;
import org.eclipse.californium.core.network.serialization.UdpDataParser;
import org.eclipse.californium.elements.util.DatagramReader;

/**
 * Californium's parser, except that a request that it fails to parse is answered 4.00, not logged
 * with a stack trace.
 */
final class StrictDataParser extends UdpDataParser {
  @Override
  protected Message parseMessage(DatagramReader reader, MessageHeader header, Message message) {
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
          header.getType() == Type.CON,
          ResponseCode.BAD_REQUEST);
    }
  }
}
