package dev.vigil.gateway.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.EventReader;
import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Links that show one dashboard without an account: what they open, and when they end. */
@Timeout(120)
class WallboardTest {
  private static final String PASSWORD = "correct horse battery";
  private static final String JSON = "application/json";
  private static final String HALL = "/api/dashboards/hall";
  private static final List<String> OPEN =
      List.of("GET /api/dashboards", "GET " + HALL, "GET " + HALL + "/tiles");

  @TempDir Path folder = Path.of("");

  private InProcessGateway gateway;
  private HttpTestClient http;
  private OperatorClient operator;
  private BrowserClient ann;
  private String ovenId;
  private String deskId;

  private void start() {
    // Strangers may read: a link must not even have their rights.
    gateway =
        new InProcessGateway(
            folder,
            "--vigil.anonymous-read=true",
            "--vigil.domains.plant.trust=first-use",
            "--vigil.domains.plant.read=identified",
            "--vigil.domains.office.trust=first-use",
            "--vigil.domains.office.read=identified");
    http = new HttpTestClient(gateway.address("http"));
    operator = new OperatorClient(gateway);
  }

  @BeforeEach
  void prepare() {
    start();
    SleepyEndpoint oven = new SleepyEndpoint("oven");
    SleepyEndpoint desk = new SleepyEndpoint("desk");
    ovenId = register(oven, "plant");
    deskId = register(desk, "office");
    measure(oven, ovenId, 2);
    measure(desk, deskId, 2);
    ann = account("ann", "operator");
    put("hall", "", ovenId, deskId);
    put("lobby", "", deskId);
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private String register(SleepyEndpoint mote, String d) {
    String registration = mote.registration(1, "</temp>;rt=\"t\"", d);
    HttpResponse<String> answer = http.send("POST", "/ms", "application/jose", registration);
    return answer.headers().firstValue("Location").orElseThrow().substring("/ms/".length());
  }

  private void measure(SleepyEndpoint mote, String id, long seq) {
    String update = mote.update("temp", seq, 20 + seq);
    assertThat(http.send("PUT", "/ms/" + id + "/temp", "application/jose", update).statusCode())
        .isBetween(200, 204);
  }

  private BrowserClient account(String name, String role) {
    String body = "{\"name\":\"%s\",\"roles\":[\"%s\"]}".formatted(name, role);
    HttpResponse<String> made = operator.send("POST", "/api/accounts", JSON, body);
    String oneTime = BrowserClient.json(made).get("oneTimePassword").asString();
    BrowserClient browser = new BrowserClient(gateway);
    browser.signIn(name, oneTime);
    assertThat(browser.changePassword(oneTime, PASSWORD).statusCode()).isEqualTo(200);
    return browser;
  }

  private void put(String dashboard, String members, String... endpoints) {
    List<String> tiles = new ArrayList<>();
    for (String id : endpoints) {
      tiles.add(
          "{\"id\":\"t%d\",\"kind\":\"value\",\"x\":0,\"y\":0,\"w\":1,\"h\":1,\"sources\":[{\"endpoint\":\"%s\",\"path\":\"temp\"}]}"
              .formatted(tiles.size(), id));
    }
    String body = "{%s\"tiles\":[%s]}".formatted(members, String.join(",", tiles));
    HttpResponse<String> answer = operator.send("PUT", "/api/dashboards/" + dashboard, JSON, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private JsonNode link(BrowserClient maker, String body) {
    HttpResponse<String> made = maker.send("POST", HALL + "/links", body);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    return BrowserClient.json(made);
  }

  private String token() {
    return link(ann, "{\"name\":\"Screen in hall 3\"}").get("token").asString();
  }

  private HttpResponse<String> as(String token, String method, String path, String body) {
    HttpRequest.Builder request =
        http.to(path)
            .header("Authorization", "Bearer " + token)
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    return http.send(body.isEmpty() ? request : request.header("Content-Type", JSON));
  }

  private int status(String token, String path) {
    return as(token, "GET", path, "").statusCode();
  }

  private List<String> sights(String token) {
    return BrowserClient.json(as(token, "GET", HALL + "/tiles", ""))
        .get("tiles")
        .valueStream()
        .map(tile -> tile.get("sight").asString())
        .toList();
  }

  @Test
  void aLinkShowsItsDashboardAcrossARestart() {
    JsonNode made = link(ann, "{\"name\":\"Screen in hall 3\",\"days\":30}");
    String token = made.get("token").asString();
    assertThat(token).matches("vigil_link_[A-Za-z0-9_-]{16}\\.[A-Za-z0-9_-]{43}");
    assertThat(BrowserClient.json(as(token, "GET", "/api/dashboards", "")).get("dashboards"))
        .singleElement()
        .satisfies(one -> assertThat(one.get("id").asString()).isEqualTo("hall"));
    assertThat(sights(token)).containsExactly("shown", "shown");
    stop();
    start();
    assertThat(sights(token)).containsExactly("shown", "shown");
    JsonNode listed = operator.read(HALL + "/links").get("links").get(0);
    assertThat(listed.get("name").asString()).isEqualTo("Screen in hall 3");
    assertThat(listed.get("maker").asString()).isEqualTo("ann");
    assertThat(listed.get("usedAt").asString()).isNotEmpty();
    assertThat(listed.has("token")).isFalse();
    String audit = operator.get("/api/audit").body();
    assertThat(audit).contains("made link Screen in hall 3 of dashboard hall");
    assertThat(audit).doesNotContain(token, "hash");
  }

  @Test
  void aLinkShowsTheImagesOfItsDashboardOnly() throws IOException {
    String token = token();
    BufferedImage pixel = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(ImageIO.write(pixel, "png", out)).isTrue();
    String image = "";
    for (String dashboard : List.of("hall", "lobby")) {
      HttpRequest.Builder request =
          http.to("/api/dashboards/" + dashboard + "/images")
              .header("Authorization", "Bearer " + operator.token())
              .POST(HttpRequest.BodyPublishers.ofByteArray(out.toByteArray()));
      image = BrowserClient.json(http.send(request)).get("image").asString();
    }
    String path = "/api/dashboards/%s/images/" + image;
    assertThat(status(token, path.formatted("hall"))).as("no tile shows it").isEqualTo(403);
    String plan =
        "{\"tiles\":[{\"id\":\"p\",\"kind\":\"plan\",\"x\":0,\"y\":0,\"w\":1,\"h\":1,\"image\":\"%s\"}]}"
            .formatted(image);
    for (String dashboard : List.of("hall", "lobby")) {
      operator.send("PUT", "/api/dashboards/" + dashboard, JSON, plan);
    }
    assertThat(status(token, path.formatted("hall"))).isEqualTo(200);
    assertThat(status(token, path.formatted("lobby"))).isEqualTo(403);
    assertThat(as(token, "POST", HALL + "/images", "x").statusCode()).isEqualTo(403);
  }

  /** Every operation and shared resource of the access matrix, by a valid link. */
  @Test
  void aLinkOpensNothingElse() throws IOException {
    String token = token();
    List<String> opened = new ArrayList<>();
    int asked = 0;
    try (InputStream table =
        Objects.requireNonNull(WallboardTest.class.getResourceAsStream("/access-matrix.csv"))) {
      for (String line :
          new String(table.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        String[] cells = line.split("\\|", -1);
        if (line.startsWith("#") || cells.length < 5 || cells[3].strip().equals("anyone")) {
          continue;
        }
        String method = cells[0].strip().split(" ")[0];
        String path =
            cells[1]
                .strip()
                .replace("{d}", "office")
                .replace("{id}", deskId)
                .replaceAll("\\{[a-z]+}", "A".repeat(43));
        int status = attack(token, method, path, cells[2].strip());
        if (status != 401 && status != 403) {
          opened.add(method + " " + path + ": " + status);
        }
        asked++;
      }
    }
    assertThat(opened).containsExactly("GET /api/dashboards: 200");
    assertThat(asked).isGreaterThan(100);
    for (String path :
        List.of(
            "/api/dashboards/lobby",
            "/api/dashboards/lobby/tiles",
            "/api/dashboards/lobby/events",
            "/api/dashboards/unknown",
            HALL + "/links",
            "/api/sparklines?endpoint=" + ovenId,
            "/api/endpoints/" + ovenId,
            "/api/endpoints/" + ovenId + "/resources/temp/history",
            "/ms/" + ovenId + "/temp",
            "/rd-lookup/res",
            "/api/events")) {
      assertThat(status(token, path)).as(path).isEqualTo(403);
    }
    assertThat(as(token, "PUT", HALL, "{\"tiles\":[]}").statusCode()).isEqualTo(403);
    assertThat(as(token, "DELETE", HALL, "").statusCode()).isEqualTo(403);
    assertThat(as(token, "POST", HALL + "/links", "{\"name\":\"x\"}").statusCode()).isEqualTo(403);
    for (String open : OPEN) {
      assertThat(status(token, open.substring("GET ".length()))).as(open).isEqualTo(200);
    }
  }

  private int attack(String token, String method, String path, String body) {
    SleepyEndpoint attacker = new SleepyEndpoint("new");
    String type =
        switch (body) {
          case "command", "registration" -> "application/jose";
          case "links" -> "application/link-format";
          default -> JSON;
        };
    String sent =
        switch (body) {
          case "command" -> attacker.command("desk", "office", "temp", 1);
          case "registration" -> attacker.registration(1, "</temp>", "office");
          case "links" -> "</a>";
          default -> body;
        };
    HttpRequest.Builder request =
        http.to(path)
            .header("Authorization", "Bearer " + token)
            .method(method, HttpRequest.BodyPublishers.ofString(sent));
    return http.send(sent.isEmpty() ? request : request.header("Content-Type", type)).statusCode();
  }

  @Test
  void aWrongOrRevokedLinkOpensNothing() throws Exception {
    JsonNode made = link(ann, "{\"name\":\"Screen\"}");
    String token = made.get("token").asString();
    String other = token.substring(0, token.length() - 1) + (token.endsWith("A") ? "B" : "A");
    assertThat(status(other, HALL)).isEqualTo(401);
    assertThat(status(token.substring(0, token.indexOf('.')), HALL)).isEqualTo(401);
    try (EventReader events =
        new EventReader(HALL + "/events", http, "Authorization", "Bearer " + token)) {
      String path = HALL + "/links/" + made.get("id").asString();
      assertThat(
              operator
                  .send("DELETE", "/api/dashboards/lobby" + path.substring(HALL.length()), "", "")
                  .statusCode())
          .isEqualTo(404);
      assertThat(operator.send("DELETE", path, "", "").statusCode()).isEqualTo(204);
      assertThatThrownBy(() -> events.next("tiles"))
          .isInstanceOf(AssertionError.class)
          .hasMessage("the stream ended");
    }
    assertThat(status(token, HALL)).isEqualTo(401);
    assertThat(operator.get("/api/audit").body()).contains("revoked link Screen");
  }

  @Test
  void aLinkShowsOnlyWhatItsMakerMaySeeNow() {
    String token = token();
    changeAnn("\"roles\":[\"operator:plant\"]");
    assertThat(sights(token)).containsExactly("shown", "no-right");
    put("hall", "\"d\":\"office\",", ovenId, deskId);
    assertThat(status(token, HALL)).isEqualTo(404);
    put("hall", "", ovenId, deskId);
    assertThat(sights(token)).containsExactly("shown", "no-right");
    changeAnn("\"roles\":[\"operator:plant\"],\"enabled\":false");
    assertThat(status(token, HALL)).isEqualTo(401);
    changeAnn("\"roles\":[\"operator\"],\"enabled\":true");
    assertThat(sights(token)).containsExactly("shown", "shown");
    assertThat(operator.send("DELETE", "/api/accounts/ann", "", "").statusCode()).isEqualTo(204);
    assertThat(status(token, HALL)).isEqualTo(401);
    // An account of the same name is another one.
    account("ann", "operator");
    assertThat(status(token, HALL)).isEqualTo(401);
  }

  private void changeAnn(String members) {
    HttpResponse<String> answer =
        operator.send("PUT", "/api/accounts/ann", JSON, "{" + members + "}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  @Test
  void aLinkEndsWithItsTimeAndWithItsDashboard() {
    String token = token();
    assertThat(operator.send("DELETE", HALL, "", "").statusCode()).isEqualTo(204);
    assertThat(status(token, HALL)).isEqualTo(401);
    put("hall", "", ovenId);
    assertThat(status(token, HALL)).isEqualTo(401);
    assertThat(operator.read(HALL + "/links").get("links")).isEmpty();
    assertThat(ann.send("POST", HALL + "/links", "{\"name\":\"x\",\"days\":0}").body())
        .contains("days: takes 1 to 3660");
    assertThat(ann.send("POST", HALL + "/links", "{\"name\":\" \"}").body())
        .contains("name: takes");
  }

  @Test
  void programsMakeNoLinks() {
    String body = "{\"name\":\"ci\",\"roles\":[\"operator\"]}";
    String token =
        BrowserClient.json(operator.send("POST", "/api/tokens", JSON, body))
            .get("token")
            .asString();
    assertThat(as(token, "POST", HALL + "/links", "{\"name\":\"x\"}").statusCode()).isEqualTo(403);
    BrowserClient viewer = account("vera", "viewer");
    assertThat(viewer.status("POST", HALL + "/links", "{\"name\":\"x\"}")).isEqualTo(403);
    assertThat(viewer.status("GET", HALL + "/links", "")).isEqualTo(403);
  }
}
