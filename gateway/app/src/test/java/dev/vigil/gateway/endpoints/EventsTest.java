package dev.vigil.gateway.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.EventReader;
import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Endpoints over REST and as a stream of events. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class EventsTest {
  private static final String LINKS = "</temp>;rt=\"temperature\"";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private HttpTestClient http;

  @BeforeAll
  void start() {
    gateway =
        new InProcessGateway(folder, "--vigil.trust=first-use", "--vigil.anonymous-read=true");
    http = new HttpTestClient(gateway.address("http"));
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private record Event(String id, String name, JsonNode data) {}

  /** An open stream; the server starts it with a comment. */
  private HttpResponse<InputStream> request(String... headers) throws Exception {
    HttpRequest.Builder request = http.to("/api/events");
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.client().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
  }

  private final class Stream implements AutoCloseable {
    private final BufferedReader lines;

    Stream(String... headers) throws Exception {
      this(request(headers));
    }

    Stream(HttpResponse<InputStream> answer) throws IOException {
      assertThat(answer.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/event-stream");
      lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
      while (!lines.readLine().startsWith(":")) {
        // The line "retry:" precedes the comment.
      }
    }

    /** The next event other than an alarm: keys that wait for a decision raise one at any time. */
    Event next() throws IOException {
      Event event = read();
      while (event.name().equals("alarm")) {
        event = read();
      }
      return event;
    }

    private Event read() throws IOException {
      String id = "";
      String name = "";
      String data = "";
      while (data.isEmpty()) {
        String line = lines.readLine();
        if (line.startsWith("id:")) {
          id = line.substring(3);
        } else if (line.startsWith("event:")) {
          name = line.substring(6);
        } else if (line.startsWith("data:")) {
          data = line.substring(5);
        }
      }
      return new Event(id, name, JSON.readTree(data));
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }

  @Test
  void aStreamThatSentNothingCanBeResumedToo() throws Exception {
    String first;
    try (EventReader stream = new EventReader(http)) {
      first = stream.lastId();
    }
    http.register(new SleepyEndpoint("meanwhile"), 1, LINKS);
    try (EventReader stream = new EventReader(http, "Last-Event-ID", first)) {
      assertThat(stream.next("endpoint").get("ep").asString()).isEqualTo("meanwhile");
    }
  }

  @Test
  void aKeyThatRequestsTheNameOfAnotherIsReported() throws Exception {
    SleepyEndpoint owner = new SleepyEndpoint("wanted");
    String entry = http.register(owner, 1, LINKS);
    put(entry + "/temp", owner.update("temp", 2, 1));
    SleepyEndpoint other = new SleepyEndpoint("wanted");
    try (EventReader stream = new EventReader(http)) {
      http.send("POST", "/ms?ep=wanted", "application/jose", other.registration(3, LINKS));
      JsonNode reported = stream.next("keys", keys -> keys.get("keys").size() > 1);
      assertThat(reported.get("endpoint").asString()).isEqualTo(entry.substring(4));
      assertThat(reported.get("ep").asString()).isEqualTo("wanted");
      assertThat(reported.get("keys"))
          .isEqualTo(JSON.readTree(http.get("/api/keys?ep=wanted").body()).get("keys"));
      assertThat(reported.get("keys").findValuesAsString("state"))
          .containsExactlyInAnyOrder("trusted", "held");
    }
  }

  private void put(String path, String jws) {
    assertThat(http.send("PUT", path, "application/jose", jws).statusCode()).isIn(201, 204);
  }

  @Test
  void anUpdateIsSentAsAnEventWithTheEndpoint() throws Exception {
    SleepyEndpoint sleeper = new SleepyEndpoint("streamed");
    String entry = http.register(sleeper, 1, LINKS);
    try (Stream stream = new Stream()) {
      put(entry + "/temp", sleeper.update("temp", 2, 21.5));
      Event event = stream.next();
      assertThat(event.name()).isEqualTo("endpoint");
      assertThat(Long.parseLong(event.id())).isPositive();
      assertThat(event.data())
          .isEqualTo(JSON.readTree(http.get("/api/endpoints/" + entry.substring(4)).body()));
      JsonNode resource = event.data().get("resources").get(0);
      assertThat(event.data().get("ep").asString()).isEqualTo("streamed");
      assertThat(event.data().get("trust").asString()).isEqualTo("trusted");
      assertThat(event.data().get("keyThumbprint").asString()).isEqualTo(sleeper.jkt());
      assertThat(event.data().get("freshness").asString()).isEqualTo("on-time");
      assertThat(resource.get("href").asString()).isEqualTo(entry + "/temp");
      assertThat(resource.get("value").asDouble()).isEqualTo(21.5);
      assertThat(resource.get("unit").asString()).isEqualTo("Cel");
      assertThat(resource.get("seq").asLong()).isEqualTo(2);
      assertThat(resource.get("delayed").asBoolean()).isFalse();
    }
  }

  @Test
  void aResumedStreamSendsTheChangesInBetween() throws Exception {
    SleepyEndpoint one = new SleepyEndpoint("resumed-1");
    SleepyEndpoint two = new SleepyEndpoint("resumed-2");
    String first = http.register(one, 1, LINKS);
    String second = http.register(two, 1, LINKS);
    String last;
    try (Stream stream = new Stream()) {
      put(first + "/temp", one.update("temp", 2, 1));
      last = stream.next().id();
    }
    put(second + "/temp", two.update("temp", 2, 2));
    put(first + "/temp", one.update("temp", 3, 3));
    try (Stream stream = new Stream("Last-Event-ID", last)) {
      List<String> seen = new ArrayList<>();
      List<Long> ids = new ArrayList<>();
      while (seen.size() < 2) {
        Event event = stream.next();
        ids.add(Long.parseLong(event.id()));
        seen.add(event.data().get("ep").asString() + " " + event.data().get("high").asLong());
      }
      assertThat(seen).containsExactly("resumed-2 2", "resumed-1 3");
      assertThat(ids).isSorted().allMatch(id -> id > Long.parseLong(last));
    }
  }

  @Test
  void resumingTooFarBackGetsAMissedEvent() throws Exception {
    SleepyEndpoint sleeper = new SleepyEndpoint("bygone");
    String entry = http.register(sleeper, 1, LINKS);
    for (long left = EventsController.MAX_REPLAY + 1; left > 0; left -= 5_000) {
      changeSomethingElse(5_000);
    }
    try (Stream stream = new Stream("Last-Event-ID", "0")) {
      Event first = stream.next();
      assertThat(first.name()).isEqualTo("missed");
      put(entry + "/temp", sleeper.update("temp", 2, 1));
      Event second = stream.next();
      assertThat(second.name()).isEqualTo("endpoint");
      assertThat(second.data().get("ep").asString()).isEqualTo("bygone");
      assertThat(Long.parseLong(second.id())).isGreaterThan(Long.parseLong(first.id()));
    }
  }

  private void changeSomethingElse(int times) throws Exception {
    Store store = gateway.bean(Store.class);
    CompletableFuture<?>[] landed =
        IntStream.range(0, times)
            .mapToObj(
                i ->
                    new Batch(
                        new EndpointName(".other-" + i % 100, ""),
                        Instant.EPOCH,
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        List.of(new Fact("other", 1, new byte[] {1}))))
            .map(store::submit)
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(landed).get(50, TimeUnit.SECONDS);
  }

  @Test
  void refusedRequestsDoNotCountAsStreams() throws Exception {
    for (int i = 0; i < 300; i++) {
      assertThat(http.get("/api/events", "Last-Event-ID", "x").statusCode()).isEqualTo(400);
    }
    try (Stream stream = new Stream()) {
      assertThat(stream).isNotNull();
    }
  }

  @Test
  void closedStreamsDoNotCount() throws Exception {
    for (int i = 0; i < 300; i++) {
      try (Stream stream = new Stream()) {
        assertThat(stream).isNotNull();
      }
      if (i % 100 == 99) {
        // The server notices a closed connection when it sends the next event.
        SleepyEndpoint sleeper = new SleepyEndpoint("passing-" + i);
        try (Stream stream = new Stream()) {
          put(http.register(sleeper, 1, LINKS) + "/temp", sleeper.update("temp", 2, 1));
          stream.next();
        }
      }
    }
  }

  @Test
  void someStreamsAreReservedForAuthenticatedClients() throws Exception {
    List<Stream> open = new ArrayList<>();
    try {
      int refused = 0;
      while (refused == 0) {
        assertThat(open).hasSizeLessThan(256);
        HttpResponse<InputStream> answer = request();
        if (answer.statusCode() == 200) {
          open.add(new Stream(answer));
        } else {
          refused = answer.statusCode();
        }
      }
      assertThat(refused).isEqualTo(503);
      assertThat(statusOfStreamFrom("127.0.0.9")).as("another source has its share").isEqualTo(200);
      String token = new OperatorClient(gateway).token();
      SleepyEndpoint sleeper = new SleepyEndpoint("crowded");
      String entry = http.register(sleeper, 1, LINKS);
      try (Stream operators = new Stream("Authorization", "Bearer " + token)) {
        for (Stream stream : open) {
          stream.close();
        }
        for (int seq = 2; seq < 5; seq++) {
          // The server notices a closed connection when it sends the next event.
          put(entry + "/temp", sleeper.update("temp", seq, 1));
          assertThat(operators.next().name()).isEqualTo("endpoint");
        }
      }
    } finally {
      for (Stream stream : open) {
        stream.close();
      }
    }
  }

  private int statusOfStreamFrom(String address) throws Exception {
    try (HttpClient client =
        HttpClient.newBuilder().localAddress(InetAddress.ofLiteral(address)).build()) {
      var answer =
          client.send(http.to("/api/events").build(), HttpResponse.BodyHandlers.ofInputStream());
      answer.body().close();
      return answer.statusCode();
    }
  }

  @Test
  void endpointsAreFoundByNameAndId() throws Exception {
    SleepyEndpoint sleeper = new SleepyEndpoint("named");
    String entry = http.register(sleeper, 1, LINKS);
    JsonNode found = JSON.readTree(http.get("/api/endpoints?ep=named").body()).get("endpoints");
    assertThat(found).hasSize(1);
    assertThat(found.get(0))
        .isEqualTo(JSON.readTree(http.get("/api/endpoints/" + entry.substring(4)).body()));
    assertThat(JSON.readTree(http.get("/api/endpoints?ep=nobody").body()).get("endpoints"))
        .isEmpty();
    assertThat(JSON.readTree(http.get("/api/endpoints?ep=named&d=no").body()).get("endpoints"))
        .isEmpty();
  }

  @Test
  void errorsAreProblemDetailsWithoutInternals() throws Exception {
    for (String path : new String[] {"/api/endpoints/zzz", "/api/network", "/api/nothing"}) {
      HttpResponse<String> answer = http.get(path);
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
      assertThat(JSON.readTree(answer.body()).get("status").asInt()).isEqualTo(404);
      assertThat(answer.body()).doesNotContain("Exception", "trace");
    }
    assertThat(http.get("/api/events", "Last-Event-ID", "x").statusCode()).isEqualTo(400);
    assertThat(http.send("POST", "/api/endpoints", "application/json", "{}").statusCode())
        .isEqualTo(405);
  }
}
