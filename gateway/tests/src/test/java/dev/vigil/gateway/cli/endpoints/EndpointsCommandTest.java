package dev.vigil.gateway.cli.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.access.OperatorToken;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EndpointsCommandTest {
  @TempDir private Path folder = Path.of("");

  private record Done(int code, String out, String err) {}

  private static Done run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        new CommandLine(new EndpointsCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    return new Done(command.execute(arguments), out.toString(), err.toString());
  }

  @Test
  void listsEndpointsInAlignedColumnsOrAsJson() {
    try (InProcessGateway gateway =
        new InProcessGateway(folder, "--vigil.trust=first-use", "--vigil.domains.plant.window=8")) {
      String url = gateway.address("http");
      HttpTestClient anybody = new HttpTestClient(url);
      for (String name : List.of("boiler", "roof")) {
        String object = new SleepyEndpoint(name).registration(1, "</temp>;rt=\"t\"", "plant");
        assertThat(anybody.send("POST", "/ms", "application/jose", object).statusCode())
            .isEqualTo(201);
      }
      assertThat(run("--url", url))
          .isEqualTo(
              new Done(
                  1,
                  "",
                  "vigil: the gateway refuses, 401: reading needs credentials on this gateway"
                      + " (--token FILE names a file with a token, for instance operator.token)\n"));

      String token = gateway.bean(OperatorToken.class).file().toString();
      Done table = run("--url", url, "--token", token);
      assertThat(table.code()).isZero();
      List<String> lines = table.out().lines().toList();
      assertThat(lines).hasSize(3);
      assertThat(lines.get(0))
          .matches("ID +ENDPOINT +DOMAIN +TRUST +FRESHNESS +LAST HEARD +RESOURCES");
      assertThat(lines.get(1)).matches("\\S+ +boiler +plant +trusted +on-time +\\S+Z +temp");
      assertThat(lines.get(2)).matches("\\S+ +roof +plant +trusted .*");

      Done json = run("--gateway", url, "--token-file", token, "-d", "plant", "--json");
      JsonNode first = JsonMapper.shared().readTree(json.out().lines().findFirst().orElseThrow());
      assertThat(first.path("ep").asString()).isEqualTo("boiler");
      assertThat(run("--url", url, "--token", token, "-d", "-", "--json").out()).isEmpty();
      String id = first.path("id").asString();
      String tags = "{\"tags\":[\"hall\",\"kind:boiler\"]}";
      new OperatorClient(gateway)
          .send("PUT", "/api/endpoints/" + id + "/tags", "application/json", tags);
      String tagged =
          run("--url", url, "--token", token, "--tag", "hall", "--tag", "kind:boiler").out();
      assertThat(tagged).contains("boiler").doesNotContain("roof");
      assertThat(run("--url", url, "--token", token, "--tag", "hal", "--json").out()).isEmpty();
      assertThat(run("--url", url, "--token", token, "--trust", "x").err())
          .contains("400: trust: takes one of");
    }
  }

  @Test
  void namesTheWayOutWhenNoGatewayAnswers() {
    assertThat(run("--url", "http://127.0.0.1:1"))
        .isEqualTo(
            new Done(
                1,
                "",
                "vigil: no gateway answers at http://127.0.0.1:1/: start it, or name another"
                    + " gateway with --url\n"));
    assertThat(run("--url", "here").code()).isEqualTo(2);
    assertThat(run("--token", folder.resolve("none").toString()).err()).contains("cannot read");
  }
}
