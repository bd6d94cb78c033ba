package dev.vigil.gateway.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.coap.CoapTestClient;
import dev.vigil.gateway.coap.SharedKeyClient;
import dev.vigil.gateway.commanders.CommandException;
import dev.vigil.gateway.commanders.CommanderKey;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Every operation and resource of access-matrix.csv, requested by every role, in its own domain
 * (plant) and in another one (office), and without credentials.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessMatrixTest {
  private static final String KEY = "0123456789abcdef";
  private static final String OWN = "plant";
  private static final String OTHER = "office";
  private static final List<String> ROLES = List.of("viewer", "operator", "administrator");
  private static final int JOSE = 65100;
  private static final int LINK_FORMAT = 40;

  @TempDir static Path folder = Path.of("");

  private final SleepyEndpoint commander = new SleepyEndpoint("commander");
  private final Map<String, SleepyEndpoint> motes = new LinkedHashMap<>();
  private final Map<String, String> ids = new LinkedHashMap<>();
  private final Map<String, String> alarms = new LinkedHashMap<>();

  /** Tokens by their rights; the empty token stands for a caller without credentials. */
  private final Map<String, String> tokens = new LinkedHashMap<>();

  private InProcessGateway gateway;
  private HttpTestClient http;
  private OperatorClient operator;
  private long number;

  private record Row(String operation, String target, String body, String role, String where) {
    static Row of(String line) {
      String[] cells = line.split("\\|", -1);
      return new Row(
          cells[0].strip(), cells[1].strip(), cells[2].strip(), cells[3].strip(), cells[4].strip());
    }

    String method() {
      return operation.substring(0, operation.indexOf(' '));
    }

    boolean isCoap() {
      return operation.endsWith(" coap");
    }

    boolean isOfADomain() {
      return where.equals("domain") || where.equals("hidden");
    }

    /** Whether a caller may do it in a domain. */
    boolean permits(String caller, String domain) {
      return switch (role) {
        case "anyone" -> true;
        case "anybody" -> !caller.isEmpty();
        case "nobody", "session" -> false;
        default -> {
          String[] parts = caller.split(":", 2);
          boolean placed =
              parts.length == 1
                  || where.equals("somewhere")
                  || parts[1].equals(domain)
                      && isOfADomain()
                      && !target.startsWith("/api/endpoints/{unknown}");
          yield ROLES.indexOf(parts[0]) >= ROLES.indexOf(role) && placed;
        }
      };
    }

    /** The status of a refusal. */
    int refusal(String caller) {
      return caller.isEmpty() || role.equals("session") ? 401 : where.equals("hidden") ? 404 : 403;
    }
  }

  private static List<Row> rows() throws IOException {
    try (InputStream table =
        Objects.requireNonNull(AccessMatrixTest.class.getResourceAsStream("/access-matrix.csv"))) {
      return new String(table.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#") && !line.isBlank())
          .map(Row::of)
          .toList();
    }
  }

  @BeforeAll
  void start() throws IOException, CommandException {
    Path file = folder.resolve("commander.jwk");
    CommanderKey key = CommanderKey.create(file, new SecureRandom());
    List<String> settings =
        new ArrayList<>(
            List.of("--vigil.trust=first-use", "--vigil.automations.commander-key=" + file));
    for (String d : List.of(OWN, OTHER)) {
      settings.add("--vigil.domains." + d + ".register=account:nobody");
      settings.add("--vigil.domains." + d + ".commanders[0]=" + commander.jwk());
      settings.add("--vigil.domains." + d + ".commanders[1]=" + key.jwk());
    }
    ROLES.forEach(role -> settings.add("--vigil.coap.dtls.psk." + role + "-1=" + KEY));
    gateway = new InProcessGateway(folder, settings.toArray(String[]::new));
    http = new HttpTestClient(gateway.address("http"));
    operator = new OperatorClient(gateway);
    List.of(OWN, OTHER).forEach(this::prepare);
    tokens.put("", "");
    ROLES.forEach(this::makeTokensAndDevice);
  }

  /** An endpoint, an alarm about it, its rule, and an account, all in one domain. */
  private void prepare(String d) {
    SleepyEndpoint mote = new SleepyEndpoint("mote");
    motes.put(d, mote);
    String registration = mote.registration(1, "</temp>;rt=\"t\";if=\"core.a\"", d);
    HttpResponse<String> made =
        operator.send("POST", "/ms?ep=mote&d=" + d, "application/jose", registration);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    String path = made.headers().firstValue("Location").orElseThrow();
    ids.put(d, path.substring("/ms/".length()));
    String rule = "{\"kind\":\"value\",\"d\":\"%s\",\"path\":\"temp\",\"above\":10}".formatted(d);
    assertThat(
            operator.send("PUT", "/api/alarm-rules/of-" + d, "application/json", rule).statusCode())
        .isEqualTo(200);
    assertThat(
            operator
                .send("PUT", path + "/temp", "application/jose", mote.update("temp", 2, 20))
                .statusCode())
        .isEqualTo(201);
    alarms.put(d, alarm(d));
    assertThat(
            operator
                .send("PUT", "/api/dashboards/of-" + d, "application/json", dashboard(d))
                .statusCode())
        .isEqualTo(200);
    assertThat(
            operator
                .send("PUT", "/api/automations/of-" + d, "application/json", automation(d))
                .statusCode())
        .isEqualTo(200);
    makeAccount("{\"name\":\"of-%s\",\"roles\":[\"viewer:%s\"]}".formatted(d, d));
  }

  private static String automation(String d) {
    return "{\"d\":\"%s\",\"enabled\":false,\"schedule\":{\"zone\":\"UTC\"},\"actions\":[{\"kind\":\"command\",\"ep\":\"mote\",\"path\":\"temp\",\"value\":1}]}"
        .formatted(d);
  }

  private static String dashboard(String d) {
    return "{\"d\":\"%s\",\"tiles\":[]}".formatted(d);
  }

  /** Waits for the alarm that the first value raises. */
  private String alarm(String d) {
    while (true) {
      for (JsonNode alarm : operator.read("/api/alarms?d=" + d).get("alarms")) {
        if (alarm.get("rule").asString().equals("of-" + d)) {
          return alarm.get("id").asString();
        }
      }
      Thread.onSpinWait();
    }
  }

  private String silence(String d) {
    String path = "/api/alarms/%s/silence".formatted(alarms.get(d));
    return json(operator, path, "{\"seconds\":60}").get("id").asString();
  }

  private void makeTokensAndDevice(String role) {
    for (String scope : List.of(role + ":" + OWN, role)) {
      String token =
          "{\"name\":\"%s\",\"roles\":[\"%s\"]}".formatted(scope.replace(':', '.'), scope);
      tokens.put(scope, json(operator, "/api/tokens", token).get("token").asString());
    }
    makeAccount(
        "{\"name\":\"device-%1$s\",\"roles\":[\"%1$s:plant\"],\"identities\":[\"psk:%1$s-1\"]}"
            .formatted(role));
  }

  private void makeAccount(String body) {
    assertThat(json(operator, "/api/accounts", body).get("oneTimePassword").asString())
        .isNotEmpty();
  }

  private static JsonNode json(OperatorClient operator, String path, String body) {
    HttpResponse<String> made = operator.send("POST", path, "application/json", body);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    return BrowserClient.json(made);
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  private String target(Row row, String domain) {
    String target = filled(row.target, domain).replace("ep=new", "ep=new-" + ++number);
    if (target.contains("{registration}")) {
      return target.replace("{registration}", plainRegistration(domain));
    }
    return target.contains("{silence}") ? target.replace("{silence}", silence(domain)) : target;
  }

  /** A new plain registration in the directory. */
  private String plainRegistration(String d) {
    String target = "/rd?ep=plain-%d&d=%s&base=coap://192.0.2.1".formatted(++number, d);
    HttpResponse<String> made = operator.send("POST", target, "application/link-format", "</a>");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    return made.headers().firstValue("Location").orElseThrow().substring("/rd/".length());
  }

  private String filled(String text, String domain) {
    return text.replace("{d}", domain)
        .replace("{id}", ids.getOrDefault(domain, ""))
        .replace("{key}", Objects.requireNonNull(motes.get(domain)).jkt())
        .replace("{alarm}", alarms.getOrDefault(domain, ""))
        .replace("{unknown}", "A".repeat(43));
  }

  private String body(Row row, String domain, String target) {
    return switch (row.body) {
      case "command" -> commander.command("mote", domain, "temp", ++number);
      case "registration" ->
          new SleepyEndpoint(target.replaceAll(".*ep=([^&]*).*", "$1"))
              .registration(1, "</temp>", domain);
      case "links" -> "</a>";
      default -> filled(row.body, domain);
    };
  }

  private static String type(Row row) {
    return switch (row.body) {
      case "" -> "";
      case "command", "registration" -> "application/jose";
      case "links" -> "application/link-format";
      default -> "application/json";
    };
  }

  /** The status; the body of an event stream would not end. */
  private int status(Row row, String domain, String token) {
    String target = target(row, domain);
    HttpRequest.Builder request =
        http.to(target)
            .method(row.method(), HttpRequest.BodyPublishers.ofString(body(row, domain, target)));
    if (!type(row).isEmpty()) {
      request.header("Content-Type", type(row));
    }
    if (row.method().equals("DELETE")) {
      request.header("If-Match", "\"1\""); // An older version: nothing is removed.
    }
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      HttpResponse<InputStream> response =
          http.client().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      response.body().close();
      return response.statusCode();
    } catch (IOException e) {
      throw new IllegalStateException(target, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theTableHasEveryOperation() throws IOException {
    Set<String> documented = new TreeSet<>();
    JsonNode paths = operator.read("/v3/api-docs").get("paths");
    for (String path : paths.propertyNames()) {
      if (!path.startsWith("/api/")) {
        continue;
      }
      for (String method : paths.get(path).propertyNames()) {
        documented.add(method.toUpperCase(java.util.Locale.ROOT) + " " + path);
      }
    }
    Set<String> listed = new TreeSet<>();
    rows().stream().filter(row -> !row.isCoap()).forEach(row -> listed.add(row.operation));
    assertThat(listed).as("src/test/resources/access-matrix.csv").isEqualTo(documented);
  }

  @Test
  void overHttpEachRoleMayDoWhatTheTableSays() throws IOException {
    List<String> wrong = new ArrayList<>();
    int asked = 0;
    for (Row row : rows()) {
      for (String domain : row.isOfADomain() ? List.of(OWN, OTHER) : List.of(OWN)) {
        for (Map.Entry<String, String> caller : tokens.entrySet()) {
          int status = status(row, domain, caller.getValue());
          boolean permitted = row.permits(caller.getKey(), domain);
          boolean right =
              permitted
                  ? status != 401 && status != 403 && status < 500
                      || row.target.startsWith("/api/network") && status == 503
                  : status == row.refusal(caller.getKey());
          if (!right) {
            wrong.add(
                "%s %s by %s: %d, %s"
                    .formatted(
                        row.method(),
                        filled(row.target, domain),
                        caller.getKey().isEmpty() ? "nobody" : caller.getKey(),
                        status,
                        permitted ? "permitted" : "expected " + row.refusal(caller.getKey())));
          }
          asked++;
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(asked).isGreaterThan(500);
  }

  @Test
  void overCoapEachRoleMayDoWhatTheTableSays() throws IOException {
    for (String role : ROLES) {
      try (SharedKeyClient client =
          new SharedKeyClient(gateway.address("coaps"), role + "-1", KEY)) {
        for (Row row : rows()) {
          for (String domain : row.isCoap() ? List.of(OWN, OTHER) : List.<String>of()) {
            String target = target(row, domain);
            int format = row.body.equals("links") ? LINK_FORMAT : JOSE;
            String code = client.code(row.method(), target, body(row, domain, target), format);
            String what = row.method() + " " + target + " by " + role;
            if (row.permits(role + ":" + OWN, domain)) {
              assertThat(code).as(what).startsWith("2.");
            } else {
              assertThat(code).as(what).isEqualTo("4.03");
            }
          }
        }
      }
    }
  }

  @Test
  void overCoapNobodyMayDoWhatNeedsARole() throws IOException {
    try (CoapTestClient client = new CoapTestClient(gateway.address("coap"))) {
      for (Row row : rows()) {
        if (row.isCoap()) {
          String target = target(row, OWN);
          String body = body(row, OWN, target);
          int format = row.body.equals("links") ? LINK_FORMAT : JOSE;
          String code =
              switch (row.method()) {
                case "POST" -> client.post(target, body, format).code();
                case "PUT" -> client.put(target, body, format).code();
                default -> client.get(target).code();
              };
          if (row.role.equals("anyone")) {
            assertThat(code).as(target).startsWith("2.");
          } else {
            assertThat(code).as(row.method() + " " + target).isEqualTo("4.01");
          }
        }
      }
    }
  }
}
