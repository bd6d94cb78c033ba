package dev.vigil.gateway.northbound.kafka;

import dev.vigil.gateway.files.SecretFile;
import dev.vigil.gateway.files.TrustedAuthorities;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Creates producers for one cluster. Each producer reads the files again, so that new secrets need
 * no restart.
 */
final class KafkaClient {
  private final String property;
  private final KafkaProperties settings;
  private final int timeoutMillis;

  /**
   * @param property the prefix of the settings, for messages
   * @param timeout the longest wait for a broker; afterwards the delivery loop tries again
   */
  KafkaClient(String property, KafkaProperties settings, Duration timeout) {
    this.property = property;
    this.settings = settings;
    this.timeoutMillis = Math.toIntExact(timeout.toMillis());
  }

  /**
   * @throws IOException with a message that begins with "cannot" and names the unusable file
   */
  void requireFiles() throws IOException {
    configuration();
  }

  /**
   * Creates a producer that connects at its first request.
   *
   * @throws IOException when a file cannot be used; the message names the file
   * @throws org.apache.kafka.common.KafkaException when the servers cannot be resolved
   */
  Producer<String, String> producer() throws IOException {
    return new KafkaProducer<>(configuration(), new StringSerializer(), new StringSerializer());
  }

  private Map<String, Object> configuration() throws IOException {
    Map<String, Object> all = new HashMap<>();
    all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.servers());
    all.put(ProducerConfig.CLIENT_ID_CONFIG, "vigil-" + property);
    // A record counts as delivered when every in-sync replica has it; repetitions keep the order.
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeoutMillis);
    all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMillis / 2);
    all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeoutMillis);
    // Sends the brokers no statistics about this installation (KIP-714).
    all.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    boolean sasl = !settings.username().isEmpty();
    all.put("security.protocol", (sasl ? "SASL_" : "") + (settings.tls() ? "SSL" : "PLAINTEXT"));
    if (!settings.ca().isEmpty()) {
      requireAuthorities();
      all.put(SslConfigs.SSL_TRUSTSTORE_TYPE_CONFIG, "PEM");
      all.put(SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG, settings.ca());
    }
    if (sasl) {
      String password =
          SecretFile.read(property + ".password-file", "password", settings.passwordFile());
      all.put(SaslConfigs.SASL_MECHANISM, settings.mechanism().name().replace('_', '-'));
      all.put(SaslConfigs.SASL_JAAS_CONFIG, login(password));
    }
    return all;
  }

  private void requireAuthorities() throws IOException {
    try {
      TrustedAuthorities.of("vigil." + property + ".ca", settings.ca());
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use the certificates of vigil." + property, e);
    }
  }

  private String login(String password) {
    String module =
        switch (settings.mechanism()) {
          case SCRAM_SHA_512, SCRAM_SHA_256 -> "scram.ScramLoginModule";
          case PLAIN -> "plain.PlainLoginModule";
        };
    return "org.apache.kafka.common.security.%s required username=%s password=%s;"
        .formatted(module, quoted(settings.username()), quoted(password));
  }

  /** A string of the JAAS configuration language. */
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
