package dev.vigil.gateway.cli.commanding;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A gateway that cannot be trusted chooses neither the endpoint nor the value that is signed. */
class SendCommandTest {
  private static final String NUMBERS = "{\"kind\":\"switch\",\"values\":[0,1]}";

  @TempDir private Path folder = Path.of("");
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private volatile String found = "[]";

  private record Done(int code, String out, String err) {}

  SendCommandTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeEach
  void listen() {
    server.createContext("/", this::answer);
    server.start();
    run("--new-key", key());
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = "{\"last\":4,\"commands\":[]}";
    if (exchange.getRequestMethod().equals("POST")) {
      received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      body = "{\"state\":\"queued\"}";
    } else if (exchange.getRequestURI().getPath().equals("/api/endpoints")) {
      body = "{\"endpoints\":" + found + "}";
    } else if (exchange.getRequestURI().getPath().equals("/api/endpoints/lamp")) {
      body = endpoint("door", "lab", NUMBERS);
    }
    byte[] octets = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, octets.length);
    exchange.getResponseBody().write(octets);
    exchange.close();
  }

  private static String endpoint(String ep, String d, String control) {
    return """
        {"id":"7","ep":"%s","d":"%s","resources":[{"path":"led","control":%s}]}"""
        .formatted(ep, d, control);
  }

  private String key() {
    return folder.resolve("commander.jwk").toString();
  }

  private Done run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(new SendCommand(Clock.systemUTC(), new SecureRandom()))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    return new Done(code, out.toString(), err.toString());
  }

  private Done send(String... more) {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    return run(
        Stream.concat(Stream.of("--url", url, "--key", key()), Stream.of(more))
            .toArray(String[]::new));
  }

  /** Header and payload of the only command that the gateway received. */
  private String signed() {
    assertThat(received).hasSize(1);
    String[] parts = received.getFirst().split("\\.", -1);
    return text(parts[0]) + text(parts[1]);
  }

  private static String text(String part) {
    return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
  }

  @Test
  void onlyItsOwnerCanReadANewKeyAndNoFileIsOverwritten() throws IOException {
    Path file = folder.resolve("new.jwk");
    Done made = run("--new-key", file.toString());
    assertThat(made.code()).isZero();
    JsonNode printed = new JsonMapper().readTree(made.out());
    JsonNode kept = new JsonMapper().readTree(Files.readString(file));
    assertThat(printed.has("d")).isFalse();
    assertThat(kept.has("d")).isTrue();
    printed
        .properties()
        .forEach(one -> assertThat(kept.get(one.getKey())).isEqualTo(one.getValue()));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    Done again = run("--new-key", file.toString());
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.err()).contains("already exists");
    assertThat(new JsonMapper().readTree(Files.readString(file))).isEqualTo(kept);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lab", "-"})
  void aCommandIsSignedForTheNameAndDomainThatWereTyped(String domain) {
    found = "[" + endpoint("lamp", domain.equals("-") ? "" : domain, NUMBERS) + "]";
    assertThat(send("-d", domain, "lamp", "led", "1"))
        .isEqualTo(new Done(0, "command 5 queued\n", ""));
    assertThat(signed()).contains("\"ep\":\"lamp\"", "\"res\":\"led\"", "\"v\":1");
    assertThat(signed().contains("\"d\":\"lab\"")).isEqualTo(domain.equals("lab"));
  }

  @ParameterizedTest
  @CsvSource({"door,lab", "lamp,roof", "door,roof", "lamp,''"})
  void anAnswerAboutAnotherEndpointIsNotSigned(String ep, String d) {
    found = "[" + endpoint(ep, d, NUMBERS) + "]";
    Done done = send("--domain", "lab", "lamp", "led", "1");
    assertThat(done.code()).isEqualTo(1);
    assertThat(done.err())
        .startsWith("vigil: lamp in the domain lab: the gateway answers with the endpoint " + ep)
        .contains("in the domain " + (d.isEmpty() ? "-" : d) + "; nothing was signed");
    assertThat(received).isEmpty();
  }

  @Test
  void aNameIsNeverTakenForTheIdOfAnotherEndpoint() {
    Done done = send("lamp", "led", "1");
    assertThat(done.code()).isEqualTo(1);
    assertThat(done.err()).startsWith("vigil: no endpoint lamp that this token may see");
    assertThat(received).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[0,1]|on|\"v\":1", "[0,1]|off|\"v\":0",
        "[false,true]|on|\"vb\":true", "[false,true]|off|\"vb\":false"
      })
  void onAndOffAreTheValuesOfAKnownSwitch(String values, String word, String member) {
    found = "[" + endpoint("lamp", "", "{\"kind\":\"switch\",\"values\":" + values + "}") + "]";
    assertThat(send("lamp", "led", word).err()).isEmpty();
    assertThat(signed()).contains(member);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[1,0]", "[0,99]", "[true,false]", "[\"0\",\"1\"]", "[0,1,2]", "[1]", "[]", "{}"})
  void otherValuesOfTheGatewayForOnAndOffAreNotSigned(String values) {
    found = "[" + endpoint("lamp", "", "{\"kind\":\"switch\",\"values\":" + values + "}") + "]";
    Done done = send("lamp", "led", "on");
    assertThat(done.code()).isEqualTo(1);
    assertThat(done.err())
        .contains("led takes " + values + " for off and on: type the value itself");
    assertThat(received).isEmpty();
    assertThat(send("lamp", "led", "99").code()).isZero();
    assertThat(signed()).contains("\"v\":99");
  }
}
