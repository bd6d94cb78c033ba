package dev.vigil.gateway.webpush;

import dev.vigil.gateway.northbound.OutboundHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;

/**
 * Sends messages to push services. Addresses come from browsers, so each is compared with the
 * settings again before its use; redirects are not followed and answers are not read.
 */
public final class PushClient implements PushService {
  private static final Duration KEPT = Duration.ofDays(1);
  private static final int SUCCESS_END = 300;

  private final WebPushProperties settings;
  private final VapidKey key;
  private final OutboundHttp http;
  private final SecureRandom random;
  private final Clock clock;

  /**
   * @throws IOException with a message that begins with "cannot" and names the unusable file
   */
  public PushClient(WebPushProperties settings, VapidKey key, SecureRandom random, Clock clock)
      throws IOException {
    this.settings = settings;
    this.key = key;
    this.http = new OutboundHttp("web-push", settings.ca());
    this.random = random;
    this.clock = clock;
  }

  @Override
  public Answer send(URI address, BrowserKeys browser, byte[] message, String topic, boolean urgent)
      throws IOException, InterruptedException {
    if (!settings.permits(address)) {
      return new Answer(Outcome.GONE, 0);
    }
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header(
                "Authorization", key.authorization(address, settings.contact(), clock.instant()))
            .header("Content-Encoding", "aes128gcm")
            .header("Content-Type", "application/octet-stream")
            .header("TTL", Long.toString(KEPT.toSeconds()))
            .header("Topic", topic)
            .header("Urgency", urgent ? "high" : "normal")
            .POST(
                HttpRequest.BodyPublishers.ofByteArray(
                    PushContent.encrypt(message, browser, random)))
            .build();
    int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    return switch (status) {
      case 404, 410 -> new Answer(Outcome.GONE, status);
      case 400, 401, 403, 413 -> new Answer(Outcome.REFUSED, status);
      default -> {
        if (status >= SUCCESS_END) {
          throw OutboundHttp.failure(status);
        }
        yield new Answer(Outcome.SENT, status);
      }
    };
  }

  @Override
  public void close() {
    http.close();
  }
}
