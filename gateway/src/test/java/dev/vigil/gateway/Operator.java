package dev.vigil.gateway;

import dev.vigil.gateway.access.OperatorToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whoever may read the operator's token, over HTTP. */
public final class Operator {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Web web;
  private final String token;

  public Operator(InProcess gateway) {
    this.web = new Web(gateway.address("http"));
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
        web.to(path)
            .header("Authorization", "Bearer " + token)
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    return web.send(type.isEmpty() ? request : request.header("Content-Type", type));
  }

  /** What a GET brings, or fails with the whole answer. */
  public JsonNode read(String path) {
    HttpResponse<String> answer = get(path);
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(path + ": " + answer.statusCode() + " " + answer.body());
    }
    return JSON.readTree(answer.body());
  }
}
