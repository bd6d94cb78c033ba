package dev.vigil.gateway.files;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs at startup which certificate the gateway presents and how long it is valid. */
public final class CertificateValidity {
  private static final Logger log = LoggerFactory.getLogger(CertificateValidity.class);
  private static final Duration SOON = Duration.ofDays(14);

  private CertificateValidity() {}

  /** An expired certificate does not prevent startup because motes do not use certificates. */
  public static void log(String protocol, X509Certificate certificate, Clock clock) {
    Instant now = clock.instant();
    Instant from = certificate.getNotBefore().toInstant();
    Instant until = certificate.getNotAfter().toInstant();
    String subject = certificate.getSubjectX500Principal().getName();
    if (now.isBefore(from) || now.isAfter(until)) {
      log.error(
          "{}: the certificate of \"{}\" is valid only from {} to {}; clients will refuse it:"
              + " replace it; CoAPS also needs a restart",
          protocol,
          subject,
          from,
          until);
    } else if (now.plus(SOON).isAfter(until)) {
      log.warn(
          "{}: the certificate of \"{}\" expires on {}; replace it soon", protocol, subject, until);
    } else {
      log.info("{}: certificate of \"{}\", valid until {}", protocol, subject, until);
    }
  }
}
