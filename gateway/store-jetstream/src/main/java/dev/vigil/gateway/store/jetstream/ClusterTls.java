package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.files.Pem;
import dev.vigil.gateway.files.TrustedAuthorities;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Objects;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The TLS of connections to the servers. The client library verifies only that an authority issued
 * the server's certificate. A certificate for another name is refused here.
 */
final class ClusterTls {
  private static final char[] NO_PASSWORD = new char[0];

  private ClusterTls() {}

  /**
   * @throws IOException with a message that begins with "cannot" and names the file and the fault
   */
  static SSLContext context(ClusterSecurity security, SecureRandom random) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(security), new TrustManager[] {trust(security.ca())}, random);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use TLS: " + e.getMessage(), e);
    }
  }

  private static KeyManager @Nullable [] keys(ClusterSecurity security)
      throws IOException, GeneralSecurityException {
    Path certificate = security.certificate();
    Path key = security.key();
    if (certificate == null && key == null) {
      return null;
    }
    Pem.Identity own =
        Pem.identity(
            ClusterSecurity.SETTING, Objects.toString(certificate, ""), Objects.toString(key, ""));
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setKeyEntry("gateway", own.key(), NO_PASSWORD, own.chain().toArray(Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static TrustManager trust(@Nullable Path ca)
      throws IOException, GeneralSecurityException {
    TrustManagerFactory factory;
    if (ca == null) {
      factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init((KeyStore) null);
    } else {
      factory = TrustedAuthorities.of(ClusterSecurity.SETTING + ".ca", ca.toString());
    }
    return Arrays.stream(factory.getTrustManagers())
        .filter(X509ExtendedTrustManager.class::isInstance)
        .map(manager -> new NamesToo((X509ExtendedTrustManager) manager))
        .findFirst()
        .orElseThrow(() -> new GeneralSecurityException("the Java runtime verifies no names"));
  }

  /** Also verifies that the certificate is for the name or address in the server's URL. */
  private static final class NamesToo extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager authorities;

    NamesToo(X509ExtendedTrustManager authorities) {
      this.authorities = authorities;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      SSLSocket tls = (SSLSocket) socket;
      SSLParameters parameters = tls.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      tls.setSSLParameters(parameters);
      authorities.checkServerTrusted(chain, type, tls);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw noSocket();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw noSocket();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw noSocket();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw noSocket();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw noSocket();
    }

    private static CertificateException noSocket() {
      return new CertificateException("only servers are verified, and only on sockets");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return authorities.getAcceptedIssuers();
    }
  }
}
