package dev.vigil.gateway.northbound.webhook;

import dev.vigil.gateway.northbound.OutboundHttp;
import dev.vigil.gateway.northbound.Probe;
import dev.vigil.gateway.northbound.events.CloudEvent;
import dev.vigil.gateway.northbound.probe.FirstLine;
import dev.vigil.gateway.northbound.template.BodyTemplate;
import dev.vigil.gateway.northbound.template.EventNames;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends events only to one address from the settings. Messages never show the address because it
 * may contain a secret.
 */
final class WebhookClient {
  private static final int REFUSED = 300;

  private final URI url;
  private final @Nullable WebhookSignature signature;
  private final Optional<BodyTemplate> template;
  private final String contentType;
  private final WebhookHeaders headers;
  private final OutboundHttp http;
  private final Clock clock;

  /**
   * @param property the prefix of the settings, for messages
   * @throws IOException with a message that begins with "cannot" and names the unusable file
   */
  WebhookClient(
      String property, URI url, WebhookProperties settings, EventNames.Links links, Clock clock)
      throws IOException {
    this.url = url;
    this.signature =
        settings.secretFile().isEmpty()
            ? null
            : WebhookSignature.read(property + ".secret-file", settings.secretFile());
    this.template = settings.template(property, links);
    this.contentType =
        template.isPresent() ? settings.contentType() : "application/cloudevents+json";
    this.headers = new WebhookHeaders(property, settings);
    this.headers.read();
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
    Optional<String> body = body(event);
    if (body.isEmpty()) {
      return true;
    }
    int status = post(event, body.get(), HttpResponse.BodyHandlers.discarding()).statusCode();
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

  /** Sends an event once, and returns the server's answer. */
  Probe.Answer probe(CloudEvent event) throws IOException, InterruptedException {
    Optional<String> body = body(event);
    if (body.isEmpty()) {
      return new Probe.Answer(false, "nothing was sent: the body for a test is empty");
    }
    HttpResponse<String> answer = post(event, body.get(), FirstLine.handler());
    return new Probe.Answer(
        answer.statusCode() < REFUSED, FirstLine.of(answer, url, headers.read().values()));
  }

  /** Empty: the template leaves the event out. */
  private Optional<String> body(CloudEvent event) {
    return template.isEmpty() ? Optional.of(event.json()) : template.get().render(event.json());
  }

  private <T> HttpResponse<T> post(
      CloudEvent event, String body, HttpResponse.BodyHandler<T> answers)
      throws IOException, InterruptedException {
    byte[] octets = body.getBytes(StandardCharsets.UTF_8);
    long seconds = clock.instant().getEpochSecond();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", contentType)
            .header("webhook-id", event.id())
            .header("webhook-timestamp", Long.toString(seconds))
            .POST(HttpRequest.BodyPublishers.ofByteArray(octets));
    if (signature != null) {
      request.header("webhook-signature", signature.of(event.id(), seconds, octets));
    }
    for (Map.Entry<String, String> header : headers.read().entrySet()) {
      request.header(header.getKey(), header.getValue());
    }
    return http.send(request.build(), answers);
  }

  void close() {
    http.close();
  }
}
