package dev.vigil.gateway.accounts;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Keeps cookies as a browser does, and sends the header that the page sends. */
final class BrowserClient {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpTestClient http;
  private final Map<String, String> cookies = new LinkedHashMap<>();
  private boolean sendsCsrfHeader = true;

  BrowserClient(InProcessGateway gateway) {
    this(gateway.address("http"));
  }

  /**
   * @param base address under which the browser reaches the gateway
   */
  BrowserClient(String base) {
    this.http = new HttpTestClient(base);
  }

  /** As a page of another site would send, if the browser let it. */
  void omitCsrfHeader() {
    sendsCsrfHeader = false;
  }

  String cookie(String name) {
    return cookies.getOrDefault(name, "");
  }

  void setCookie(String name, String value) {
    cookies.put(name, value);
  }

  HttpResponse<String> send(String method, String path, String json, String... headers) {
    HttpRequest.Builder request =
        http.to(path).method(method, HttpRequest.BodyPublishers.ofString(json));
    if (!json.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    if (!cookies.isEmpty()) {
      request.header(
          "Cookie",
          String.join(
              "; ",
              cookies.entrySet().stream().map(c -> c.getKey() + "=" + c.getValue()).toList()));
    }
    if (sendsCsrfHeader) {
      request.header("X-Vigil-CSRF", "1");
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<String> response = http.send(request);
    response.headers().allValues("Set-Cookie").forEach(this::keep);
    return response;
  }

  private void keep(String header) {
    String[] cookie = header.split(";", 2)[0].split("=", 2);
    if (cookie[1].isEmpty()) {
      cookies.remove(cookie[0]);
    } else {
      cookies.put(cookie[0], cookie[1]);
    }
  }

  HttpResponse<String> get(String path) {
    return send("GET", path, "");
  }

  int status(String method, String path, String json) {
    return send(method, path, json).statusCode();
  }

  HttpResponse<String> signIn(String account, String password) {
    return send(
        "POST",
        "/api/session",
        "{\"account\":\"%s\",\"password\":\"%s\"}".formatted(account, password));
  }

  HttpResponse<String> changePassword(String present, String wanted) {
    return send(
        "PUT",
        "/api/session/password",
        "{\"password\":\"%s\",\"newPassword\":\"%s\"}".formatted(present, wanted));
  }

  static JsonNode json(HttpResponse<String> response) {
    return JSON.readTree(response.body());
  }
}
