package dev.vigil.gateway.coap.dtls;

import dev.vigil.border.bridge.Bridge;
import dev.vigil.coap.limits.Source;
import dev.vigil.gateway.files.CertificateValidity;
import dev.vigil.gateway.files.Pem;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.elements.config.CertificateAuthenticationMode;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.scandium.DtlsClusterHealthLogger;
import org.eclipse.californium.scandium.config.DtlsConfig;
import org.eclipse.californium.scandium.config.DtlsConnectorConfig;
import org.eclipse.californium.scandium.dtls.MultiNodeConnectionIdGenerator;
import org.eclipse.californium.scandium.dtls.cipher.CipherSuite;
import org.eclipse.californium.scandium.dtls.pskstore.AdvancedMultiPskStore;
import org.eclipse.californium.scandium.dtls.x509.NewAdvancedCertificateVerifier;
import org.eclipse.californium.scandium.dtls.x509.StaticNewAdvancedCertificateVerifier;
import org.jspecify.annotations.Nullable;

/**
 * Connectors of the DTLS 1.2 server: pre-shared keys, raw public keys (RFC 7250), and certificates
 * if the settings name some. Unknown raw keys are accepted, because a raw key only identifies a
 * client; its rights are decided for each request. A client's certificate must be issued by an
 * authority of the settings.
 */
public final class DtlsConnectors {
  private static final String SETTING = "vigil.coap.dtls";

  /**
   * The suite that RFC 7252 section 9.1.3.2 requires of clients comes last, because its tag is
   * short.
   */
  private static final List<CipherSuite> BY_RAW_KEY =
      List.of(
          CipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
          CipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_CCM,
          CipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8);

  /** Suites with forward secrecy come first; the last is required by RFC 7252 section 9.1.3.1. */
  private static final List<CipherSuite> BY_SHARED_KEY =
      List.of(
          CipherSuite.TLS_ECDHE_PSK_WITH_AES_128_GCM_SHA256,
          CipherSuite.TLS_ECDHE_PSK_WITH_AES_128_CCM_SHA256,
          CipherSuite.TLS_ECDHE_PSK_WITH_AES_128_CCM_8_SHA256,
          CipherSuite.TLS_PSK_WITH_AES_128_GCM_SHA256,
          CipherSuite.TLS_PSK_WITH_AES_128_CCM,
          CipherSuite.TLS_PSK_WITH_AES_128_CCM_8);

  /**
   * Octets of the server's Connection IDs (RFC 9146): 20 000 of them are unlikely to collide or to
   * be guessed, even if the first octet is the number of the gateway in its cluster.
   */
  private static final int CONNECTION_ID_OCTETS = 6;

  /** The minimum MTU of IPv6 (RFC 8200 section 5), which is also the most that a mote can hold. */
  private static final int MESH_MTU = 1280;

  private final Map<String, byte[]> sharedKeys;
  private final KeyPair own;
  private final Optional<Pem.Identity> certificate;
  private final List<X509Certificate> authorities;
  private final Clock clock;

  /**
   * @param sharedKeys pre-shared keys by identity
   * @param own the gateway's identity key (P-256), which clients may pin
   * @param certificate for clients that want one; its key is an EC key
   * @param authorities issuers of the clients' certificates
   */
  DtlsConnectors(
      Map<String, byte[]> sharedKeys,
      KeyPair own,
      Optional<Pem.Identity> certificate,
      List<X509Certificate> authorities,
      Clock clock) {
    this.sharedKeys = sharedKeys;
    this.own = own;
    this.certificate = certificate;
    this.authorities = authorities;
    this.clock = clock;
  }

  /**
   * Reads the keys and certificates that the settings name.
   *
   * @throws IOException begins with "cannot" and names the file and its fault
   */
  public static DtlsConnectors of(DtlsProperties settings, KeyPair own, Clock clock)
      throws IOException {
    Optional<Pem.Identity> certificate =
        settings.hasCertificate()
            ? Optional.of(Pem.identity(SETTING, settings.certificate(), settings.key()))
            : Optional.empty();
    if (certificate.isPresent()
        && !(certificate.get().certificate().getPublicKey() instanceof ECPublicKey)) {
      throw new IOException(
          "cannot use %s, which %s.certificate names: CoAPS takes the certificate of an EC key (openssl ecparam -name prime256v1 -genkey)"
              .formatted(settings.certificate(), SETTING));
    }
    certificate.ifPresent(one -> CertificateValidity.log("CoAPS", one.certificate(), clock));
    List<X509Certificate> authorities =
        settings.clientCa().isEmpty()
            ? List.of()
            : Pem.certificates(SETTING + ".client-ca", settings.clientCa());
    return new DtlsConnectors(PreSharedKeys.of(settings), own, certificate, authorities, clock);
  }

  /** The time at which the certificate expires; empty without one. */
  public Optional<Instant> certificateExpires() {
    return certificate.map(one -> one.certificate().getNotAfter().toInstant());
  }

  /** A socket at an address of this machine; not open yet. */
  public DtlsListener at(InetSocketAddress address) {
    return on(DtlsServer.Carrier.KERNEL, address, null);
  }

