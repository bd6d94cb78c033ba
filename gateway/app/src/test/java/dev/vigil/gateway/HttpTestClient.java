package dev.vigil.gateway;

import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** A short form of the JDK's HTTP client. */
public final class HttpTestClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final String base;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  public HttpTestClient(String base) {
    this.base = base;
  }

  public HttpClient client() {
    return client;
  }

  public HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(base + path)).timeout(TIMEOUT);
  }

  public HttpResponse<String> get(String path, String... headers) {
    HttpRequest.Builder request = to(path);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request);
  }

  public HttpResponse<String> send(String method, String path, String type, String body) {
    return send(
        to(path)
            .header("Content-Type", type)
            .method(method, HttpRequest.BodyPublishers.ofString(body)));
  }

  public HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Registers over HTTP and returns the path of the mirror's entry. */
  public String register(SleepyEndpoint sleeper, long seq, String links) {
    HttpResponse<String> response =
        send(
            "POST", "/ms?ep=" + sleeper.ep(), "application/jose", sleeper.registration(seq, links));
    if (response.statusCode() != 201) {
      throw new IllegalStateException(response.statusCode() + " " + response.body());
    }
    return response.headers().firstValue("Location").orElseThrow();
  }
}
