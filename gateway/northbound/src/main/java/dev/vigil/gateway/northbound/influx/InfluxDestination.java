package dev.vigil.gateway.northbound.influx;

import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.OutboundHttp;
import dev.vigil.gateway.northbound.Probe;
import dev.vigil.gateway.northbound.probe.FirstLine;
import dev.vigil.store.Change;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database that receives values over HTTP, many in a request. If it refuses a request, each
 * change is sent alone, so that one bad point does not block the others.
 */
final class InfluxDestination implements Destination {
  private static final Logger log = LoggerFactory.getLogger(InfluxDestination.class);
  private static final int SUCCESS_END = 300;
  private static final long MAX_ANSWER = 64L << 10;
  private static final int MAX_REASON = 200;

  private final String name;
  private final boolean replay;
  private final URI url;
  private final Token token;
  private final OutboundHttp http;
  private final InfluxPoints points;
  private final Clock clock;
  private final AtomicLong refused = new AtomicLong();

  /** Reads the token for the header {@code Authorization}; empty: no header. */
  @FunctionalInterface
  interface Token {
    String read() throws IOException;
  }

  InfluxDestination(
      String name,
      boolean replay,
      URI url,
      Token token,
      OutboundHttp http,
      InfluxPoints points,
      Clock clock) {
    this.name = name;
    this.replay = replay;
    this.url = url;
    this.token = token;
    this.http = http;
    this.points = points;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "influxdb:" + name;
  }

  @Override
  public boolean replay() {
    return replay;
  }

  @Override
  public boolean concerns(Change change) {
    return points.readings(change) > 0;
  }

  @Override
  public int readings(Change change) {
    return points.readings(change);
  }

  @Override
  public boolean connect() {
    return false;
  }

  @Override
  public void deliver(List<Change> changes, Consumer<Change> delivered)
      throws IOException, InterruptedException {
    LineProtocol lines = new LineProtocol();
    changes.forEach(change -> points.add(change, lines));
    HttpResponse<String> answer = lines.isEmpty() ? null : post(lines.toString());
    if (answer != null && isRefused(answer)) {
      if (changes.size() > 1) {
        for (Change change : changes) {
          deliver(List.of(change), delivered);
        }
        return;
      }
      refused.incrementAndGet();
      log.warn(
          "{} refused sequence {} of {} permanently: {}",
          name(),
          changes.getFirst().high(),
          changes.getFirst().endpoint().ep(),
          reason(answer));
    }
    changes.forEach(delivered);
  }

  /** Whether the points are at fault, not the server or the credentials. */
  private static boolean isRefused(HttpResponse<String> answer) {
    return switch (answer.statusCode()) {
      case 400, 413, 422 -> true;
      default -> false;
    };
  }

  private static String reason(HttpResponse<String> answer) {
    String text = answer.body().replaceAll("\\p{Cntrl}+", " ").strip();
    return answer.statusCode() + " " + text.substring(0, Math.min(MAX_REASON, text.length()));
  }

  private HttpResponse<String> post(String lines) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            request(lines, token.read()),
            HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofString(), MAX_ANSWER));
    if (answer.statusCode() >= SUCCESS_END && !isRefused(answer)) {
      throw OutboundHttp.failure(answer.statusCode());
    }
    return answer;
  }

  private HttpRequest request(String lines, String secret) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "text/plain; charset=utf-8")
            .POST(HttpRequest.BodyPublishers.ofString(lines));
    if (!secret.isEmpty()) {
      request.header("Authorization", "Token " + secret);
    }
    return request.build();
  }

  @Override
  public Optional<Probe> probe() {
    return Optional.of(
        at -> {
          String secret = token.read();
          HttpResponse<String> answer =
              http.send(request(points.test(at), secret), FirstLine.handler());
          return new Probe.Answer(
              answer.statusCode() < SUCCESS_END, FirstLine.of(answer, url, List.of(secret)));
        });
  }

  @Override
  public void reportLost(long number) throws IOException, InterruptedException {
    post(points.lost(number, clock.instant()));
  }

  @Override
  public long refused() {
    return refused.get();
  }

  @Override
  public void close() {
    http.close();
  }
}
