package dev.vigil.gateway.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.http.RawHttp;
import dev.vigil.gateway.records.RecordTransfer;
import dev.vigil.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Accounts over HTTP, from the first administrator's one-time password on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccountsApiTest {
  private static final String PASSWORD = "correct horse battery";

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private BrowserClient admin;
  private String oneTime;

  @BeforeAll
  void start() throws IOException {
    gateway = new InProcessGateway(folder);
    Path file = folder.resolve("admin.password");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(gateway.bean(FirstAdministrator.class).notice())
        .hasValue("one-time password of admin in " + file);
    oneTime = Files.readString(file).strip();
    admin = new BrowserClient(gateway);
    HttpResponse<String> signedIn = admin.signIn("admin", oneTime);
    assertThat(signedIn.body()).contains("\"passwordChangeNeeded\":true");
    HttpResponse<String> early = admin.send("GET", "/api/accounts", "");
    assertThat(early.statusCode()).isEqualTo(401);
    assertThat(early.body()).contains("/problems/password-change-needed");
    assertThat(admin.changePassword(oneTime, PASSWORD).statusCode()).isEqualTo(200);
    assertThat(file).doesNotExist();
    assertThat(gateway.bean(FirstAdministrator.class).notice()).isEmpty();
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private String made(String name, String members) {
    HttpResponse<String> answer =
        admin.send("POST", "/api/accounts", "{\"name\":\"%s\",%s}".formatted(name, members));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return BrowserClient.json(answer).get("oneTimePassword").asString();
  }

  private BrowserClient signedIn(String name, String members) {
    String once = made(name, members);
    BrowserClient browser = new BrowserClient(gateway);
    assertThat(browser.signIn(name, once).statusCode()).isEqualTo(200);
    assertThat(browser.changePassword(once, PASSWORD).statusCode()).isEqualTo(200);
    return browser;
  }

  @Test
  void theCookieIsOnlyForThisHostAndItsOwnPages() {
    BrowserClient browser = signedIn("cookie", "\"roles\":[\"viewer\"]");
    HttpResponse<String> plain = browser.signIn("cookie", PASSWORD);
    assertThat(plain.headers().allValues("Set-Cookie").getFirst())
        .matches("vigil-session=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict");
    String origin = gateway.address("http").replace("http:", "https:");
    HttpResponse<String> behindTls =
        browser.send(
            "POST",
            "/api/session",
            "{\"account\":\"cookie\",\"password\":\"%s\"}".formatted(PASSWORD),
            "Origin",
            origin);
    assertThat(behindTls.headers().allValues("Set-Cookie").getFirst())
        .matches("__Host-vigil-session=[\\w-]{43}; Path=/; Secure; HttpOnly; SameSite=Strict");
  }

  @Test
  void sharedCachesMayNotStoreWhatASessionReads() {
    HttpResponse<String> read = admin.send("GET", "/rd-lookup/ep", "");
    assertThat(read.statusCode()).isEqualTo(200);
    assertThat(read.headers().firstValue("Cache-Control").orElseThrow()).startsWith("private, ");
  }

  @Test
  void aChangeWithACookieNeedsTheHeader() {
    BrowserClient forged = signedIn("forged", "\"roles\":[\"administrator\"]");
    forged.omitCsrfHeader();
    assertThat(forged.status("GET", "/api/accounts", "")).isEqualTo(200);
    HttpResponse<String> refused =
        forged.send("POST", "/api/accounts", "{\"name\":\"mallory\",\"roles\":[]}");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("X-Vigil-CSRF");
    assertThat(forged.status("DELETE", "/api/session", "")).isEqualTo(403);
    assertThat(forged.status("PUT", "/ms/1/temp", "{}")).isEqualTo(403);
  }

  @Test
  void aRequestThatArrivesSlowlyHasNoMoreRightsThanAtItsEnd() throws IOException {
    made("riser", "\"roles\":[\"viewer:plant\"]");
    BrowserClient foreman = signedIn("foreman", "\"roles\":[\"administrator:plant\"]");
    String body = "{\"roles\":[\"operator:plant\"]}";
    try (Socket slow = begin(foreman, "PUT", "/api/accounts/riser", body, "If-Match: *")) {
      assertThat(admin.status("PUT", "/api/accounts/riser", "{\"roles\":[\"administrator\"]}"))
          .isEqualTo(200);
      RawHttp.send(slow, body.substring(1));
      assertThat(RawHttp.read(slow).status()).isEqualTo(403);
    }
    assertThat(admin.get("/api/accounts/riser").body()).contains("[\"administrator\"]");
    String made = "{\"name\":\"planted\",\"roles\":[\"viewer:plant\"]}";
    try (Socket slow = begin(foreman, "POST", "/api/accounts", made, "X: y")) {
      assertThat(admin.status("DELETE", "/api/accounts/foreman", "")).isEqualTo(204);
      RawHttp.send(slow, made.substring(1));
      assertThat(RawHttp.read(slow).status()).isEqualTo(401);
    }
    assertThat(admin.status("GET", "/api/accounts/planted", "")).isEqualTo(404);
    assertThat(admin.status("DELETE", "/api/accounts/riser", "")).isEqualTo(204);
  }

  /** A request whose body has arrived except for its end. */
  private Socket begin(BrowserClient client, String method, String path, String body, String field)
      throws IOException {
    Socket socket = RawHttp.connect(gateway.address("http"));
    String head =
        "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Vigil-CSRF: 1\r\n%s\r\n"
            + "Content-Type: application/json\r\nContent-Length: %d\r\n"
            + "Cookie: vigil-session=%s\r\n\r\n%s";
    RawHttp.send(
        socket,
        head.formatted(
            method,
            path,
            field,
            body.length(),
            client.cookie("vigil-session"),
            body.substring(0, 1)));
    return socket;
  }

  @Test
  void signingOutEndsTheSession() {
    BrowserClient browser = signedIn("leaver", "\"roles\":[\"viewer\"]");
    String cookie = browser.cookie("vigil-session");
    assertThat(browser.status("GET", "/api/endpoints", "")).isEqualTo(200);
    assertThat(browser.status("DELETE", "/api/session", "")).isEqualTo(204);
    assertThat(browser.cookie("vigil-session")).isEmpty();
    browser.setCookie("vigil-session", cookie);
    assertThat(browser.status("GET", "/api/endpoints", "")).isEqualTo(401);
    assertThat(browser.status("GET", "/api/session", "")).isEqualTo(401);
  }

  @Test
  void sessionsAreListedAndRevoked() {
    BrowserClient browser = signedIn("twice", "\"roles\":[\"viewer\"]");
    BrowserClient other = new BrowserClient(gateway);
    other.signIn("twice", PASSWORD);
    JsonNode listed = BrowserClient.json(browser.get("/api/sessions")).get("sessions");
    assertThat(listed).hasSize(2).allMatch(one -> one.get("account").asString().equals("twice"));
    for (JsonNode session : listed) {
      assertThat(session.toString()).doesNotContain(browser.cookie("vigil-session"));
      if (!session.get("current").asBoolean()) {
        String path = "/api/sessions/" + session.get("id").asString();
        assertThat(browser.status("DELETE", path, "")).isEqualTo(204);
      }
    }
    assertThat(other.status("GET", "/api/session", "")).isEqualTo(401);
    assertThat(browser.status("GET", "/api/session", "")).isEqualTo(200);
    String foreign = Secrets.hash(admin.cookie("vigil-session"));
    assertThat(browser.status("DELETE", "/api/sessions/" + foreign, "")).isEqualTo(404);
    assertThat(admin.get("/api/sessions").body()).contains(foreign, "\"twice\"");
  }

  @Test
  void anEventStreamEndsWithItsSession() throws Exception {
    BrowserClient browser = signedIn("streamer", "\"roles\":[\"viewer\"]");
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<java.io.InputStream> stream =
          client.send(
              HttpRequest.newBuilder(URI.create(gateway.address("http") + "/api/events"))
                  .header("Cookie", "vigil-session=" + browser.cookie("vigil-session"))
                  .build(),
              HttpResponse.BodyHandlers.ofInputStream());
      assertThat(stream.statusCode()).isEqualTo(200);
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
      assertThat(lines.readLine()).isNotNull();
      browser.send("DELETE", "/api/session", "");
      assertThat(lines.lines().filter(line -> line.startsWith("data:"))).isEmpty();
    }
  }

  @Test
  void aTokenIsShownOnceAndPermitsNoMoreThanItsAccount() {
    BrowserClient browser = signedIn("maker", "\"roles\":[\"operator:plant\"]");
    assertThat(browser.status("POST", "/api/tokens", "{\"name\":\"x\",\"roles\":[\"viewer\"]}"))
        .isEqualTo(403);
    HttpResponse<String> made =
        browser.send("POST", "/api/tokens", "{\"name\":\"ci\",\"roles\":[\"viewer:plant\"]}");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    String token = BrowserClient.json(made).get("token").asString();
    assertThat(token).matches("vigil_[\\w-]{43}");
    assertThat(browser.get("/api/tokens").body()).contains("\"ci\"").doesNotContain(token);
    BrowserClient program = new BrowserClient(gateway);
    String[] header = {"Authorization", "Bearer " + token};
    assertThat(program.send("GET", "/api/session", "", header).body())
        .contains("\"maker/ci\"", "viewer:plant");
    assertThat(
            program
                .send(
                    "POST", "/api/tokens", "{\"name\":\"y\",\"roles\":[\"viewer:plant\"]}", header)
                .statusCode())
        .isEqualTo(403);
    String id = BrowserClient.json(made).get("id").asString();
    assertThat(admin.status("DELETE", "/api/tokens/" + id, "")).isEqualTo(204);
    assertThat(program.send("GET", "/api/session", "", header).statusCode()).isEqualTo(401);
  }

  @Test
  void anAdministratorConfirmsATokenThatARestoreSuspended() {
    BrowserClient browser = signedIn("restored", "\"roles\":[\"operator:plant\"]");
    HttpResponse<String> made =
        browser.send("POST", "/api/tokens", "{\"name\":\"old\",\"roles\":[\"viewer:plant\"]}");
    String id = BrowserClient.json(made).get("id").asString();
    String[] header = {
      "Authorization", "Bearer " + BrowserClient.json(made).get("token").asString()
    };
    BrowserClient program = new BrowserClient(gateway);
    int moved =
        new RecordTransfer(gateway.bean(Store.class), Instant.now())
            .moveAll("token", "suspended-token");
    assertThat(moved).isPositive();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(program.send("GET", "/api/session", "", header).statusCode())
                    .isEqualTo(401));
    assertThat(browser.get("/api/tokens").body()).contains("\"suspended\":true");
    String confirm = "/api/tokens/" + id + "/confirm";
    assertThat(browser.status("POST", confirm, "")).as("its user").isEqualTo(403);
    assertThat(program.send("POST", confirm, "", header).statusCode()).isEqualTo(401);
    assertThat(admin.status("POST", confirm, "")).isEqualTo(200);
    assertThat(program.send("GET", "/api/session", "", header).body()).contains("\"restored/old\"");
    assertThat(admin.get("/api/audit").body()).contains("confirmed token old of restored");
    assertThat(admin.status("POST", confirm, "")).as("a second time").isEqualTo(404);
    assertThat(admin.status("DELETE", "/api/tokens/" + id, "")).isEqualTo(204);
    assertThat(program.send("GET", "/api/session", "", header).statusCode()).isEqualTo(401);
  }

  @Test
  void anAdministratorOfOneDomainCreatesAccountsOnlyThere() {
    BrowserClient chief = signedIn("chief", "\"roles\":[\"administrator:plant\"]");
    assertThat(
            chief.status(
                "POST", "/api/accounts", "{\"name\":\"worker\",\"roles\":[\"viewer:plant\"]}"))
        .isEqualTo(201);
    for (String roles :
        new String[] {
          "\"viewer\"", "\"viewer:office\"", "\"viewer:plant\",\"viewer:office\"", ""
        }) {
      String body = "{\"name\":\"spy\",\"roles\":[%s]}".formatted(roles);
      assertThat(chief.status("POST", "/api/accounts", body)).as(roles).isEqualTo(403);
    }
    assertThat(
            chief.status(
                "POST",
                "/api/accounts",
                "{\"name\":\"spy\",\"roles\":[\"viewer:plant\"],\"identities\":[\"psk:node\"]}"))
        .isEqualTo(403);
    assertThat(chief.get("/api/accounts").body()).contains("worker").doesNotContain("\"admin\"");
    assertThat(chief.status("PUT", "/api/accounts/admin", "{\"enabled\":false}")).isEqualTo(403);
    assertThat(chief.status("PUT", "/api/accounts/chief", "{\"roles\":[\"administrator\"]}"))
        .isEqualTo(403);
    assertThat(chief.status("PUT", "/api/accounts/worker", "{\"roles\":[\"operator:plant\"]}"))
        .isEqualTo(200);
  }

  @Test
  void aChangeOfAnOlderVersionIsRefused() {
    made("edited", "\"roles\":[\"viewer\"]");
    String tag = admin.get("/api/accounts/edited").headers().firstValue("ETag").orElseThrow();
    String path = "/api/accounts/edited";
    String body = "{\"roles\":[\"operator\"]}";
    assertThat(admin.send("PUT", path, body, "If-Match", tag).statusCode()).isEqualTo(200);
    assertThat(admin.send("PUT", path, body, "If-Match", tag).statusCode()).isEqualTo(412);
    assertThat(admin.send("DELETE", path, "", "If-Match", "W/\"x\"").statusCode()).isEqualTo(412);
    assertThat(admin.send("DELETE", path, "", "If-Match", "*").statusCode()).isEqualTo(204);
    assertThat(admin.status("GET", path, "")).isEqualTo(404);
  }

  @Test
  void theLastAdministratorStays() {
    String body = "{\"roles\":[\"viewer\"]}";
    for (String[] change :
        new String[][] {
          {"PUT", body}, {"PUT", "{\"enabled\":false}"}, {"DELETE", ""},
        }) {
      // Other tests may have created other administrators; without them admin is the last one.
      for (JsonNode other : BrowserClient.json(admin.get("/api/accounts")).get("accounts")) {
        String name = other.get("name").asString();
        if (!name.equals("admin") && other.get("roles").toString().contains("\"administrator\"")) {
          admin.send("DELETE", "/api/accounts/" + name, "");
        }
      }
      HttpResponse<String> refused = admin.send(change[0], "/api/accounts/admin", change[1]);
      assertThat(refused.statusCode()).isEqualTo(409);
      assertThat(refused.body()).contains("last administrator");
    }
  }

  @Test
  void badBodiesAreNamedAndNothingIsApplied() {
    String[][] bodies = {
      {"{\"name\":\"Bad Name\",\"roles\":[]}", "lower-case"},
      {"{\"name\":\"operator\",\"roles\":[\"viewer\"]}", "reserved"},
      {"{\"name\":\"bad\"}", "the member roles is missing"},
      {"{\"name\":\"bad\",\"roles\":[\"root\"]}", "a role is viewer"},
      {"{\"name\":\"bad\",\"roles\":[null]}", "roles takes"},
      {"{\"name\":\"bad\",\"roles\":\"x\"}", "the member roles"},
      {"{\"name\":\"bad\",\"roles\":[],\"password\":\"x\"}", "unknown member"},
      {"{\"name\":\"bad\",\"roles\":[\"viewer\"],\"identities\":[\"x\"]}", "identities are"},
      {"{\"name\":", "not valid JSON"},
      {"null", "must be a JSON object"},
    };
    for (String[] body : bodies) {
      HttpResponse<String> refused = admin.send("POST", "/api/accounts", body[0]);
      assertThat(refused.statusCode()).as(body[0]).isEqualTo(400);
      assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
      assertThat(refused.body()).as(body[0]).contains(body[1]);
    }
    assertThat(admin.status("GET", "/api/accounts/bad", "")).isEqualTo(404);
  }

  @Test
  void everyChangeIsInTheAuditTrailWithoutSecrets() {
    String once = made("audited", "\"roles\":[\"viewer\"]");
    admin.send("PUT", "/api/accounts/audited", "{\"roles\":[\"operator\"]}");
    admin.send("POST", "/api/accounts/audited/password", "");
    admin.send("DELETE", "/api/accounts/audited", "");
    String trail = new OperatorClient(gateway).get("/api/audit?limit=1000").body();
    assertThat(trail)
        .contains(
            "made the first administrator admin",
            "made account audited",
            "changed account audited",
            "reset the password of audited",
            "removed account audited",
            "signed in from 127.0.0.1",
            "account:admin",
            "\"roles\":[\"viewer\"]",
            "\"roles\":[\"operator\"]")
        .doesNotContain(once, oneTime, PASSWORD, "argon2", "{sha256}");
  }

  @Test
  void aWrongPasswordIsAProblemInPlainWords() {
    HttpResponse<String> refused = new BrowserClient(gateway).signIn("admin", "not this one");
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.body()).contains("the name or the password is wrong");
    assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
  }

  @Test
  void theOperatorsTokenCanBeTurnedOff(@TempDir Path other) throws IOException {
    Path secret = Files.writeString(other.resolve("secret"), "first password\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Path data = other.resolve("data");
    try (InProcessGateway closed =
        new InProcessGateway(
            data,
            "--vigil.accounts.operator-token=false",
            "--vigil.accounts.first-password-file=" + secret)) {
      assertThat(data.resolve("operator.token")).doesNotExist();
      assertThat(data.resolve("admin.password")).doesNotExist();
      BrowserClient browser = new BrowserClient(closed);
      String[] header = {"Authorization", "Bearer " + "x".repeat(43)};
      assertThat(browser.send("GET", "/api/keys", "", header).statusCode()).isEqualTo(401);
      assertThat(browser.signIn("admin", "first password").statusCode()).isEqualTo(200);
      assertThat(browser.changePassword("first password", PASSWORD).statusCode()).isEqualTo(200);
      assertThat(browser.status("GET", "/api/keys", "")).isEqualTo(200);
    }
  }
}
