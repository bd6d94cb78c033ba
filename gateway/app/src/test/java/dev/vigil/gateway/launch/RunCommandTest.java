package dev.vigil.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.GatewayApplication;
import dev.vigil.gateway.cli.BuildVersion;
import dev.vigil.gateway.wiring.VigilProperties;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class RunCommandTest {
  private static RunCommand parsed(String... arguments) {
    RunCommand command = new RunCommand(GatewayApplication.class, VigilProperties.class);
    new CommandLine(command).parseArgs(arguments);
    return command;
  }

  @Test
  void optionsBecomeSettings() {
    assertThat(
            parsed(
                    "--data-dir",
                    "/tmp/x",
                    "--coap-port",
                    "0",
                    "--coaps-port",
                    "1",
                    "--http-port",
                    "2",
                    "--zep-port",
                    "3",
                    "--topology",
                    "line.txt",
                    "--trust",
                    "first-use",
                    "--anonymous-read",
                    "--pcap",
                    "air.pcapng",
                    "--demo",
                    "--for",
                    "9")
                .arguments())
        .containsExactlyInAnyOrder(
            "--vigil.data-dir=/tmp/x",
            "--vigil.coap.port=0",
            "--vigil.coap.secure-port=1",
            "--vigil.http.port=2",
            "--vigil.border.radios[0].port=3",
            "--vigil.border.radios[0].topology=line.txt",
            "--vigil.trust=FIRST_USE",
            "--vigil.anonymous-read=true",
            "--vigil.border.capture=air.pcapng",
            "--spring.profiles.active=demo");
  }

  @Test
  void optionsThatAreNotGivenSetNothing() {
    assertThat(parsed().arguments()).isEmpty();
  }

  @Test
  void anInvalidTrustModeIsNamedWithItsAllowedValues() {
    assertThatThrownBy(() -> parsed("--trust", "everyone"))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("everyone")
        .hasMessageContaining("first-use, approve, listed");
  }

  @Test
  void anInvalidNumberIsNamed() {
    assertThatThrownBy(() -> parsed("--http-port", "many"))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("--http-port")
        .hasMessageContaining("many");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--http-port 65536",
        "--coap-port -1",
        "--zep-port 0x10",
        "--for -1",
        "--config nosuch.yaml"
      })
  void aMistakeInAnOptionEndsWithCodeTwo(String arguments) {
    StringWriter err = new StringWriter();
    CommandLine command =
        new CommandLine(new RunCommand(GatewayApplication.class, VigilProperties.class))
            .setErr(new PrintWriter(err));
    assertThat(command.execute(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(arguments.split(" "));
  }

  @Test
  void theVersionIsThatOfTheBuild() {
    assertThat(BuildVersion.text())
        .matches("Vigil \\d+\\.\\d+\\.\\d+\\S*, build \\S+")
        .doesNotContain("Vigil unknown");
  }
}
