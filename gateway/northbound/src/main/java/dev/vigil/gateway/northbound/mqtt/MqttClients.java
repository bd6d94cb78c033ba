package dev.vigil.gateway.northbound.mqtt;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientSslConfig;
import com.hivemq.client.mqtt.MqttClientTransportConfig;
import com.hivemq.client.mqtt.MqttClientTransportConfigBuilder;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5SimpleAuth;
import dev.vigil.gateway.files.Pem;
import dev.vigil.gateway.files.SecretFile;
import dev.vigil.gateway.files.TrustedAuthorities;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;

/** Creates the clients of one broker. Each connection reads the files with secrets again. */
final class MqttClients {
  private static final long TIMEOUT_SECONDS = 10;
  private static final char[] NO_PASSWORD = {};

  private final String property;
  private final String clientId;
  private final MqttProperties settings;

  /**
   * @param property the prefix of the settings, for messages
   * @throws IOException with a message that begins with "cannot" and names the unusable file
   */
  MqttClients(String property, String clientId, MqttProperties settings) throws IOException {
    this.property = property;
    this.clientId = clientId;
    this.settings = settings;
    create();
  }

  /** A client that is not connected yet. */
  Mqtt5AsyncClient create() throws IOException {
    MqttClientTransportConfigBuilder transport =
        MqttClientTransportConfig.builder()
            .serverHost(settings.host())
            .serverPort(settings.port())
            .socketConnectTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .mqttConnectTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    if (settings.isSecure()) {
      transport = transport.sslConfig(ssl());
    }
    Mqtt5ClientBuilder builder =
        MqttClient.builder()
            .useMqttVersion5()
            .identifier(clientId)
            .transportConfig(transport.build());
    if (!settings.username().isEmpty()) {
      builder = builder.simpleAuth(auth());
    }
    return builder.buildAsync();
  }

  private Mqtt5SimpleAuth auth() throws IOException {
    return settings.passwordFile().isEmpty()
        ? Mqtt5SimpleAuth.builder().username(settings.username()).build()
        : Mqtt5SimpleAuth.builder()
            .username(settings.username())
            .password(
                SecretFile.read(property + ".password-file", "password", settings.passwordFile())
                    .getBytes(StandardCharsets.UTF_8))
            .build();
  }

  private MqttClientSslConfig ssl() throws IOException {
    try {
      var ssl = MqttClientSslConfig.builder().handshakeTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      if (!settings.ca().isEmpty()) {
        ssl =
            ssl.trustManagerFactory(
                TrustedAuthorities.of("vigil." + property + ".ca", settings.ca()));
      }
      if (!settings.certificate().isEmpty() || !settings.key().isEmpty()) {
        ssl = ssl.keyManagerFactory(own());
      }
      return ssl.build();
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use the certificates of vigil." + property, e);
    }
  }

  private KeyManagerFactory own() throws IOException, GeneralSecurityException {
    Pem.Identity identity =
        Pem.identity("vigil." + property, settings.certificate(), settings.key());
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setKeyEntry(
        "own", identity.key(), NO_PASSWORD, identity.chain().toArray(X509Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory;
  }
}
