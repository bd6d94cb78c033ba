package dev.vigil.gateway.coap.dtls;

import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.californium.scandium.dtls.HandshakeMessage;
import org.eclipse.californium.scandium.dtls.Record;

/**
 * Rewrites ClientHellos before Scandium parses them, because Scandium does not handle two forms:
 *
 * <ul>
 *   <li>libcoap 4.3.1 puts an IPv6 literal into the server name. Scandium treats the message as
 *       malformed and ends the handshake. The extension gets an unknown type, which every server
 *       ignores.
 *   <li>Scandium always sends the certificate type that the client lists first. Clients with only a
 *       raw public key, and no authorities, often list certificates first. Raw public key is moved
 *       to the front.
 * </ul>
 *
 * <p>The Finished messages cover the ClientHello as the client sent it, so the original octets are
 * restored once it is parsed.
 */
final class ClientHelloRewriter {
  /** Beyond this number the eldest is dropped, and its client starts a new handshake. */
  private static final int MAX_PENDING = 1_000;

  private final Map<InetSocketAddress, Pending> pending =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Pending> eldest) {
              return size() > MAX_PENDING;
            }
          });

  private record Pending(Record record, ClientHello hello, byte[] asSent) {}

  /** Called before Scandium parses the records of a datagram. */
  void rewrite(InetSocketAddress peer, List<Record> records) {
    Record record = records.getFirst();
    if (records.size() != 1 || !record.isNewClientHello()) {
      return;
    }
    byte[] octets = record.getFragmentBytes();
    ClientHello.read(octets)
        .ifPresent(
            hello -> {
              byte[] asSent = octets.clone();
              hello.adapt(octets);
              pending.put(peer, new Pending(record, hello, asSent));
            });
  }

  /** Called when a peer's handshake starts: its ClientHello is parsed and not yet hashed. */
  Optional<ClientHello> restore(InetSocketAddress peer) {
    Pending rewritten = pending.remove(peer);
    if (rewritten == null) {
      return Optional.empty();
    }
    if (rewritten.record().isDecoded()
        && rewritten.record().getFragment() instanceof HandshakeMessage message) {
      // Not a copy: toByteArray returns the array that the message was parsed from.
      byte[] parsed = message.toByteArray();
      System.arraycopy(rewritten.asSent(), 0, parsed, 0, parsed.length);
    }
    return Optional.of(rewritten.hello());
  }
}
