package dev.vigil.gateway.http;

import dev.vigil.gateway.files.CertificateValidity;
import dev.vigil.gateway.files.Pem;
import dev.vigil.gateway.tls.HttpProperties;
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
import org.springframework.stereotype.Component;

/**
 * Creates the HTTPS connector and gives it a new certificate without a restart. A generated
 * certificate is replaced before it expires and when the machine's addresses change, a configured
 * one when its files change.
 */
@Component
final class CertificateRenewal implements DisposableBean {
  private static final Logger log = LoggerFactory.getLogger(CertificateRenewal.class);
  private static final long GENERATED_SECONDS = TimeUnit.HOURS.toSeconds(12);
  private static final long FILES_SECONDS = 10;

  private final ServerCertificate certificate;
  private final Clock clock;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("https-renewal").factory());

  private @Nullable Connector connector;
  private Pem.@Nullable Identity shown;

  /** The fault of the files at the last check; each fault is logged once. */
  private String fault = "";

  CertificateRenewal(ServerCertificate certificate, Clock clock) {
    this.certificate = certificate;
    this.clock = clock;
  }

  /**
   * @throws IOException begins with "cannot" and names the file and its fault
   */
  synchronized Connector connector(GatewayProtocol protocol, HttpProperties http)
      throws IOException {
    Pem.Identity identity = certificate.identity();
    CertificateValidity.log("HTTPS", identity.certificate(), clock);
    Connector made = HttpsConnector.connector(protocol, http, identity);
    connector = made;
    shown = identity;
    long seconds = certificate.isGenerated() ? GENERATED_SECONDS : FILES_SECONDS;
    timer.scheduleWithFixedDelay(this::renew, seconds, seconds, TimeUnit.SECONDS);
    return made;
  }

  /** Presents the current certificate of the authority or of the files. */
  synchronized void renew() {
    Connector current = connector;
    Pem.Identity before = shown;
    if (current == null || before == null || !certificate.mayHaveChanged()) {
      return;
    }
    try {
      Pem.Identity now = certificate.identity();
      if (!now.certificate().equals(before.certificate())) {
        HttpsConnector.replaceCertificate(current, now);
        shown = now;
        CertificateValidity.log("HTTPS", now.certificate(), clock);
      }
      fault = "";
    } catch (IOException | RuntimeException e) {
      // Files that are written one after the other do not match for a moment.
      if (!fault.equals(e.toString())) {
        log.error("HTTPS: cannot replace the certificate; the old one stays in use", e);
        fault = e.toString();
      }
    }
  }

  @Override
  public void destroy() {
    timer.shutdownNow();
  }
}
