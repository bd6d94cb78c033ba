package dev.vigil.gateway.tls;

import dev.vigil.gateway.files.Pem;
import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.gateway.store.SharedSecrets;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate authority in the data folder, and the certificate of HTTPS that it issues. Each
 * file holds a certificate and its key, so that both are replaced at once; only its owner may read
 * it.
 */
final class LocalAuthority {
  private static final Logger log = LoggerFactory.getLogger(LocalAuthority.class);
  private static final String SETTING = "vigil.http.tls.generate";
  private static final String SERVER = "https.pem";

  /** The time before its expiry at which a certificate is renewed. */
  static final Duration RENEWAL = Duration.ofDays(30);

  private final CompanionFiles companions;
  private final Path authorityFile;
  private final Path serverFile;
  private final CertificateIssuer issuer;
  private final SharedSecrets secrets;
  private final Clock clock;

  LocalAuthority(
      CompanionFiles companions, CertificateIssuer issuer, SharedSecrets secrets, Clock clock) {
    this.companions = companions;
    this.secrets = secrets;
    this.authorityFile = companions.path(Companion.AUTHORITY);
    this.serverFile = authorityFile.resolveSibling(SERVER);
    this.issuer = issuer;
    this.clock = clock;
  }

  /**
   * The certificate for these names: the certificate in the data folder if it is valid for them,
   * otherwise a new one.
   *
   * @throws IOException begins with "cannot" and names the file
   */
  synchronized Pem.Identity identity(Set<String> names) throws IOException {
    Pem.Identity authority = authority();
    if (Files.exists(serverFile)) {
      Pem.Identity known = read(serverFile);
      if (lasts(known, RENEWAL)
          && names(known.certificate()).containsAll(names)
          && known.chain().getLast().equals(authority.certificate())) {
        return known;
      }
    }
    Pem.Identity fresh = issuer.server(authority, names);
    write(serverFile, text(fresh));
    log.info(
        "HTTPS: issued a certificate for {}, valid until {}",
        String.join(", ", names),
        fresh.certificate().getNotAfter().toInstant());
    return fresh;
  }

  /**
   * The authority, which must outlast the certificates that it issues. All gateways of a cluster
   * use the same authority.
   */
  private Pem.Identity authority() throws IOException {
    companions.require(Companion.AUTHORITY);
    @Nullable String own = own();
    String agreed =
        secrets.agree(
            "certificate authority of HTTPS",
            text -> lasts(certificate(text), CertificateIssuer.SERVER_LIFETIME),
            () -> own == null ? issue() : own);
    if (!agreed.equals(own)) {
      write(authorityFile, agreed);
    }
    companions.made(Companion.AUTHORITY);
    return readAuthority();
  }

  /** The authority in the data folder; null if there is none, or if it expires too early. */
  private @Nullable String own() throws IOException {
    if (!Files.exists(authorityFile)) {
      return null;
    }
    if (!lasts(readAuthority(), CertificateIssuer.SERVER_LIFETIME)) {
      log.warn("HTTPS: the certificate authority expires; clients must trust its successor");
      return null;
    }
    return Files.readString(authorityFile, StandardCharsets.US_ASCII);
  }

  private String issue() {
    try {
      String text = text(issuer.authority());
      log.info(
          "HTTPS: made a certificate authority; clients that trust /ca.pem trust this gateway");
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Pem.Identity readAuthority() {
    try {
      return Pem.identity(SETTING, authorityFile.toString(), authorityFile.toString());
    } catch (IOException e) {
      throw companions.unusable(
          Companion.AUTHORITY, "cannot be used (%s)".formatted(e.getMessage()), e);
    }
  }

  private boolean lasts(Pem.Identity identity, Duration time) {
    return lasts(identity.certificate(), time);
  }

  private boolean lasts(X509Certificate certificate, Duration time) {
    return clock.instant().plus(time).isBefore(certificate.getNotAfter().toInstant());
  }

  /** The first certificate in a text that this class made. */
  private static X509Certificate certificate(String text) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(
                  new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
    } catch (CertificateException e) {
      throw new IllegalStateException("the cluster's certificate authority is unreadable", e);
    }
  }

  private static Set<String> names(X509Certificate certificate) {
    try {
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      return alternatives == null
          ? Set.of()
          : alternatives.stream()
              .map(name -> String.valueOf(name.get(1)))
              .collect(Collectors.toSet());
    } catch (CertificateParsingException e) {
      return Set.of();
    }
  }

  private static Pem.Identity read(Path file) throws IOException {
    try {
      return Pem.identity(SETTING, file.toString(), file.toString());
    } catch (IOException e) {
      throw new IOException(
          "cannot use the generated certificate (%s); remove %s to have a new one made"
              .formatted(e.getMessage(), file),
          e);
    }
  }

  private static String text(Pem.Identity identity) throws IOException {
    StringBuilder text = new StringBuilder();
    for (X509Certificate certificate : identity.chain()) {
      text.append(pem(certificate));
    }
    return text.append(block("PRIVATE KEY", identity.key().getEncoded())).toString();
  }

  private static void write(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.deleteIfExists(fresh);
      Files.createFile(
          fresh,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        ByteBuffer octets = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        while (octets.hasRemaining()) {
          out.write(octets);
        }
        out.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new IOException("cannot write the generated certificate to " + file, e);
    }
  }

  static String pem(X509Certificate certificate) throws IOException {
    try {
      return block("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IOException("cannot write a certificate", e);
    }
  }

  private static String block(String label, byte[] octets) {
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
        .formatted(label, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(octets));
  }
}
