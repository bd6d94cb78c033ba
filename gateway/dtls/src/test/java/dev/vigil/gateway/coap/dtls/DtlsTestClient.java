package dev.vigil.gateway.coap.dtls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.scandium.DTLSConnector;
import org.eclipse.californium.scandium.config.DtlsConfig;
import org.eclipse.californium.scandium.config.DtlsConnectorConfig;
import org.eclipse.californium.scandium.dtls.pskstore.AdvancedSinglePskStore;
import org.jspecify.annotations.Nullable;

/**
 * A client with a pre-shared key and support of Connection IDs. It sends texts to a server that
 * repeats them.
 */
final class DtlsTestClient implements AutoCloseable {
  private static final int TRIES = 10;
  private static final long SECONDS = 2;

  private final InetSocketAddress server;
  private final DTLSConnector connector;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  DtlsTestClient(int port, String identity, byte[] key) throws IOException {
    this(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        identity,
        key);
  }

  DtlsTestClient(InetSocketAddress own, InetSocketAddress server, String identity, byte[] key)
      throws IOException {
    this.server = server;
    DtlsConfig.register();
    connector =
        new DTLSConnector(
            DtlsConnectorConfig.builder(
                    new Configuration()
                        .set(DtlsConfig.DTLS_ROLE, DtlsConfig.DtlsRole.CLIENT_ONLY)
                        .set(DtlsConfig.DTLS_CONNECTION_ID_LENGTH, 0))
                .setAddress(own)
                .setAdvancedPskStore(new AdvancedSinglePskStore(identity, key))
                .build());
    connector.setRawDataReceiver(
        answer -> answers.add(new String(answer.getBytes(), StandardCharsets.US_ASCII)));
    connector.start();
  }

  /**
   * The answer to a text, which is sent again if none comes, as CoAP does. Shakes hands first if
   * the client has no session. Null: the server does not answer.
   */
  @Nullable String ask(String text) throws InterruptedException {
    for (int i = 0; i < TRIES; i++) {
      send(text);
      String answer = answers.poll(SECONDS, TimeUnit.SECONDS);
      while (answer != null && !answer.equals(text)) {
        answer = answers.poll(); // A late answer to an earlier text.
      }
      if (answer != null) {
        return answer;
      }
    }
    return null;
  }

  /** Whether the answer to a text comes, possibly after late answers to earlier texts. */
  boolean answerTo(String text, long seconds) throws InterruptedException {
    String answer = answers.poll(seconds, TimeUnit.SECONDS);
    while (answer != null && !answer.equals(text)) {
      answer = answers.poll(seconds, TimeUnit.SECONDS);
    }
    return answer != null;
  }

  void send(String text) {
    connector.send(
        RawData.outbound(
            text.getBytes(StandardCharsets.US_ASCII),
            new AddressEndpointContext(server),
            null,
            false));
  }

  /** Shakes hands before the next text, as a client does that got no answer. */
  void forgetSession() {
    connector.clearConnectionState();
  }

  @Override
  public void close() {
    connector.destroy();
  }
}
