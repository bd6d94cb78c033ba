package dev.vigil.gateway.files;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;

/** A trust manager that trusts only the authorities in a PEM file. */
public final class TrustedAuthorities {
  private TrustedAuthorities() {}

  /**
   * @param setting the property that names the file
   * @throws IOException with a message that begins with "cannot" and states the fault of the file
   */
  public static TrustManagerFactory of(String setting, String file)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    List<X509Certificate> certificates = Pem.certificates(setting, file);
    for (int i = 0; i < certificates.size(); i++) {
      store.setCertificateEntry("ca" + i, certificates.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }
}
