package dev.vigil.gateway.northbound.webhook;

import dev.vigil.gateway.northbound.OutboundHttp;
import dev.vigil.gateway.northbound.events.CloudEvent;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/**
 * Sends events only to one address from the settings. Messages never show the address because it
 * may contain a secret.
 */
final class WebhookClient {
  private static final int REFUSED = 300;

  private final URI url;
  private final WebhookSignature signature;
  private final OutboundHttp http;
  private final Clock clock;

  /**
   * @param property the prefix of the settings, for messages
   * @throws IOException with a message that begins with "cannot" and names the unusable file
   */
  WebhookClient(String property, URI url, WebhookProperties settings, Clock clock)
      throws IOException {
    this.url = url;
    this.signature = WebhookSignature.read(property + ".secret-file", settings.secretFile());
    this.clock = clock;
    this.http = new OutboundHttp(property, settings.ca());
  }

  /**
   * Sends an event.
   *
   * @return whether the server accepted the event; false: it refuses the event permanently
   * @throws IOException when another attempt may succeed
   */
  boolean send(CloudEvent event) throws IOException, InterruptedException {
    int status = post(event);
    return switch (status) {
      // These codes mean that the event is at fault, not the server or the credentials.
      case 400, 409, 410, 413, 415, 422 -> false;
      default -> {
        if (status >= REFUSED) {
          throw OutboundHttp.failure(status);
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
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  void close() {
    http.close();
  }
}
