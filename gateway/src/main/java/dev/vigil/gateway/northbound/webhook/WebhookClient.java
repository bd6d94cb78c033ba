package dev.vigil.gateway.northbound.webhook;

import dev.vigil.gateway.config.WebhookProperties;
import dev.vigil.gateway.northbound.TrustedAuthorities;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/**
 * Sends events to one address of the settings, and nowhere else: redirects are not followed.
 * Messages never show the address, which may hold a secret.
 */
final class WebhookClient {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final long TIMEOUT_SECONDS = 20;
  private static final int REFUSED = 300;

  private final URI url;
  private final WebhookSignature signature;
  private final HttpClient http;
  private final Clock clock;

  /**
   * @param property the name under which the settings stand, for messages
   * @throws IOException begins with "cannot" and names the file that cannot be used
   */
  WebhookClient(String property, URI url, WebhookProperties settings, Clock clock)
      throws IOException {
    this.url = url;
    this.signature = WebhookSignature.read(property + ".secret-file", settings.secretFile());
    this.clock = clock;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .followRedirects(Redirect.NEVER)
            .connectTimeout(CONNECT);
    if (!settings.ca().isEmpty()) {
      builder.sslContext(tls(property, settings.ca()));
    }
    http = builder.build();
  }

  private static SSLContext tls(String property, String ca) throws IOException {
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(
          null, TrustedAuthorities.of("vigil." + property + ".ca", ca).getTrustManagers(), null);
      return tls;
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use the certificates of vigil." + property, e);
    }
  }

  /**
   * Sends an event.
   *
   * @return whether the server took it; false: it refuses this event for good
   * @throws IOException when it is worth another attempt
   */
  boolean send(CloudEvent event) throws IOException, InterruptedException {
    int status = post(event);
    return switch (status) {
      // The event is at fault, not the server or its credentials.
      case 400, 409, 410, 413, 415, 422 -> false;
      default -> {
        if (status >= REFUSED) {
          throw new IOException(
              "the server answered "
                  + status
                  + (status < 400 ? ": redirects are not followed" : ""));
        }
        yield true;
      }
    };
  }

  private int post(CloudEvent event) throws IOException, InterruptedException {
    byte[] body = event.json().getBytes(StandardCharsets.UTF_8);
    long seconds = clock.instant().getEpochSecond();
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/cloudevents+json")
            .header("webhook-id", event.id())
            .header("webhook-timestamp", Long.toString(seconds))
            .header("webhook-signature", signature.of(event.id(), seconds, body))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    CompletableFuture<HttpResponse<Void>> answer =
        http.sendAsync(request, HttpResponse.BodyHandlers.discarding());
    try {
      return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS).statusCode();
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new IOException("no answer within " + TIMEOUT_SECONDS + " s", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String message = cause.getMessage();
      throw new IOException(
          message == null
              ? "cannot reach the server: " + cause.getClass().getSimpleName()
              : message,
          cause);
    }
  }

  void close() {
    http.shutdownNow();
  }
}
