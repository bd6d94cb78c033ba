package dev.vigil.gateway.coap.dtls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.californium.elements.auth.X509CertPath;
import org.eclipse.californium.elements.util.DatagramReader;
import org.eclipse.californium.elements.util.DatagramWriter;
import org.junit.jupiter.api.Test;

/** Sessions of clients with certificates; {@link SavedSessionsTest} has those with shared keys. */
class ClientKeysTest {
  /** Valid from 26 November to 26 December 2026. */
  private static final String PEM =
      """
      -----BEGIN CERTIFICATE-----
      MIIBdjCCAR2gAwIBAgIUdEoUostUOzSYaVMno1DQrvSnkE4wCgYIKoZIzj0EAwIw
      ETEPMA0GA1UEAwwGbW90ZS05MB4XDTI2MTEyNjExMjMwMloXDTI2MTIyNjExMjMw
      MlowETEPMA0GA1UEAwwGbW90ZS05MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
      l408OxHwphsLKFYW0z8TPigUfGBlO3lWcCSgtdURCg3yNCurAWeOUA5hYTANmwI+
      SgXoAs+hF41hAQOufY0d6KNTMFEwHQYDVR0OBBYEFFwh3n8qVPB817Boqk3S0tv/
      ZwmoMB8GA1UdIwQYMBaAFFwh3n8qVPB817Boqk3S0tv/ZwmoMA8GA1UdEwEB/wQF
      MAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgSCBgmkogiPN1zPfCt+iceWDU8AlMl9MO
      wGo0LN/Dr+cCIE13CqKOfBRR+fiVkwPeYwyqoDVOn5ZxWUYQDPktNQjE
      -----END CERTIFICATE-----
      """;

  private static final Instant VALID = Instant.parse("2026-12-01T12:00:00Z");
  private static final Instant EXPIRED = Instant.parse("2027-01-01T12:00:00Z");

  private final X509Certificate certificate;
  private final X509CertPath client;
  private final ClientKeys then;

  ClientKeysTest() throws Exception {
    certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(PEM.getBytes(US_ASCII)));
    client = X509CertPath.fromCertificatesChain(certificate);
    DatagramWriter writer = new DatagramWriter();
    ClientKeys.of(Map.of("node-7", new byte[16]), List.of(certificate)).write(writer);
    then = ClientKeys.read(new DatagramReader(writer.toByteArray()));
  }

  @Test
  void aValidCertificateOfTheSameAuthoritiesIsAdmitted() {
    ClientKeys now = ClientKeys.of(Map.of(), List.of(certificate));
    assertThat(now.stillAdmit(client, then, VALID)).isTrue();
  }

  @Test
  void anExpiredCertificateIsNotAdmitted() {
    ClientKeys now = ClientKeys.of(Map.of(), List.of(certificate));
    assertThat(now.stillAdmit(client, then, EXPIRED)).isFalse();
  }

  @Test
  void aCertificateIsNotAdmittedWhenTheAuthoritiesHaveChanged() {
    assertThat(ClientKeys.of(Map.of(), List.of()).stillAdmit(client, then, VALID)).isFalse();
  }

  @Test
  void aClientWithoutAKeyOfTheSettingsIsAdmitted() {
    assertThat(ClientKeys.of(Map.of(), List.of()).stillAdmit(null, then, VALID)).isTrue();
  }
}
