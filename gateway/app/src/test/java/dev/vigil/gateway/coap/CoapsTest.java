package dev.vigil.gateway.coap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.testing.NatRelay;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.MirrorProxy;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.function.Consumer;
import org.eclipse.californium.core.CoapClient;
import org.eclipse.californium.core.CoapResponse;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.elements.DtlsEndpointContext;
import org.eclipse.californium.elements.auth.RawPublicKeyIdentity;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.UdpConfig;
import org.eclipse.californium.scandium.DTLSConnector;
import org.eclipse.californium.scandium.config.DtlsConfig;
import org.eclipse.californium.scandium.config.DtlsConnectorConfig;
import org.eclipse.californium.scandium.dtls.pskstore.AdvancedSinglePskStore;
import org.eclipse.californium.scandium.dtls.x509.SingleCertificateProvider;
import org.eclipse.californium.scandium.dtls.x509.StaticNewAdvancedCertificateVerifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * CoAPS of the whole gateway with Californium's client, for features that Debian's clients lack.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CoapsTest {
  private static final int MULTIPART = 62;
  private static final String LINKS = "</temp>;rt=\"temperature\"";

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private URI coaps;

  @BeforeAll
  void start() {
    gateway =
        new InProcessGateway(
            folder,
            "--vigil.trust=first-use",
            "--vigil.anonymous-read=true",
            "--vigil.coap.dtls.psk.node-7=hex:30313233343536373839616263646566");
    coaps = URI.create(gateway.address("coaps"));
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  /** A DTLS client; its sessions last until it is closed. */
  private static final class Client implements AutoCloseable {
    private final CoapEndpoint endpoint;
    private final String base;

    Client(int port, Consumer<DtlsConnectorConfig.Builder> credentials) {
      CoapConfig.register();
      UdpConfig.register();
      DtlsConfig.register();
      DtlsConnectorConfig.Builder builder =
          DtlsConnectorConfig.builder(
                  new Configuration()
                      .set(DtlsConfig.DTLS_ROLE, DtlsConfig.DtlsRole.CLIENT_ONLY)
                      .set(DtlsConfig.DTLS_CONNECTION_ID_LENGTH, 0))
              .setAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      credentials.accept(builder);
      endpoint =
          CoapEndpoint.builder()
              .setConfiguration(new Configuration())
              .setConnector(new DTLSConnector(builder.build()))
              .build();
      base = "coaps://127.0.0.1:" + port;
    }

    CoapResponse send(Request request, String path) throws Exception {
      CoapClient client = new CoapClient(base + path);
      client.setEndpoint(endpoint);
      client.setTimeout(20_000L);
      @Nullable CoapResponse response = client.advanced(request);
      if (response == null) {
        throw new IllegalStateException("no response to " + path);
      }
      return response;
    }

    CoapResponse get(String path) throws Exception {
      return send(Request.newGet(), path);
    }

    @Override
    public void close() {
      endpoint.destroy();
    }
  }

  private Client byRawKey(KeyPair own, RawPublicKeyIdentity... trusted) {
    StaticNewAdvancedCertificateVerifier.Builder verifier =
        StaticNewAdvancedCertificateVerifier.builder();
    if (trusted.length == 0) {
      verifier.setTrustAllRPKs();
    } else {
      verifier.setTrustedRPKs(trusted);
    }
    return new Client(
        coaps.getPort(),
        builder ->
            builder
                .setCertificateIdentityProvider(
                    new SingleCertificateProvider(own.getPrivate(), own.getPublic()))
                .setAdvancedCertificateVerifier(verifier.build()));
  }

  private static Consumer<DtlsConnectorConfig.Builder> shared(String identity, String key) {
    byte[] octets = key.getBytes(StandardCharsets.US_ASCII);
    return builder -> builder.setAdvancedPskStore(new AdvancedSinglePskStore(identity, octets));
  }

  private static Request plainRegistration(String jwk) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(new byte[] {(byte) 0x84, 0x18, 40});
    text(body, LINKS);
    body.writeBytes(ByteBuffer.allocate(3).put((byte) 0x19).putShort((short) 65101).array());
    text(body, jwk);
    Request request = Request.newPost();
    request.setPayload(body.toByteArray());
    request.getOptions().setContentFormat(MULTIPART);
    return request;
  }

  private static void text(ByteArrayOutputStream body, String text) {
    byte[] octets = text.getBytes(StandardCharsets.US_ASCII);
    body.writeBytes(new byte[] {0x58, (byte) octets.length});
    body.writeBytes(octets);
  }

  @Test
  void aPlainRegistrationByTheHandshakeKeyIsPublishedAtOnce() throws Exception {
    SleepyEndpoint sleeper = new SleepyEndpoint("by-its-key");
    SleepyEndpoint attacker = new SleepyEndpoint("attacker");
    try (Client client = byRawKey(sleeper.keys());
        Client other = byRawKey(attacker.keys())) {
      assertThat(other.send(plainRegistration(sleeper.jwk()), "/ms?ep=by-its-key").getCode())
          .hasToString("2.01");
      // The handshake used another key than the registered one: the endpoint is not published.
      assertThat(client.get("/rd-lookup/ep?ep=by-its-key").getResponseText()).isEmpty();

      assertThat(client.send(plainRegistration(sleeper.jwk()), "/ms?ep=by-its-key").getCode())
          .hasToString("2.01");
      assertThat(client.get("/rd-lookup/ep?ep=by-its-key").getResponseText())
          .contains("ep=by-its-key");
      assertThat(client.get("/keys/" + sleeper.jkt()).getResponseText()).contains("P-256");
      // The name now has a proven key.
      assertThat(other.send(plainRegistration(sleeper.jwk()), "/ms?ep=by-its-key").getCode())
          .hasToString("4.01");
    }
  }

  @Test
  void aClientCanPinTheGatewaysIdentityKey() throws Exception {
    SleepyEndpoint sleeper = new SleepyEndpoint("pins");
    var identity =
        new RawPublicKeyIdentity(gateway.bean(MirrorProxy.class).identityKeys().getPublic());
    var another = new RawPublicKeyIdentity(new SleepyEndpoint("another").keys().getPublic());
    try (Client right = byRawKey(sleeper.keys(), identity);
        Client wrong = byRawKey(sleeper.keys(), another)) {
      assertThat(right.get("/keys/mirror").getResponseText()).contains("P-256");
      assertThatThrownBy(() -> wrong.get("/keys/mirror"))
          .hasStackTraceContaining("HandshakeException");
    }
  }

  @Test
  void aConnectionIdKeepsTheSessionWhenTheAddressChanges() throws Exception {
    try (NatRelay relay = new NatRelay(new InetSocketAddress("127.0.0.1", coaps.getPort()));
        Client client = new Client(relay.port(), shared("node-7", "0123456789abcdef"))) {
      CoapResponse before = client.get("/keys/mirror");
      relay.moveClient();
      CoapResponse after = client.get("/keys/mirror");
      assertThat(after.getResponseText()).isEqualTo(before.getResponseText()).contains("P-256");
      // The same session, without another handshake.
      assertThat(handshake(after)).isEqualTo(handshake(before)).isNotNull();
      assertThat(after.advanced().getSourceContext().get(DtlsEndpointContext.KEY_CIPHER))
          .contains("ECDHE_PSK");
    }
  }

  private static @Nullable Long handshake(CoapResponse response) {
    return response.advanced().getSourceContext().get(DtlsEndpointContext.KEY_HANDSHAKE_TIMESTAMP);
  }
}
