package dev.vigil.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.InProcessGateway;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS with a certificate that the gateway issues itself: the JDK's client verifies it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GeneratedCertificateTest {
  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;

  @BeforeAll
  void start() {
    gateway = new InProcessGateway(folder, "--vigil.http.tls.generate=true");
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private String authority() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = get(client, gateway.address("http") + "/ca.pem");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
          .startsWith("application/pem-certificate-chain");
      return answer.body();
    }
  }

  private static HttpResponse<String> get(HttpClient client, String uri)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpClient trusting(String pem) throws Exception {
    KeyStore anchors = KeyStore.getInstance("PKCS12");
    anchors.load(null, null);
    anchors.setCertificateEntry(
        "vigil",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes())));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(anchors);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  @Test
  void aClientThatTrustsTheDownloadedAuthorityReadsOverHttps() throws Exception {
    String pem = authority();
    assertThat(pem).contains("BEGIN CERTIFICATE").doesNotContain("PRIVATE");
    try (HttpClient client = trusting(pem)) {
      String https = gateway.address("https");
      assertThat(get(client, https + "/actuator/health").statusCode()).isEqualTo(200);
      String byName = https.replace("127.0.0.1", "localhost");
      assertThat(get(client, byName + "/actuator/health").statusCode()).isEqualTo(200);
      assertThat(get(client, https + "/api/endpoints").statusCode()).isEqualTo(401);
    }
  }

  @Test
  void aRenewedCertificateIsShownWithoutARestart() throws Exception {
    Certificate before = shown();
    Files.delete(folder.resolve("https.pem"));
    gateway.bean(CertificateRenewal.class).renew();
    assertThat(shown()).isNotEqualTo(before);
  }

  @Test
  void aCertificateOfTheSettingsIsShownWhenItsFileChanges(@TempDir Path other) throws Exception {
    Path given = other.resolve("given.pem");
    Files.copy(folder.resolve("https.pem"), given);
    try (InProcessGateway second =
        new InProcessGateway(
            other.resolve("data"),
            "--vigil.http.tls.certificate=" + given,
            "--vigil.http.tls.key=" + given)) {
      CertificateRenewal files = second.bean(CertificateRenewal.class);
      Certificate before = shown(second);
      assertThat(before).isEqualTo(shown());
      Files.writeString(given, "half of it");
      files.renew();
      assertThat(shown(second)).isEqualTo(before);
      aRenewedCertificateIsShownWithoutARestart();
      Files.copy(folder.resolve("https.pem"), given, StandardCopyOption.REPLACE_EXISTING);
      files.renew();
      assertThat(shown(second)).isNotEqualTo(before).isEqualTo(shown());
    }
  }

  private Certificate shown() throws Exception {
    return shown(gateway);
  }

  private Certificate shown(InProcessGateway of) throws Exception {
    try (HttpClient client = trusting(authority())) {
      return get(client, of.address("https") + "/actuator/health")
          .sslSession()
          .orElseThrow()
          .getPeerCertificates()[0];
    }
  }
}
