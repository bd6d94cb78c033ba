package dev.vigil.gateway.http;

import dev.vigil.gateway.files.Pem;
import dev.vigil.gateway.tls.HttpProperties;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

/** The HTTPS connector of the web server, with the certificate of the settings. */
final class HttpsConnector {
  private static final String SETTING = "vigil.http.tls";
  private static final String PROTOCOLS = "TLSv1.2+TLSv1.3";

  /** Suites of TLS 1.2; all suites of TLS 1.3 have these properties. */
  private static final String FORWARD_SECRET_AND_AUTHENTICATED = "ECDHE+AESGCM:ECDHE+CHACHA20";

  // The same values as for HTTP in application.yaml.
  private static final int HEADER_OCTETS = 16 * 1024;
  private static final int TIMEOUT_MILLIS = 20_000;
  private static final String COMPRESSED =
      "text/html,text/css,text/javascript,image/svg+xml,application/json";

  private HttpsConnector() {}

  /**
   * @throws IOException begins with "cannot"
   */
  static Connector connector(GatewayProtocol protocol, HttpProperties http, Pem.Identity identity)
      throws IOException {
    protocol.setAddress(http.listeningAddress());
    protocol.setSSLEnabled(true);
    protocol.setExecutor(new VirtualThreadExecutor("https-"));
    protocol.setMaxHttpRequestHeaderSize(HEADER_OCTETS);
    protocol.setConnectionTimeout(TIMEOUT_MILLIS);
    protocol.setCompression("on");
    protocol.setCompressibleMimeType(COMPRESSED);
    Connector connector = new Connector(protocol);
    connector.setPort(http.securePort());
    connector.setScheme("https");
    connector.setSecure(true);
    connector.addSslHostConfig(host(identity));
    return connector;
  }

  /** Presents another certificate to new connections; established connections continue. */
  static void replaceCertificate(Connector connector, Pem.Identity identity) throws IOException {
    if (connector.getProtocolHandler() instanceof GatewayProtocol protocol) {
      protocol.addSslHostConfig(host(identity), true);
    }
  }

  private static SSLHostConfig host(Pem.Identity identity) throws IOException {
    SSLHostConfig host = new SSLHostConfig();
    host.setProtocols(PROTOCOLS);
    host.setCiphers(FORWARD_SECRET_AND_AUTHENTICATED);
    SSLHostConfigCertificate certificate =
        new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setKeyEntry(
          "vigil", identity.key(), new char[0], identity.chain().toArray(X509Certificate[]::new));
      certificate.setCertificateKeystore(keys);
      certificate.setCertificateKeystorePassword("");
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use the certificate of " + SETTING + ": " + e.getMessage(), e);
    }
    host.addCertificate(certificate);
    return host;
  }
}