  /** A socket of a gateway in a cluster; not open yet. */
  public DtlsListener at(InetSocketAddress address, ClusterSocket cluster) {
    return on(DtlsServer.Carrier.KERNEL, address, cluster);
  }

  /** A socket over the radio; not open yet. Other gateways have radios of their own. */
  public DtlsListener over(Bridge bridge) {
    InetAddress mesh = InetAddress.ofLiteral(bridge.udp().address().toString());
    return on(
        new DtlsServer.Carrier(
            bridge::secureSocket,
            MESH_MTU,
            (standing, address) -> ofMesh(bridge, standing, address)),
        new InetSocketAddress(mesh, Bridge.COAPS_PORT),
        null);
  }

  private static Source ofMesh(Bridge bridge, Source.Standing standing, InetAddress address) {
    OptionalLong neighbour =
        address instanceof Inet6Address six ? bridge.neighbourOf(six) : OptionalLong.empty();
    return Source.ofTrusted(standing, address, neighbour);
  }

  private DtlsListener on(
      DtlsServer.Carrier carrier, InetSocketAddress address, @Nullable ClusterSocket cluster) {
    ClientHelloRewriter hellos = new ClientHelloRewriter();
    ServerIdentities identities = new ServerIdentities(own, certificate);
    HandshakeMonitor handshakes = new HandshakeMonitor(hellos, identities, clock);
    DtlsConnectorConfig.Builder builder =
        DtlsConnectorConfig.builder(configuration())
            .setAddress(address)
            .setCertificateIdentityProvider(identities)
            .setAdvancedCertificateVerifier(verifier())
            .setSessionListener(handshakes);
    if (!sharedKeys.isEmpty()) {
      AdvancedMultiPskStore store = new AdvancedMultiPskStore();
      sharedKeys.forEach(store::setKey);
      builder.setAdvancedPskStore(store);
    }
    if (cluster != null) {
      builder.setConnectionIdGenerator(
          new MultiNodeConnectionIdGenerator(cluster.number(), CONNECTION_ID_OCTETS));
      // The connector needs a health handler for records that name an unknown gateway.
      builder.setHealthHandler(new DtlsClusterHealthLogger());
    }
    FairConnectionStore connections = new FairConnectionStore(carrier.sources(), clock);
    return new DtlsListener(
        cluster == null || cluster.channel() == null
            ? new DtlsServer(builder.build(), connections, hellos, carrier)
            : new ClusterDtlsServer(builder.build(), connections, hellos, cluster.channel()),
        connections,
        handshakes,
        ClientKeys.of(sharedKeys, authorities),
        cluster == null ? OptionalInt.empty() : OptionalInt.of(cluster.number()));
  }

  private NewAdvancedCertificateVerifier verifier() {
    StaticNewAdvancedCertificateVerifier.Builder builder =
        StaticNewAdvancedCertificateVerifier.builder().setTrustAllRPKs();
    if (!authorities.isEmpty()) {
      builder
          .setTrustedCertificates(authorities.toArray(X509Certificate[]::new))
          // Send an empty CA list: clients with certificates of other CAs would otherwise connect
          // anonymously instead of being refused.
          .setUseEmptyAcceptedIssuers(true);
    }
    return builder.build();
  }

  private Configuration configuration() {
    DtlsConfig.register();
    List<CipherSuite> suites = new ArrayList<>();
    if (!sharedKeys.isEmpty()) {
      // PSK comes first: a client that offers both was given a pre-shared key for this gateway.
      suites.addAll(BY_SHARED_KEY);
    }
    suites.addAll(BY_RAW_KEY);
    return new Configuration()
        .set(DtlsConfig.DTLS_ROLE, DtlsConfig.DtlsRole.SERVER_ONLY)
        // False, because it excludes suites with short tags and PSK without Diffie-Hellman.
        .set(DtlsConfig.DTLS_RECOMMENDED_CIPHER_SUITES_ONLY, false)
        .set(DtlsConfig.DTLS_CIPHER_SUITES, suites)
        .set(DtlsConfig.DTLS_CLIENT_AUTHENTICATION_MODE, CertificateAuthenticationMode.WANTED)
        .set(DtlsConfig.DTLS_CONNECTION_ID_LENGTH, CONNECTION_ID_OCTETS)
        .set(DtlsConfig.DTLS_UPDATE_ADDRESS_USING_CID_ON_NEWER_RECORDS, true)
        .set(DtlsConfig.DTLS_USE_ANTI_REPLAY_FILTER, true)
        // No state for, and no amplification towards, an address that has not answered a cookie.
        .set(DtlsConfig.DTLS_USE_HELLO_VERIFY_REQUEST, true)
        .set(DtlsConfig.DTLS_MAX_CONNECTIONS, FairConnectionStore.MAX_ESTABLISHED)
        .set(DtlsConfig.DTLS_RETRANSMISSION_TIMEOUT, 2, TimeUnit.SECONDS)
        // A client that does not continue is forgotten after half a minute: 2 + 4 + 8 + 16 s.
        .set(DtlsConfig.DTLS_MAX_RETRANSMISSIONS, 3)
        .set(DtlsConfig.DTLS_RECEIVER_THREAD_COUNT, 1)
        .set(DtlsConfig.DTLS_CONNECTOR_THREAD_COUNT, 2);
  }
}
