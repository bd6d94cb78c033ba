package dev.vigil.gateway.config;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Certificates and keys as they lie in PEM files (RFC 7468). What is wrong with a file is told in
 * one sentence that names the setting and the way out; no sentence shows a key.
 */
public final class Pem {
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  private Pem() {}

  /**
   * A certificate, those that vouch for it, and its key.
   *
   * @param chain the certificate first, each followed by its issuer's
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
   * @param setting what the file names are the values of, without {@code .certificate} and {@code
   *     .key}
   * @throws IOException begins with "cannot" and says what is wrong with which file
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
    Matcher blocks = BLOCK.matcher(text);
    StringBuilder certificates = new StringBuilder();
    while (blocks.find()) {
      if (blocks.group(1).equals(CERTIFICATE)) {
        certificates.append(blocks.group()).append('\n');
      }
    }
    if (certificates.isEmpty()) {
      throw new IOException(
          "cannot find a certificate in %s, which %s names: it takes PEM, which begins -----BEGIN CERTIFICATE-----"
              .formatted(file, setting));
    }
    try {
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(
              new ByteArrayInputStream(certificates.toString().getBytes(StandardCharsets.US_ASCII)))
          .stream()
          .map(X509Certificate.class::cast)
          .toList();
    } catch (CertificateException e) {
      throw new IOException(
          "cannot read the certificates in %s, which %s names: %s"
              .formatted(file, setting, e.getMessage()),
          e);
    }
  }

  private static PrivateKey key(String setting, String file, PublicKey certified)
      throws IOException {
    try {
      OwnersOnly.require(Path.of(file));
    } catch (java.nio.file.FileSystemException e) {
      throw missing(setting, file, e);
    }
    Matcher blocks = BLOCK.matcher(read(setting, file));
    while (blocks.find()) {
      String label = blocks.group(1);
      if (label.equals("ENCRYPTED PRIVATE KEY") || blocks.group(2).contains("ENCRYPTED")) {
        throw new IOException(
            "cannot open %s, which %s names: it is encrypted, and nobody is asked for its password; run: openssl pkey -in %s -out FILE; chmod 600 FILE"
                .formatted(file, setting, file));
      }
      if (label.endsWith("PRIVATE KEY")) {
        return key(setting, file, label, blocks.group(2), certified);
      }
    }
    throw new IOException(
        "cannot find a key in %s, which %s names: it takes PEM, which begins -----BEGIN PRIVATE KEY-----"
            .formatted(file, setting));
  }

  private static PrivateKey key(
      String setting, String file, String label, String body, PublicKey certified)
      throws IOException {
    try {
      byte[] octets = Base64.getMimeDecoder().decode(body);
      byte[] wrapped =
          label.equals("PRIVATE KEY") ? octets : Der.privateKeyInfo(octets, certified.getEncoded());
      return KeyFactory.getInstance(certified.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(wrapped));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(
          "cannot read the key in %s, which %s names: it is no %s key, as the certificate says"
              .formatted(file, setting, certified.getAlgorithm()));
    }
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
      return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
    } catch (java.nio.file.FileSystemException e) {
      throw missing(setting, file, e);
    }
  }

  private static IOException missing(String setting, String file, IOException cause) {
    return new IOException(
        "cannot read %s, which %s names: is it there, and may %s read it?"
            .formatted(file, setting, System.getProperty("user.name")),
        cause);
  }
}
