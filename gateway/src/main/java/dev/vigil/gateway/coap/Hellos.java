package dev.vigil.gateway.coap;

import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.californium.scandium.dtls.HandshakeMessage;
import org.eclipse.californium.scandium.dtls.Record;

/**
 * The ClientHellos of handshakes that have not begun yet, by the address they came from, with two
 * things changed that Scandium takes amiss:
 *
 * <p>libcoap 4.3.1 puts an IPv6 literal into the server name, which Scandium takes for malformed
 * and ends the handshake. The extension that holds one is parsed as if it were an unknown one,
 * which every server passes over. And Scandium always shows what the client named first, where a
 * client that has only a raw key, and no authority to ask, named certificates first out of habit.
 *
 * <p>The Finished messages cover the ClientHello as the client sent it: so its own octets are put
 * back once it is parsed.
 */
final class Hellos {
  /** Who falls out shakes hands again. */
  private static final int REMEMBERED = 1_000;

  private final Map<InetSocketAddress, Noted> noted =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Noted> eldest) {
              return size() > REMEMBERED;
            }
          });

  private record Noted(Record record, Hello hello, byte[] asSent) {}

  /** Before Scandium parses it. */
  void note(InetSocketAddress peer, Record record) {
    byte[] octets = record.getFragmentBytes();
    Hello.read(octets)
        .ifPresent(
            hello -> {
              byte[] asSent = octets.clone();
              hello.adapt(octets);
              noted.put(peer, new Noted(record, hello, asSent));
            });
  }

  /** When a peer's handshake begins: its ClientHello is parsed, and not yet hashed. */
  Optional<Hello> begin(InetSocketAddress peer) {
    Noted one = noted.remove(peer);
    if (one == null) {
      return Optional.empty();
    }
    if (one.record().isDecoded()
        && one.record().getFragment() instanceof HandshakeMessage message) {
      // The message keeps the octets it was made of, and gives out those very octets.
      byte[] parsed = message.toByteArray();
      System.arraycopy(one.asSent(), 0, parsed, 0, parsed.length);
    }
    return Optional.of(one.hello());
  }
}
