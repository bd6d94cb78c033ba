package dev.vigil.gateway.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.passkeys.NewPasskeyJson;
import dev.vigil.gateway.passkeys.PasskeyAnswerJson;
import dev.vigil.gateway.passkeys.SoftAuthenticator;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Passkeys over HTTP, with an authenticator in the test, under the name localhost. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PasskeysApiTest {
  private static final String PASSWORD = "correct horse battery";
  private static final String OWN = "/api/account/passkeys";

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;
  private OperatorClient operator;
  private String origin;

  @BeforeAll
  void start() {
    gateway = new InProcessGateway(folder);
    operator = new OperatorClient(gateway);
    origin = gateway.address("http").replace("127.0.0.1", "localhost");
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private BrowserClient signedIn(String name) {
    String body = "{\"name\":\"%s\",\"roles\":[\"viewer:plant\"]}".formatted(name);
    HttpResponse<String> made = operator.send("POST", "/api/accounts", "application/json", body);
    String once = BrowserClient.json(made).get("oneTimePassword").asString();
    BrowserClient browser = new BrowserClient(origin);
    assertThat(browser.signIn(name, once).statusCode()).isEqualTo(200);
    assertThat(browser.status("GET", OWN, "")).isEqualTo(401);
    assertThat(browser.changePassword(once, PASSWORD).statusCode()).isEqualTo(200);
    return browser;
  }

  private SoftAuthenticator authenticator() {
    return new SoftAuthenticator(origin, "localhost");
  }

  private HttpResponse<String> add(
      BrowserClient browser, String name, SoftAuthenticator authenticator) {
    HttpResponse<String> begun =
        browser.send("POST", OWN + "/options", "{\"password\":\"%s\"}".formatted(PASSWORD));
    assertThat(begun.statusCode()).as(begun.body()).isEqualTo(200);
    JsonNode options = BrowserClient.json(begun);
    assertThat(options.get("rp").get("id").asString()).isEqualTo("localhost");
    NewPasskeyJson answer =
        authenticator.create(
            options.get("challenge").asString(), options.get("user").get("id").asString());
    return browser.send("POST", OWN, body(name, answer));
  }

  private static String body(String name, NewPasskeyJson answer) {
    return """
        {"name":"%s","clientDataJSON":"%s","attestationObject":"%s","transports":["internal"]}"""
        .formatted(name, answer.clientDataJSON(), answer.attestationObject());
  }

  private static String body(PasskeyAnswerJson answer) {
    return """
        {"id":"%s","clientDataJSON":"%s","authenticatorData":"%s","signature":"%s","userHandle":"%s"}"""
        .formatted(
            answer.id(),
            answer.clientDataJSON(),
            answer.authenticatorData(),
            answer.signature(),
            answer.userHandle());
  }

  private static String challenge(BrowserClient browser, String body) {
    HttpResponse<String> begun = browser.send("POST", "/api/sign-in/passkey/options", body);
    assertThat(begun.statusCode()).as(begun.body()).isEqualTo(200);
    return BrowserClient.json(begun).get("challenge").asString();
  }

  private static HttpResponse<String> use(BrowserClient browser, PasskeyAnswerJson answer) {
    return browser.send("POST", "/api/sign-in/passkey", body(answer));
  }

  private static String idOf(BrowserClient browser) {
    return BrowserClient.json(browser.get(OWN)).get("passkeys").get(0).get("id").asString();
  }

  @Test
  void aPasskeyIsAddedUsedRenamedAndRemoved() {
    BrowserClient browser = signedIn("ann");
    SoftAuthenticator authenticator = authenticator();
    HttpResponse<String> added = add(browser, "laptop", authenticator);
    assertThat(added.statusCode()).as(added.body()).isEqualTo(201);
    assertThat(added.body()).contains("\"host\":\"localhost\"").doesNotContain("usedAt");

    BrowserClient other = new BrowserClient(origin);
    HttpResponse<String> used = use(other, authenticator.get(challenge(other, "{}")));
    assertThat(used.statusCode()).as(used.body()).isEqualTo(200);
    assertThat(used.body()).contains("\"account\":\"ann\"");
    assertThat(other.get(OWN).body()).contains("\"usedAt\"");

    String path = OWN + "/" + idOf(other);
    assertThat(other.status("PUT", path, "{\"name\":\"old laptop\"}")).isEqualTo(200);
    assertThat(other.get(OWN).body()).contains("old laptop");
    assertThat(other.status("DELETE", path, "")).isEqualTo(204);
    assertThat(other.status("DELETE", path, "")).isEqualTo(404);
    BrowserClient third = new BrowserClient(origin);
    HttpResponse<String> refused = use(third, authenticator.get(challenge(third, "{}")));
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.body()).contains("/problems/wrong-passkey");
    assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
  }

  @Test
  void addingAPasskeyNeedsThePresentPasswordAndTheRightPage() {
    BrowserClient browser = signedIn("careful");
    HttpResponse<String> wrong =
        browser.send("POST", OWN + "/options", "{\"password\":\"not this one\"}");
    assertThat(wrong.statusCode()).isEqualTo(401);
    assertThat(wrong.body()).contains("/problems/wrong-password");
    SoftAuthenticator elsewhere = new SoftAuthenticator("https://evil.example", "localhost");
    assertThat(add(browser, "x", elsewhere).body()).contains("BadOrigin", "invalid-body");
    SoftAuthenticator foreign = new SoftAuthenticator(origin, "evil.example");
    assertThat(add(browser, "x", foreign).body()).contains("BadRpId");
    assertThat(browser.get(OWN).body()).contains("\"passkeys\":[]");
  }

  @Test
  void anAnswerIsValidOnceAndOnlyForThisGateway() {
    BrowserClient browser = signedIn("replayed");
    SoftAuthenticator authenticator = authenticator();
    add(browser, "laptop", authenticator);
    PasskeyAnswerJson answer = authenticator.get(challenge(browser, "{}"));
    assertThat(use(new BrowserClient(origin), answer).statusCode()).isEqualTo(200);
    HttpResponse<String> again = use(new BrowserClient(origin), answer);
    assertThat(again.statusCode()).isEqualTo(401);
    assertThat(again.body()).contains("already answered");
    authenticator.host = "evil.example";
    assertThat(use(browser, authenticator.get(challenge(browser, "{}"))).statusCode())
        .isEqualTo(401);
  }

  @Test
  void anAccountThatDemandsAPasskeyNeedsBoth() {
    BrowserClient browser = signedIn("both");
    String required = "{\"required\":true}";
    assertThat(browser.status("PUT", OWN, required)).isEqualTo(409);
    SoftAuthenticator authenticator = authenticator();
    add(browser, "laptop", authenticator);
    assertThat(browser.send("PUT", OWN, required).body()).contains("\"requiredBy\":\"owner\"");

    BrowserClient other = new BrowserClient(origin);
    HttpResponse<String> refused = other.signIn("both", PASSWORD);
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.body()).contains("/problems/passkey-needed");
    assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
    String credentials = "{\"account\":\"both\",\"password\":\"%s\"}".formatted(PASSWORD);
    assertThat(use(other, authenticator.get(challenge(other, credentials))).statusCode())
        .isEqualTo(200);
    String path = OWN + "/" + idOf(other);
    HttpResponse<String> kept = other.send("DELETE", path, "");
    assertThat(kept.statusCode()).isEqualTo(409);
    assertThat(kept.body()).contains("/problems/still-used");
    assertThat(other.send("PUT", OWN, "{\"required\":false}").body()).doesNotContain("owner");
    assertThat(new BrowserClient(origin).signIn("both", PASSWORD).statusCode()).isEqualTo(200);
  }

  @Test
  void administratorsDemandPasskeysAndRemoveLostOnes() {
    BrowserClient browser = signedIn("loser");
    String one = "/api/accounts/loser";
    String required = "{\"passkeyRequired\":true}";
    assertThat(operator.send("PUT", one, "application/json", required).statusCode()).isEqualTo(409);
    add(browser, "laptop", authenticator());
    assertThat(operator.send("PUT", one, "application/json", required).body())
        .contains("\"passkeyRequired\":true");
    HttpResponse<String> own = browser.send("PUT", OWN, "{\"required\":false}");
    assertThat(own.statusCode()).isEqualTo(403);
    assertThat(browser.get(OWN).body()).contains("\"requiredBy\":\"administrator\"");

    String lost = one + "/passkeys/" + idOf(browser);
    assertThat(operator.get(one + "/passkeys").body()).contains("\"laptop\"");
    assertThat(operator.send("DELETE", lost, "application/json", "").statusCode()).isEqualTo(409);
    operator.send("PUT", one, "application/json", "{\"passkeyRequired\":false}");
    assertThat(operator.send("DELETE", lost, "application/json", "").statusCode()).isEqualTo(204);
    assertThat(new BrowserClient(origin).signIn("loser", PASSWORD).statusCode()).isEqualTo(200);
  }

  @Test
  void aCounterThatGoesBackIsRefusedAndAudited() {
    BrowserClient browser = signedIn("copied");
    SoftAuthenticator authenticator = authenticator();
    add(browser, "key ring", authenticator);
    use(browser, authenticator.get(challenge(browser, "{}")));
    authenticator.counter = 1;
    HttpResponse<String> refused = use(browser, authenticator.get(challenge(browser, "{}")));
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(browser.get(OWN).body()).contains("\"regressedAt\"");
    assertThat(operator.get("/api/audit?limit=1000").body())
        .contains(
            "added passkey key ring of copied",
            "signed in from 127.0.0.1 with passkey key ring",
            "refused passkey key ring of copied from 127.0.0.1: the signature counter went back")
        .doesNotContain("\\\"data\\\"", "\\\"handle\\\"");
  }

  @Test
  void passkeysAreOfferedOnlyUnderHostNames() {
    assertThat(new BrowserClient(origin).get("/api/sign-in").body()).contains("\"passkeys\":true");
    BrowserClient byAddress = new BrowserClient(gateway);
    assertThat(byAddress.get("/api/sign-in").body()).contains("\"passkeys\":false");
    HttpResponse<String> refused = byAddress.send("POST", "/api/sign-in/passkey/options", "{}");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("host name");
  }
}
