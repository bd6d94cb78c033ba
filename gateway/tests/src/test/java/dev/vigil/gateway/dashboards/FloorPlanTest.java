package dev.vigil.gateway.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.dashboards.images.PlanImages;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Floor plans: their images, and the endpoints at their places. */
@Timeout(120)
class FloorPlanTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String JSON = "application/json";
  private static final String HALL = "/api/dashboards/hall";
  private static final String IMAGES = HALL + "/images";

  @TempDir static Path folder = Path.of("");

  /** The tests share it. */
  private static InProcessGateway gateway;

  private static HttpTestClient http;
  private static OperatorClient operator;
  private static int tokens;

  private final List<String> uploads = new ArrayList<>();

  @BeforeAll
  static void start() {
    gateway =
        new InProcessGateway(
            folder,
            "--vigil.domains.plant.trust=first-use",
            "--vigil.domains.office.trust=first-use");
    http = new HttpTestClient(gateway.address("http"));
    operator = new OperatorClient(gateway);
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  /** Images go after their dashboard. */
  @AfterEach
  void removeTheDashboard() {
    assertThat(operator.send("DELETE", HALL, "", "").statusCode()).isIn(204, 404);
    PlanImages images = gateway.bean(PlanImages.class);
    await().atMost(LONG).until(() -> uploads.stream().noneMatch(name -> images.has("hall", name)));
  }

  /** A PNG image that hardly compresses: about three octets for each pixel. */
  private static byte[] png(int width, int height, long seed) throws IOException {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Random random = new Random(seed);
    for (int i = 0; i < width * height; i++) {
      image.setRGB(i % width, i / width, random.nextInt());
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(ImageIO.write(image, "png", out)).isTrue();
    return out.toByteArray();
  }

  private HttpResponse<String> upload(String token, byte[] image) {
    return http.send(
        http.to(IMAGES)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/octet-stream")
            .POST(HttpRequest.BodyPublishers.ofByteArray(image)));
  }

  private String uploaded(byte[] image) {
    HttpResponse<String> answer = upload(operator.token(), image);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    String name = MAPPER.readTree(answer.body()).get("image").asString();
    uploads.add(name);
    return name;
  }

  private HttpResponse<byte[]> image(String token, String name, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        http.to(IMAGES + "/" + name).header("Authorization", "Bearer " + token);
    return http.client()
        .send(
            (headers.length == 0 ? request : request.headers(headers)).build(),
            HttpResponse.BodyHandlers.ofByteArray());
  }

  private HttpResponse<String> save(String members) {
    return operator.send(
        "PUT",
        HALL,
        JSON,
        "{\"tiles\":[{\"id\":\"p\",\"kind\":\"plan\",\"x\":0,\"y\":0,\"w\":6,\"h\":6%s}]}"
            .formatted(members));
  }

  private static String place(String endpoint) {
    return "{\"endpoint\":\"%s\",\"path\":\"temp\",\"x\":0.25,\"y\":0.123456}".formatted(endpoint);
  }

  private String token(String role) {
    String name = role.replace(':', '.') + "-" + ++tokens;
    String body = "{\"name\":\"%s\",\"roles\":[\"%s\"]}".formatted(name, role);
    return MAPPER
        .readTree(operator.send("POST", "/api/tokens", JSON, body).body())
        .get("token")
        .asString();
  }

  private String measured(SleepyEndpoint mote, String d) {
    String registration = mote.registration(1, "</temp>;rt=\"t\"", d);
    String id =
        http.send("POST", "/ms", "application/jose", registration)
            .headers()
            .firstValue("Location")
            .orElseThrow()
            .substring("/ms/".length());
    http.send("PUT", "/ms/" + id + "/temp", "application/jose", mote.update("temp", 2, 21.5));
    return id;
  }

  private JsonNode places(String token) {
    HttpResponse<String> answer = http.get(HALL + "/tiles", "Authorization", "Bearer " + token);
    return MAPPER.readTree(answer.body()).get("tiles").get(0).get("places");
  }

  @Test
  void anImageIsKeptInPiecesAndServedAsItWasUploaded() throws Exception {
    save("");
    byte[] large = png(400, 400, 1);
    assertThat(large.length).isBetween(450_000, PlanImages.MAX_OCTETS);
    String name = uploaded(large);
    assertThat(uploaded(large)).isEqualTo(name);
    assertThat(save(",\"image\":\"" + name + "\"").statusCode()).isEqualTo(200);
    stop();
    start();
    HttpResponse<byte[]> answer = image(token("viewer"), name);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(large);
    assertThat(answer.headers().firstValue("Content-Type")).contains("image/png");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(answer.headers().firstValue("Cache-Control").orElseThrow()).contains("private");
    assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'");
    String tag = answer.headers().firstValue("ETag").orElseThrow();
    assertThat(image(token("viewer:plant"), name, "If-None-Match", tag).statusCode())
        .isEqualTo(304);
    assertThat(operator.get("/api/audit").body())
        .contains("uploaded an image to dashboard hall")
        .doesNotContain("octets\":");
  }

  @Test
  void anImageGoesWithItsTileAndItsDashboard() throws Exception {
    PlanImages images = gateway.bean(PlanImages.class);
    save("");
    String one = uploaded(png(10, 10, 1));
    String two = uploaded(png(10, 10, 2));
    save(",\"image\":\"" + one + "\"");
    // An upload that is not saved yet stays.
    assertThat(images.has("hall", two)).isTrue();
    save(",\"image\":\"" + two + "\"");
    await().atMost(LONG).until(() -> !images.has("hall", one));
    HttpResponse<String> gone = save(",\"image\":\"" + one + "\"");
    assertThat(gone.statusCode()).isEqualTo(400);
    assertThat(gone.body()).contains("tiles[0].image: the dashboard has no such image");
    assertThat(operator.send("DELETE", HALL, "", "").statusCode()).isEqualTo(204);
    await().atMost(LONG).until(() -> !images.has("hall", two));
  }

  @Test
  void octetsThatAreNoSmallImageAreRefused() throws Exception {
    save("");
    byte[] image = png(20, 20, 1);
    byte[] svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>".getBytes(StandardCharsets.UTF_8);
    assertThat(upload(operator.token(), svg).body()).contains("is no PNG, JPEG or WebP");
    HttpResponse<String> cut = upload(operator.token(), Arrays.copyOf(image, image.length - 5));
    assertThat(cut.statusCode()).isEqualTo(400);
    assertThat(cut.body()).contains("/problems/invalid-body", "the image is cut off");
    assertThat(upload(operator.token(), new byte[0]).statusCode()).isEqualTo(400);
    HttpResponse<String> large =
        upload(operator.token(), Arrays.copyOf(image, PlanImages.MAX_OCTETS + 1));
    assertThat(large.statusCode()).isEqualTo(413);
    assertThat(large.body()).contains("524288 octets");
    assertThat(upload(operator.token(), png(4097, 1, 1)).body())
        .contains("has 4097 x 1 pixels: both take 1 to 4096");
  }

  @Test
  void aGatewayKeepsAtMost64Images() throws Exception {
    save("");
    for (int i = 0; i < 64; i++) {
      uploaded(png(2, 2, i));
    }
    HttpResponse<String> full = upload(operator.token(), png(2, 2, 64));
    assertThat(full.statusCode()).isEqualTo(409);
    assertThat(full.body()).contains("/problems/limit-reached", "64");
  }

  @Test
  void onlyOperatorsUploadAndViewersSeeOnlySavedImages() throws Exception {
    save("");
    byte[] octets = png(10, 10, 1);
    assertThat(upload(token("viewer"), octets).statusCode()).isEqualTo(403);
    assertThat(upload(token("operator:plant"), octets).statusCode()).isEqualTo(403);
    String name = uploaded(octets);
    assertThat(image(token("viewer:office"), name).statusCode()).isEqualTo(403);
    assertThat(image(operator.token(), name).statusCode()).isEqualTo(200);
    assertThat(image(operator.token(), "x".repeat(43)).statusCode()).isEqualTo(404);
    operator.send(
        "PUT",
        HALL,
        JSON,
        "{\"d\":\"plant\",\"tiles\":[{\"id\":\"p\",\"kind\":\"plan\",\"x\":0,\"y\":0,\"w\":1,\"h\":1,"
            + "\"image\":\"%s\"}]}".formatted(name));
    assertThat(image(token("viewer:plant"), name).statusCode()).isEqualTo(200);
    String ofOffice = token("operator:office");
    assertThat(image(ofOffice, name).statusCode()).isEqualTo(404);
  }

  @Test
  void placesShowStatesValuesAndAlarmsThatTheViewerMayRead() {
    String oven = measured(new SleepyEndpoint("oven"), "plant");
    String desk = measured(new SleepyEndpoint("desk"), "office");
    String rule =
        "{\"kind\":\"value\",\"severity\":\"warning\",\"ep\":\"oven\",\"path\":\"temp\",\"above\":20}";
    HttpResponse<String> made = operator.send("PUT", "/api/alarm-rules/hot", JSON, rule);
    assertThat(made.statusCode()).as(made.body()).isBetween(200, 201);
    HttpResponse<String> saved =
        save(
            ",\"places\":[%s,%s,%s,{\"endpoint\":\"%s\",\"x\":0,\"y\":1}]"
                .formatted(place(oven), place(desk), place("zzzz"), oven));
    assertThat(saved.statusCode()).as(saved.body()).isEqualTo(200);
    assertThat(saved.body()).contains("\"x\":0.25,\"y\":0.1235");
    await().atMost(LONG).until(() -> places(operator.token()).get(0).get("alarm").asBoolean());
    JsonNode all = places(operator.token());
    assertThat(all.get(0).get("endpoint").get("freshness").asString()).isEqualTo("on-time");
    assertThat(all.get(0).get("value").get("value").asDouble()).isEqualTo(21.5);
    assertThat(all.get(1).get("alarm").asBoolean()).isFalse();
    assertThat(all.get(2).get("sight").asString()).isEqualTo("gone");
    assertThat(all.get(3).has("value")).isFalse();
    JsonNode ofPlant = places(token("viewer:plant"));
    assertThat(ofPlant.get(0).get("sight").asString()).isEqualTo("shown");
    assertThat(ofPlant.get(1).toString()).isEqualTo("{\"sight\":\"no-right\",\"alarm\":false}");
  }

  @Test
  void aPlanHasAtMost250Places() {
    String many =
        IntStream.range(0, 250).mapToObj(i -> place("e" + i)).collect(Collectors.joining(","));
    assertThat(save(",\"places\":[" + many + "]").statusCode()).isEqualTo(200);
    assertThat(save(",\"places\":[" + many + "," + place("x") + "]").body())
        .contains("tiles[0].places: has more than 250 items");
    for (List<String> wrong :
        List.of(
            List.of("{\"endpoint\":\"a\",\"x\":1.01,\"y\":0}", "places[0].x: takes 0 to 1"),
            List.of("{\"endpoint\":\"a\",\"x\":0}", "places[0].y: is missing"),
            List.of("{\"x\":0,\"y\":0}", "places[0].endpoint: is no id"),
            List.of("null", "places[0]: is null"))) {
      assertThat(save(",\"places\":[" + wrong.getFirst() + "]").body()).contains(wrong.getLast());
    }
    assertThat(save(",\"image\":\"../etc\"").body()).contains("image: is no name of an image");
  }
}
