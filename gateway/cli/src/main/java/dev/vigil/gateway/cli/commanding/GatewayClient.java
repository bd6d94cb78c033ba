package dev.vigil.gateway.cli.commanding;

import dev.vigil.gateway.commanders.CommandException;
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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks a gateway over HTTP with a token. */
final class GatewayClient implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final URI gateway;
  private final String token;

  /**
   * @param token empty for none
   */
  GatewayClient(URI gateway, String token) {
    this.gateway = gateway;
    this.token = token;
  }

  /** Text as a part of a path or query. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /**
   * @throws CommandException when the gateway refuses, with its reason
   */
  JsonNode get(String path) throws IOException, InterruptedException, CommandException {
    return answer(
        http.send(to(path).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString()));
  }

  JsonNode post(String path, String type, String body)
      throws IOException, InterruptedException, CommandException {
    HttpRequest.Builder request =
        to(path)
            .timeout(PATIENCE)
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body));
    return answer(http.send(request.build(), HttpResponse.BodyHandlers.ofString()));
  }

  /** The lines of the event stream; it begins before this returns. */
  BufferedReader events() throws IOException, InterruptedException, CommandException {
    HttpRequest request = to("/api/events").build();
    HttpResponse<InputStream> stream =
        http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    if (stream.statusCode() != 200) {
      String why = new String(stream.body().readAllBytes(), StandardCharsets.UTF_8);
      throw refused(stream.statusCode(), why);
    }
    return new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
  }

  private HttpRequest.Builder to(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(gateway.resolve(path));
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  private static JsonNode answer(HttpResponse<String> response) throws CommandException {
    if (response.statusCode() / 100 != 2) {
      throw refused(response.statusCode(), response.body());
    }
    return parsed(response.body());
  }

  static JsonNode parsed(String text) throws CommandException {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      throw new CommandException("the answer is not JSON: does --url name a gateway?");
    }
  }

  private static CommandException refused(int status, String body) throws CommandException {
    String detail = body.startsWith("{") ? parsed(body).path("detail").asString("") : "";
    String hint =
        status == 401
            ? " (--token FILE names a file with a token, for instance operator.token)"
            : "";
    return new CommandException("the gateway refuses, %d: %s%s".formatted(status, detail, hint));
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
