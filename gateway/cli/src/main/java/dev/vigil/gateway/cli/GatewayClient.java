package dev.vigil.gateway.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of a running gateway. It sends HTTP requests with a token and receives JSON. */
public final class GatewayClient implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient http;
  private final URI gateway;
  private final String token;
  private final Duration timeout;

  /**
   * @param token empty for none
   * @param tls the authorities that HTTPS trusts; null: Java's authorities
   * @param timeout of one request
   */
  GatewayClient(URI gateway, String token, @Nullable SSLContext tls, Duration timeout) {
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT);
    if (tls != null) {
      builder.sslContext(tls);
    }
    this.http = builder.build();
    this.gateway = gateway;
    this.token = token;
    this.timeout = timeout;
  }

  /** Encodes text for use in a path or query. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Removes control characters, because text from a gateway must not control the terminal. */
  public static String printable(String text) {
    return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }

  /**
   * @throws CliException when the gateway does not answer or refuses, with its reason
   */
  public JsonNode get(String path) throws InterruptedException, CliException {
    return send(to(path).timeout(timeout).build());
  }

  /**
   * @param body may be empty
   * @throws CliException when the gateway does not answer or refuses, with its reason
   */
  public JsonNode post(String path, String type, String body)
      throws InterruptedException, CliException {
    return send(
        to(path)
            .timeout(timeout)
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  /**
   * Opens the event stream and returns its lines; the stream has begun when this method returns.
   *
   * @throws CliException when the gateway does not answer or refuses, with its reason
   */
  public BufferedReader events() throws InterruptedException, CliException {
    try {
      HttpResponse<InputStream> stream =
          http.send(to("/api/events").build(), HttpResponse.BodyHandlers.ofInputStream());
      if (stream.statusCode() != 200) {
        String why = new String(stream.body().readAllBytes(), StandardCharsets.UTF_8);
        throw refused(stream.statusCode(), why);
      }
      return new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw silent();
    }
  }

  private HttpRequest.Builder to(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(gateway.resolve(path));
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  private JsonNode send(HttpRequest request) throws InterruptedException, CliException {
    HttpResponse<String> response;
    try {
      response = http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw silent();
    }
    if (response.statusCode() / 100 != 2) {
      throw refused(response.statusCode(), response.body());
    }
    return parsed(response.body());
  }

  private CliException silent() {
    return new CliException(
        "no gateway answers at " + gateway + ": start it, or name another gateway with --url");
  }

  public static JsonNode parsed(String text) throws CliException {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      throw new CliException("the answer is not JSON: does --url name a gateway?");
    }
  }

  private static CliException refused(int status, String body) throws CliException {
    String detail = body.startsWith("{") ? parsed(body).path("detail").asString("") : "";
    String hint =
        status == 401
            ? " (--token FILE names a file with a token, for instance operator.token)"
            : "";
    return new CliException(
        printable("the gateway refuses, %d: %s%s".formatted(status, detail, hint)));
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
