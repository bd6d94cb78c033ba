package dev.vigil.gateway.http;

import dev.vigil.gateway.config.CertificateValidity;
import dev.vigil.gateway.config.HttpProperties;
import dev.vigil.gateway.config.Pem;
import dev.vigil.gateway.tls.ServerCertificate;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.connector.Connector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;

/**
 * Makes the HTTPS connector and gives it a new certificate when a generated one is renewed: before
 * its end, and when the machine has got other addresses.
 */
final class CertificateRenewal implements DisposableBean {
  private static final Logger log = LoggerFactory.getLogger(CertificateRenewal.class);
  private static final int HOURS = 12;

  private final ServerCertificate certificate;
  private final Clock clock;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("https-renewal").factory());

  private @Nullable Connector connector;
  private Pem.@Nullable Identity shown;

  CertificateRenewal(ServerCertificate certificate, Clock clock) {
    this.certificate = certificate;
    this.clock = clock;
  }

  /**
   * @throws IOException begins with "cannot" and says what is wrong with which file
   */
  synchronized Connector connector(GatewayProtocol protocol, HttpProperties http)
      throws IOException {
    Pem.Identity identity = certificate.identity();
    CertificateValidity.log("HTTPS", identity.certificate(), clock);
    Connector made = HttpsConnector.connector(protocol, http, identity);
    connector = made;
    shown = identity;
    if (certificate.isGenerated()) {
      timer.scheduleWithFixedDelay(this::renew, HOURS, HOURS, TimeUnit.HOURS);
    }
    return made;
  }

  /** Shows the certificate that the authority has for the gateway now. */
  synchronized void renew() {
    Connector current = connector;
    Pem.Identity before = shown;
    if (current == null || before == null) {
      return;
    }
    try {
      Pem.Identity now = certificate.identity();
      if (!now.certificate().equals(before.certificate())) {
        HttpsConnector.replaceCertificate(current, now);
        shown = now;
      }
    } catch (IOException | RuntimeException e) {
      log.error("HTTPS: the certificate is not renewed and the old one stays", e);
    }
  }

  @Override
  public void destroy() {
    timer.shutdownNow();
  }
}
