package dev.vigil.gateway.coap.dtls;

import dev.vigil.gateway.files.Pem;
import java.security.KeyPair;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.eclipse.californium.scandium.dtls.CertificateIdentityResult;
import org.eclipse.californium.scandium.dtls.CertificateType;
import org.eclipse.californium.scandium.dtls.ConnectionId;
import org.eclipse.californium.scandium.dtls.HandshakeResultHandler;
import org.eclipse.californium.scandium.dtls.SignatureAndHashAlgorithm;
import org.eclipse.californium.scandium.dtls.cipher.CipherSuite.CertificateKeyAlgorithm;
import org.eclipse.californium.scandium.dtls.cipher.XECDHECryptography.SupportedGroup;
import org.eclipse.californium.scandium.dtls.x509.CertificateConfigurationHelper;
import org.eclipse.californium.scandium.dtls.x509.CertificateProvider;
import org.eclipse.californium.scandium.dtls.x509.ConfigurationHelperSetup;
import org.eclipse.californium.scandium.util.ServerNames;

/**
 * The identity that the gateway presents: its identity key to clients that want a raw public key,
 * its certificate, if it has one, to all others. Scandium asks for the identity without naming the
 * wanted type, but on the same thread that {@link HandshakeMonitor#handshakeStarted} was called on.
 */
final class ServerIdentities implements CertificateProvider, ConfigurationHelperSetup {
  private final KeyPair raw;
  private final Optional<Pem.Identity> certified;
  private final ThreadLocal<Boolean> rawIsWanted = ThreadLocal.withInitial(() -> true);

  ServerIdentities(KeyPair raw, Optional<Pem.Identity> certified) {
    this.raw = raw;
    this.certified = certified;
  }

  /** Chooses for the handshake that starts on this thread. */
  void chooseFor(boolean wantsRawKey) {
    rawIsWanted.set(wantsRawKey);
  }

  @Override
  public void setupConfigurationHelper(CertificateConfigurationHelper helper) {
    helper.addConfigurationDefaultsFor(raw.getPublic());
    certified.ifPresent(identity -> helper.addConfigurationDefaultsFor(identity.chain()));
  }

  @Override
  public List<CertificateKeyAlgorithm> getSupportedCertificateKeyAlgorithms() {
    return List.of(CertificateKeyAlgorithm.EC);
  }

  @Override
  public List<CertificateType> getSupportedCertificateTypes() {
    return Stream.concat(
            certified.map(any -> CertificateType.X_509).stream(),
            Stream.of(CertificateType.RAW_PUBLIC_KEY))
        .toList();
  }

  @Override
  public CertificateIdentityResult requestCertificateIdentity(
      ConnectionId connection,
      boolean client,
      List<X500Principal> issuers,
      ServerNames serverNames,
      List<CertificateKeyAlgorithm> keyAlgorithms,
      List<SignatureAndHashAlgorithm> signatures,
      List<SupportedGroup> groups) {
    return certified.isPresent() && !rawIsWanted.get()
        ? new CertificateIdentityResult(connection, certified.get().key(), certified.get().chain())
        : new CertificateIdentityResult(connection, raw.getPrivate(), raw.getPublic());
  }

  @Override
  public void setResultHandler(HandshakeResultHandler handler) {
    // Unused: every identity is returned synchronously.
  }
}
