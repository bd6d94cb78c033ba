package dev.vigil.gateway.files;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.util.io.pem.PemObject;
import org.jspecify.annotations.Nullable;

/**
 * Reads certificates and private keys from PEM files (RFC 7468): Bouncy Castle parses the files and
 * the JDK makes the keys. Each error message names the setting, the file and the fix, and never
 * shows a key.
 */
public final class Pem {
  private static final String CERTIFICATE = "CERTIFICATE";

  /** The UTF-8 byte order mark, decoded as ISO 8859-1. */
  private static final String BYTE_ORDER_MARK = "^\u00ef\u00bb\u00bf";

  private Pem() {}

  /**
   * A certificate, its chain of issuers, and its private key.
   *
   * @param chain the gateway's certificate first; each certificate is followed by its issuer's
   */
  public record Identity(List<X509Certificate> chain, PrivateKey key) {
    public Identity {
      chain = List.copyOf(chain);
    }

    public X509Certificate certificate() {
      return chain.getFirst();
    }
  }

  /**
   * @param setting the prefix of the properties {@code .certificate} and {@code .key}, which name
   *     the files
   * @throws IOException with a message that begins with "cannot" and names the file and the fault
   */
  public static Identity identity(String setting, String certificateFile, String keyFile)
      throws IOException {
    if (certificateFile.isEmpty() || keyFile.isEmpty()) {
      throw new IOException(
          "cannot use %1$s.%2$s alone: set %1$s.%3$s too"
              .formatted(
                  setting,
                  certificateFile.isEmpty() ? "key" : "certificate",
                  certificateFile.isEmpty() ? "certificate" : "key"));
    }
    List<X509Certificate> chain = certificates(setting + ".certificate", certificateFile);
    for (int i = 1; i < chain.size(); i++) {
      requireIssued(setting + ".certificate", certificateFile, chain.get(i - 1), chain.get(i));
    }
    PublicKey certified = chain.getFirst().getPublicKey();
    PrivateKey key = key(setting + ".key", keyFile, certified);
    if (!belong(key, certified)) {
      throw new IOException(
          "cannot use %s, which %s.key names: it is not the key of the certificate in %s"
              .formatted(keyFile, setting, certificateFile));
    }
    return new Identity(chain, key);
  }

  /**
   * @throws IOException as above
   */
  public static List<X509Certificate> certificates(String setting, String file) throws IOException {
    String text = read(setting, file);
    JcaX509CertificateConverter converter = new JcaX509CertificateConverter();
    List<X509Certificate> certificates = new ArrayList<>();
    try (Blocks blocks = new Blocks(text, CERTIFICATE::equals)) {
      while (blocks.readObject() instanceof X509CertificateHolder certificate) {
        certificates.add(converter.getCertificate(certificate));
      }
    } catch (IOException
        | CertificateException
        | IllegalStateException
        | IllegalArgumentException e) {
      throw new IOException(
          "cannot read the certificates in %s, which %s names: %s"
              .formatted(file, setting, e.getMessage()),
          e);
    }
    if (certificates.isEmpty()) {
      throw new IOException(
          "cannot find a certificate in %s, which %s names: the file must be in PEM format, which begins with -----BEGIN CERTIFICATE-----"
              .formatted(file, setting));
    }
    return certificates;
  }

  private static PrivateKey key(String setting, String file, PublicKey certified)
      throws IOException {
    try {
      OwnerOnlyFile.require(Path.of(file));
    } catch (java.nio.file.FileSystemException e) {
      throw missing(setting, file, e);
    }
    String text = read(setting, file);
    Object block;
    try (Blocks blocks = new Blocks(text, label -> label.endsWith("PRIVATE KEY"))) {
      block = blocks.readObject();
      PrivateKeyInfo info = plainKey(block, certified);
      if (info != null) {
        return KeyFactory.getInstance(certified.getAlgorithm())
            .generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
      }
    } catch (IOException
        | GeneralSecurityException
        | IllegalStateException
        | IllegalArgumentException e) {
      // The exception has no cause, because parsers quote the file that they read.
      throw new IOException(
          "cannot read the key in %s, which %s names: it is not of the type %s, which the certificate requires"
              .formatted(file, setting, certified.getAlgorithm()));
    }
    throw new IOException(
        block == null
            ? "cannot find a key in %s, which %s names: the file must be in PEM format, which begins with -----BEGIN PRIVATE KEY-----"
                .formatted(file, setting)
            : "cannot open %s, which %s names: it is encrypted, and the gateway does not ask for a password; run: openssl pkey -in %s -out FILE; chmod 600 FILE"
                .formatted(file, setting, file));
  }

  /** The key in a PEM block; null when the block has no key or the key is encrypted. */
  private static @Nullable PrivateKeyInfo plainKey(@Nullable Object block, PublicKey certified)
      throws IOException {
    return switch (block) {
      case PrivateKeyInfo key -> key;
      // SEC 1 or PKCS #1. A SEC 1 key may omit its curve; the certificate then supplies it.
      case PEMKeyPair pair ->
          new PrivateKeyInfo(
              SubjectPublicKeyInfo.getInstance(certified.getEncoded()).getAlgorithm(),
              pair.getPrivateKeyInfo().parsePrivateKey());
      case null, default -> null;
    };
  }

  private static void requireIssued(
      String setting, String file, X509Certificate issued, X509Certificate by) throws IOException {
    try {
      issued.verify(by.getPublicKey());
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "cannot use %s, which %s names: \"%s\" did not issue \"%s\" before it; the gateway's own certificate comes first, each followed by its issuer's"
              .formatted(
                  file, setting, by.getSubjectX500Principal(), issued.getSubjectX500Principal()),
          e);
    }
  }

  private static boolean belong(PrivateKey key, PublicKey certified) {
    String algorithm =
        switch (certified.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          case String other -> other;
        };
    byte[] anything = {1};
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(anything);
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update(anything);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static String read(String setting, String file) throws IOException {
    try {
      return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1)
          .replaceFirst(BYTE_ORDER_MARK, "")
          .lines()
          .map(String::strip)
          .collect(Collectors.joining("\n"));
    } catch (java.nio.file.FileSystemException e) {
      throw missing(setting, file, e);
    }
  }

  private static IOException missing(String setting, String file, IOException cause) {
    return new IOException(
        "cannot read %s, which %s names: does the file exist, and may %s read it?"
            .formatted(file, setting, System.getProperty("user.name")),
        cause);
  }

  /**
   * Reads the blocks of a PEM file that have certain labels; skips all other blocks without parsing
   * them.
   */
  private static final class Blocks extends PEMParser {
    private final Predicate<String> wanted;

    Blocks(String text, Predicate<String> wanted) {
      super(new StringReader(text));
      this.wanted = wanted;
    }

    @Override
    public @Nullable PemObject readPemObject() throws IOException {
      PemObject block = super.readPemObject();
      while (block != null && !wanted.test(block.getType())) {
        block = super.readPemObject();
      }
      return block;
    }
  }

  /**
   * A TLS client context that trusts only the authorities in a PEM file.
   *
   * @param property names the file in messages
   * @throws IOException with a message that begins with "cannot" and names the file
   */
  public static SSLContext trusting(String property, String file) throws IOException {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (X509Certificate authority : certificates(property, file)) {
        store.setCertificateEntry("ca-" + number++, authority);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "cannot use the certificates of " + property + ": " + e.getMessage(), e);
    }
  }
}
