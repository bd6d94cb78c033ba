package dev.vigil.gateway.tls;

import dev.vigil.gateway.files.Pem;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes P-256 keys and the certificates of an authority and of a server (RFC 5280). */
final class CertificateIssuer {
  static final Duration AUTHORITY_LIFETIME = Duration.ofDays(3650);

  /** Browsers accept at most 398 days. */
  static final Duration SERVER_LIFETIME = Duration.ofDays(90);

  /** Clocks of clients may be behind. */
  private static final Duration CLOCK_SKEW = Duration.ofDays(1);

  private static final int SERIAL_BITS = 127;

  private final Clock clock;
  private final SecureRandom random;

  CertificateIssuer(Clock clock, SecureRandom random) {
    this.clock = clock;
    this.random = random;
  }

  /** A self-signed authority, which may issue only server certificates. */
  Pem.Identity authority() throws IOException {
    try {
      KeyPair keys = keys();
      byte[] distinct = new byte[4];
      random.nextBytes(distinct);
      X500Principal name =
          new X500Principal("CN=Vigil gateway authority " + HexFormat.of().formatHex(distinct));
      X509v3CertificateBuilder builder = builder(name, name, keys, AUTHORITY_LIFETIME);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
      return new Pem.Identity(List.of(sign(builder, keys.getPrivate())), keys.getPrivate());
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IOException("cannot make the key of a certificate authority", e);
    }
  }

  /**
   * @param names DNS names and literal addresses
   */
  Pem.Identity server(Pem.Identity authority, Set<String> names) throws IOException {
    try {
      KeyPair keys = keys();
      X509Certificate issuer = authority.certificate();
      X509v3CertificateBuilder builder =
          builder(
              issuer.getSubjectX500Principal(),
              new X500Principal("CN=Vigil gateway"),
              keys,
              SERVER_LIFETIME);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(issuer.getPublicKey()));
      builder.addExtension(Extension.subjectAlternativeName, false, alternatives(names));
      return new Pem.Identity(List.of(sign(builder, authority.key()), issuer), keys.getPrivate());
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IOException("cannot issue a certificate", e);
    }
  }

  private static GeneralNames alternatives(Set<String> names) {
    List<GeneralName> alternatives = new ArrayList<>();
    for (String name : names) {
      int kind = OwnNames.isAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName;
      alternatives.add(new GeneralName(kind, name));
    }
    return new GeneralNames(alternatives.toArray(GeneralName[]::new));
  }

  private KeyPair keys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), random);
    return generator.generateKeyPair();
  }

  private X509v3CertificateBuilder builder(
      X500Principal issuer, X500Principal subject, KeyPair keys, Duration lifetime)
      throws GeneralSecurityException, IOException {
    Instant now = clock.instant();
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            issuer,
            new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE),
            Date.from(now.minus(CLOCK_SKEW)),
            Date.from(now.plus(lifetime)),
            subject,
            keys.getPublic());
    builder.addExtension(
        Extension.subjectKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
    return builder;
  }

  private X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException, OperatorCreationException {
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(
                new JcaContentSignerBuilder("SHA256withECDSA").setSecureRandom(random).build(key)));
  }
}
