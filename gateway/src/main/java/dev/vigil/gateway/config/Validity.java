package dev.vigil.gateway.config;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says at the start as whom the gateway shows itself, and for how long yet. */
public final class Validity {
  private static final Logger log = LoggerFactory.getLogger(Validity.class);
  private static final Duration SOON = Duration.ofDays(14);

  private Validity() {}

  /** The gateway starts all the same: its motes do not ask for certificates. */
  public static void tell(String protocol, X509Certificate certificate, Clock clock) {
    Instant now = clock.instant();
    Instant from = certificate.getNotBefore().toInstant();
    Instant until = certificate.getNotAfter().toInstant();
    String who = certificate.getSubjectX500Principal().getName();
    if (now.isBefore(from) || now.isAfter(until)) {
      log.error(
          "{}: the certificate of \"{}\" is valid from {} to {}, not now; clients will refuse it:"
              + " replace it and start again",
          protocol,
          who,
          from,
          until);
    } else if (now.plus(SOON).isAfter(until)) {
      log.warn("{}: the certificate of \"{}\" ends on {}; replace it soon", protocol, who, until);
    } else {
      log.info("{}: certificate of \"{}\", valid until {}", protocol, who, until);
    }
  }
}
