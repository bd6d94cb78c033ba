package dev.vigil.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads an open event stream. */
public final class EventReader implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final BufferedReader lines;
  private String lastId = "";

  /** Opens the stream and reads its beginning. */
  public EventReader(HttpTestClient http, String... headers)
      throws IOException, InterruptedException {
    this("/api/events", http, headers);
  }

  /** Opens another stream. */
  public EventReader(String path, HttpTestClient http, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = http.to(path);
    if (headers.length > 0) {
      request.headers(headers);
    }
    HttpResponse<InputStream> answer =
        http.client().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    assertThat(answer.statusCode()).isEqualTo(200);
    lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    for (String line = line(); !line.isEmpty(); line = line()) {
      readId(line);
    }
  }

  private String line() throws IOException {
    String line = lines.readLine();
    if (line == null) {
      throw new AssertionError("the stream ended");
    }
    return line;
  }

  private void readId(String line) {
    if (line.startsWith("id:")) {
      lastId = line.substring("id:".length());
    }
  }

  /** The id from which a client would resume. */
  public String lastId() {
    return lastId;
  }

  /** The data of the next wanted event of that name. */
  public JsonNode next(String event, Predicate<JsonNode> wanted) throws IOException {
    String name = "";
    while (true) {
      String line = line();
      readId(line);
      if (line.startsWith("event:")) {
        name = line.substring("event:".length());
      } else if (line.startsWith("data:") && name.equals(event)) {
        JsonNode data = JSON.readTree(line.substring("data:".length()));
        if (wanted.test(data)) {
          return data;
        }
      }
    }
  }

  public JsonNode next(String event) throws IOException {
    return next(event, data -> true);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
