package dev.vigil.gateway.coap;

import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.elements.Connector;
import org.eclipse.californium.elements.config.CertificateAuthenticationMode;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.scandium.DTLSConnector;
import org.eclipse.californium.scandium.config.DtlsConfig;
import org.eclipse.californium.scandium.config.DtlsConnectorConfig;
import org.eclipse.californium.scandium.dtls.cipher.CipherSuite;
import org.eclipse.californium.scandium.dtls.pskstore.AdvancedMultiPskStore;
import org.eclipse.californium.scandium.dtls.x509.SingleCertificateProvider;
import org.eclipse.californium.scandium.dtls.x509.StaticNewAdvancedCertificateVerifier;

/**
 * DTLS 1.2 as a server: pre-shared keys for whom there is one, raw public keys (RFC 7250) for
 * everyone. A raw key that nobody knows is taken, because it only says who somebody is; what that
 * one may do is decided later.
 */
final class DtlsConnectors {
  /**
   * What RFC 7252 section 9.1.3.2 asks of every raw public key client comes last: its tag is short.
   */
  private static final List<CipherSuite> BY_RAW_KEY =
      List.of(
          CipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
          CipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_CCM,
          CipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8);

  /** With forward secrecy first; the last is RFC 7252's (section 9.1.3.1). */
  private static final List<CipherSuite> BY_SHARED_KEY =
      List.of(
          CipherSuite.TLS_ECDHE_PSK_WITH_AES_128_GCM_SHA256,
          CipherSuite.TLS_ECDHE_PSK_WITH_AES_128_CCM_SHA256,
          CipherSuite.TLS_ECDHE_PSK_WITH_AES_128_CCM_8_SHA256,
          CipherSuite.TLS_PSK_WITH_AES_128_GCM_SHA256,
          CipherSuite.TLS_PSK_WITH_AES_128_CCM,
          CipherSuite.TLS_PSK_WITH_AES_128_CCM_8);

  /**
   * Octets of a Connection ID (RFC 9146) of ours: 20 000 of them do not collide nor get guessed.
   */
  private static final int CONNECTION_ID_OCTETS = 6;

  /** At one address; bounds what strangers make us keep. */
  private static final int MAX_CONNECTIONS = 20_000;

  /**
   * When all places are taken, whoever has been silent for so long makes room. Everyone can fill
   * them, so it is short; who has lost a place shakes hands again.
   */
  private static final long STALE_SECONDS = 60;

  private final Map<String, byte[]> sharedKeys;
  private final KeyPair own;

  /**
   * @param sharedKeys by identity
   * @param own of P-256; what a client that pins the gateway knows it by
   */
  DtlsConnectors(Map<String, byte[]> sharedKeys, KeyPair own) {
    this.sharedKeys = sharedKeys;
    this.own = own;
  }

  /** Not started yet. */
  Connector at(InetSocketAddress address) {
    DtlsConnectorConfig.Builder builder =
        DtlsConnectorConfig.builder(configuration())
            .setAddress(address)
            .setCertificateIdentityProvider(
                new SingleCertificateProvider(own.getPrivate(), own.getPublic()))
            .setAdvancedCertificateVerifier(
                StaticNewAdvancedCertificateVerifier.builder().setTrustAllRPKs().build());
    if (!sharedKeys.isEmpty()) {
      AdvancedMultiPskStore store = new AdvancedMultiPskStore();
      sharedKeys.forEach(store::setKey);
      builder.setAdvancedPskStore(store);
    }
    return new DTLSConnector(builder.build());
  }

  private Configuration configuration() {
    DtlsConfig.register();
    List<CipherSuite> suites = new ArrayList<>();
    if (!sharedKeys.isEmpty()) {
      // A client that offers both has been given a key for this gateway.
      suites.addAll(BY_SHARED_KEY);
    }
    suites.addAll(BY_RAW_KEY);
    return new Configuration()
        .set(DtlsConfig.DTLS_ROLE, DtlsConfig.DtlsRole.SERVER_ONLY)
        // Scandium recommends neither suites with short tags nor PSK without Diffie-Hellman.
        .set(DtlsConfig.DTLS_RECOMMENDED_CIPHER_SUITES_ONLY, false)
        .set(DtlsConfig.DTLS_CIPHER_SUITES, suites)
        .set(DtlsConfig.DTLS_CLIENT_AUTHENTICATION_MODE, CertificateAuthenticationMode.WANTED)
        .set(DtlsConfig.DTLS_CONNECTION_ID_LENGTH, CONNECTION_ID_OCTETS)
        .set(DtlsConfig.DTLS_UPDATE_ADDRESS_USING_CID_ON_NEWER_RECORDS, true)
        .set(DtlsConfig.DTLS_USE_ANTI_REPLAY_FILTER, true)
        // Nothing is kept of, and little said to, an address that has not answered.
        .set(DtlsConfig.DTLS_USE_HELLO_VERIFY_REQUEST, true)
        .set(DtlsConfig.DTLS_MAX_CONNECTIONS, MAX_CONNECTIONS)
        .set(DtlsConfig.DTLS_STALE_CONNECTION_THRESHOLD, STALE_SECONDS, TimeUnit.SECONDS)
        .set(DtlsConfig.DTLS_RETRANSMISSION_TIMEOUT, 2, TimeUnit.SECONDS)
        .set(DtlsConfig.DTLS_MAX_RETRANSMISSIONS, 4)
        .set(DtlsConfig.DTLS_RECEIVER_THREAD_COUNT, 1)
        .set(DtlsConfig.DTLS_CONNECTOR_THREAD_COUNT, 2);
  }
}
