package dev.vigil.gateway.coap.dtls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.californium.elements.Connector;
import org.eclipse.californium.elements.RawData;

/**
 * The gateway's DTLS server on a free port of loopback, with CoAP replaced by a fixed answer to
 * each message.
 */
public final class SecureEcho implements AutoCloseable {
  private final Connector server;

  /**
   * @param answer to each message
   */
  public SecureEcho(String identity, byte[] key, byte[] answer)
      throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    server =
        new DtlsConnectors(
                Map.of(identity, key),
                generator.generateKeyPair(),
                Optional.empty(),
                List.of(),
                Clock.systemUTC())
            .at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .connector();
    server.setRawDataReceiver(
        message ->
            server.send(RawData.outbound(answer, message.getEndpointContext(), null, false)));
    server.start();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.destroy();
  }
}
