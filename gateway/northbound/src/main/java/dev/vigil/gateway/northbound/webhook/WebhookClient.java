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
 * Sends events to one address of the settings, and nowhere else. Messages never show the address,
 * which may hold a secret.
 */
final class WebhookClient {
  private static final int REFUSED = 300;

  private final URI url;
  private final WebhookSignature signature;
  private final OutboundHttp http;
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
    this.http = new OutboundHttp(property, settings.ca());
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
