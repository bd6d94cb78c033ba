package dev.vigil.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.files.Pem;
import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.gateway.testing.ListedCompanions;
import dev.vigil.gateway.testing.OwnSecrets;
import dev.vigil.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalAuthorityTest {
  private static final Set<String> NAMES = Set.of("localhost", "gateway.example", "192.0.2.7");
  private static final Instant START = Instant.parse("2026-11-22T00:00:00Z");

  @TempDir Path folder = Path.of("");

  private final ListedCompanions companions = new ListedCompanions();

  private LocalAuthority at(Instant now) {
    Clock clock = Clock.fixed(now, ZoneOffset.UTC);
    return new LocalAuthority(
        new CompanionFiles(folder, companions),
        new CertificateIssuer(clock, new SecureRandom()),
        OwnSecrets.NONE_SHARED,
        clock);
  }

  private static void validate(Pem.Identity identity, X509Certificate anchor, Instant now)
      throws Exception {
    CertPath path =
        CertificateFactory.getInstance("X.509").generateCertPath(List.of(identity.certificate()));
    PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(anchor, null)));
    parameters.setRevocationEnabled(false);
    parameters.setDate(Date.from(now));
    CertPathValidator.getInstance("PKIX").validate(path, parameters);
  }

  @Test
  void theAuthorityVouchesForAServerOfTheseNames() throws Exception {
    Pem.Identity identity = at(START).identity(NAMES);
    validate(identity, identity.chain().getLast(), START);
    assertThat(identity.certificate().getSubjectAlternativeNames())
        .extracting(name -> String.valueOf(name.get(1)))
        .containsExactlyInAnyOrderElementsOf(NAMES);
    assertThat(identity.certificate().getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(identity.certificate().getBasicConstraints()).isEqualTo(-1);
    assertThat(identity.chain().getLast().getBasicConstraints()).isZero();
  }

  @Test
  void onlyTheOwnerMayReadTheFiles() throws Exception {
    at(START).identity(NAMES);
    for (String name : List.of("https-authority.pem", "https.pem")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name))))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void aRestartKeepsTheCertificate() throws Exception {
    X509Certificate first = at(START).identity(NAMES).certificate();
    assertThat(at(START.plus(Duration.ofDays(59))).identity(NAMES).certificate()).isEqualTo(first);
    assertThat(at(START).identity(Set.of("localhost")).certificate()).isEqualTo(first);
  }

  @Test
  void itIsRenewedBeforeItsEndByTheSameAuthority() throws Exception {
    Pem.Identity first = at(START).identity(NAMES);
    Instant later = START.plus(Duration.ofDays(61));
    Pem.Identity second = at(later).identity(NAMES);
    assertThat(second.certificate()).isNotEqualTo(first.certificate());
    validate(second, first.chain().getLast(), later.plus(Duration.ofDays(80)));
  }

  @Test
  void anotherNameNeedsAnotherCertificate() throws Exception {
    Pem.Identity first = at(START).identity(Set.of("localhost"));
    Pem.Identity second = at(START).identity(Set.of("localhost", "new.example"));
    assertThat(second.certificate()).isNotEqualTo(first.certificate());
    assertThat(second.chain().getLast()).isEqualTo(first.chain().getLast());
  }

  @Test
  void anAuthorityNearItsEndIsReplacedWithItsCertificates() throws Exception {
    Pem.Identity first = at(START).identity(NAMES);
    Instant late = START.plus(CertificateIssuer.AUTHORITY_LIFETIME).minus(Duration.ofDays(80));
    Pem.Identity second = at(late).identity(NAMES);
    assertThat(second.chain().getLast()).isNotEqualTo(first.chain().getLast());
    validate(second, second.chain().getLast(), late);
  }

  @Test
  void aDamagedFileIsNamedAndNotReplaced() throws Exception {
    at(START).identity(NAMES);
    Path file = folder.resolve("https-authority.pem");
    Files.writeString(file, "damaged");
    assertThatThrownBy(() -> at(START).identity(NAMES))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("vigil replace https-authority.pem");
    assertThat(file).hasContent("damaged");
  }

  @Test
  void aLostAuthorityIsNamedAndNotReplaced() throws Exception {
    at(START).identity(NAMES);
    Path file = folder.resolve("https-authority.pem");
    Files.delete(file);
    assertThatThrownBy(() -> at(START).identity(NAMES))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file + " is missing");
    assertThat(file).doesNotExist();
  }
}
