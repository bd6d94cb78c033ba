package dev.vigil.gateway.cli.diagnostics;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code doctor}: examines a running gateway from outside. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Examines a running gateway: readiness, store, disk, cluster, radios, endpoints, certificates,"
          + " clock, directories, alarms. Changes nothing."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:nothing is wrong, but there may be warnings",
      "1:something is wrong, or the gateway did not answer",
      "2:a wrong option"
    })
public final class DoctorCommand implements Callable<Integer> {
  private final Clock clock;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private GatewayOptions options = new GatewayOptions();

  public DoctorCommand(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Integer call() {
    URI url = options.url();
    if (url == null) {
      throw new ParameterException(
          spec.commandLine(), "doctor needs --url, for instance http://127.0.0.1:8080");
    }
    PrintWriter out = spec.commandLine().getOut();
    try (RemoteGateway gateway = options.open(url, System.getenv())) {
      Report report = Report.of(gateway, clock);
      report.findings().forEach(finding -> out.println(finding.line()));
      boolean wrong =
          report.findings().stream().anyMatch(one -> one.level() == Finding.Level.WRONG);
      return wrong ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    } catch (IOException e) {
      spec.commandLine().getErr().println("vigil: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }
}
