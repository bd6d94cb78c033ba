package dev.vigil.gateway;

import dev.vigil.gateway.access.OperatorToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An HTTP client with the operator's token. */
public final class OperatorClient {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpTestClient http;
  private final String token;

  public OperatorClient(InProcessGateway gateway) {
    this.http = new HttpTestClient(gateway.address("http"));
    try {
      this.token = Files.readString(gateway.bean(OperatorToken.class).file()).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String token() {
    return token;
  }

  public HttpResponse<String> get(String path) {
    return send("GET", path, "", "");
  }

  public HttpResponse<String> post(String path) {
    return send("POST", path, "", "");
  }

  public HttpResponse<String> send(String method, String path, String type, String body) {
    HttpRequest.Builder request =
        http.to(path)
            .header("Authorization", "Bearer " + token)
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    return http.send(type.isEmpty() ? request : request.header("Content-Type", type));
  }

  /** Returns the JSON of a successful GET; otherwise throws with the whole response. */
  public JsonNode read(String path) {
    HttpResponse<String> response = get(path);
    if (response.statusCode() != 200) {
      throw new IllegalStateException(path + ": " + response.statusCode() + " " + response.body());
    }
    return JSON.readTree(response.body());
  }
}
