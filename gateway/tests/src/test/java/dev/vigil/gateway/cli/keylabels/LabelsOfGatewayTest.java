package dev.vigil.gateway.cli.keylabels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.access.OperatorToken;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LabelsOfGatewayTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void showTheKeysThatAGatewayTrusts() throws IOException {
    try (InProcessGateway gateway =
        new InProcessGateway(
            folder, "--vigil.trust=first-use", "--vigil.domains.lab.trust=approve")) {
      String url = gateway.address("http");
      HttpTestClient anybody = new HttpTestClient(url);
      SleepyEndpoint roof = new SleepyEndpoint("roof");
      anybody.send("POST", "/ms", "application/jose", roof.registration(1, "</t>"));
      String waiting = new SleepyEndpoint("cellar").registration(1, "</t>", "lab");
      anybody.send("POST", "/ms", "application/jose", waiting);

      List<String> options =
          List.of(
              "--url",
              url,
              "--token",
              gateway.bean(OperatorToken.class).file().toString(),
              "-o",
              folder.resolve("sheet.svg").toString());
      assertThat(run(options, "cellar"))
          .isEqualTo("vigil: the gateway trusts no key of endpoint cellar\n");
      assertThat(run(options, "-d", "lab"))
          .isEqualTo("vigil: the gateway trusts no key in this domain\n");
      assertThat(run(options)).isEmpty();
      assertThat(Files.readString(folder.resolve("sheet.svg")))
          .contains(">roof<")
          .doesNotContain("cellar");
    }
  }

  private static String run(List<String> options, String... more) {
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(List.of(more));
    StringWriter err = new StringWriter();
    new CommandLine(new LabelCommand())
        .setOut(new PrintWriter(new StringWriter()))
        .setErr(new PrintWriter(err))
        .execute(arguments.toArray(String[]::new));
    return err.toString();
  }
}
