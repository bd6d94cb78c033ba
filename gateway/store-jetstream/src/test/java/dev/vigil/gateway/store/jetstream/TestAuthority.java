package dev.vigil.gateway.store.jetstream;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/** An authority that issues certificates into files of a test. */
final class TestAuthority {
  private static final Duration LIFETIME = Duration.ofDays(2);
  private final Path folder;
  private final String name;
  private final KeyPair keys = newKeys();

  TestAuthority(Path folder, String name) throws IOException {
    this.folder = folder;
    this.name = name;
    write(name, builder(name, keys).addExtension(Extension.basicConstraints, true, ca()));
  }

  private static BasicConstraints ca() {
    return new BasicConstraints(0);
  }

  Path certificate() {
    return certificate(name);
  }

  Path certificate(String subject) {
    return folder.resolve(subject + ".pem");
  }

  Path key(String subject) {
    return folder.resolve(subject + ".key");
  }

  /** Issues a certificate for a host name, and writes it and its key. */
  void issue(String subject, String host) throws IOException {
    KeyPair own = newKeys();
    GeneralNames names = new GeneralNames(new GeneralName(GeneralName.dNSName, host));
    write(
        subject,
        builder(subject, own).addExtension(Extension.subjectAlternativeName, false, names));
    Files.writeString(
        Files.createFile(
            key(subject),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
        pem(new PemObject("PRIVATE KEY", own.getPrivate().getEncoded())));
  }

  private X509v3CertificateBuilder builder(String subject, KeyPair subjectKeys) {
    Instant now = Instant.now();
    return new JcaX509v3CertificateBuilder(
        new X500Principal("CN=" + name),
        BigInteger.valueOf(now.toEpochMilli()),
        Date.from(now.minus(LIFETIME)),
        Date.from(now.plus(LIFETIME)),
        new X500Principal("CN=" + subject),
        subjectKeys.getPublic());
  }

  private void write(String subject, X509v3CertificateBuilder builder) throws IOException {
    try {
      Files.writeString(
          certificate(subject),
          pem(
              builder.build(
                  new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))));
    } catch (OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(Object object) throws IOException {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    }
    return text.toString();
  }

  private static KeyPair newKeys() {
    try {
      return KeyPairGenerator.getInstance("EC").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
