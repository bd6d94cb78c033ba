package dev.vigil.gateway.tls;

import dev.vigil.gateway.files.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The certificate that HTTPS presents. A certificate of the settings wins over a generated one. */
public final class ServerCertificate {
  private static final String SETTING = "vigil.http.tls";

  private final HttpProperties http;
  private final @Nullable LocalAuthority authority;
  private volatile Pem.@Nullable Identity current;

  /** State of the files when they were last read without fault. */
  private volatile List<Object> read = List.of();

  /**
   * @param authority null: the settings do not ask for a generated certificate
   */
  ServerCertificate(HttpProperties http, @Nullable LocalAuthority authority) {
    this.http = http;
    this.authority = authority;
  }

  /** Whether the certificate is generated, and so may be renewed while the gateway runs. */
  public boolean isGenerated() {
    return authority != null;
  }

  /** Whether the certificate may differ from the one that {@link #identity} read last. */
  public boolean mayHaveChanged() {
    return isGenerated() || !files().equals(read);
  }

  private List<Object> files() {
    return Stream.of(http.tls().certificate(), http.tls().key())
        .map(file -> stateOf(Path.of(file)))
        .toList();
  }

  private static Object stateOf(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return List.of(
          attributes.lastModifiedTime(), attributes.size(), String.valueOf(attributes.fileKey()));
    } catch (IOException e) {
      return e.getClass();
    }
  }

  /**
   * Reads the certificate, or has one issued or renewed. Needs {@code vigil.http.tls} to be on.
   *
   * @throws IOException begins with "cannot" and names the file and its fault
   */
  public Pem.Identity identity() throws IOException {
    List<Object> before = isGenerated() ? List.of() : files();
    Pem.Identity identity =
        authority == null
            ? Pem.identity(SETTING, http.tls().certificate(), http.tls().key())
            : authority.identity(OwnNames.of(http));
    current = identity;
    read = before;
    return identity;
  }

  /** The time at which the certificate in use expires; empty while none is in use. */
  public Optional<Instant> expires() {
    Pem.Identity known = current;
    return known == null
        ? Optional.empty()
        : Optional.of(known.certificate().getNotAfter().toInstant());
  }

  /** The generated authority's certificate as PEM; empty without one. */
  Optional<String> authorityPem() throws IOException {
    Pem.Identity known = current;
    return authority == null || known == null
        ? Optional.empty()
        : Optional.of(LocalAuthority.pem(known.chain().getLast()));
  }
}
