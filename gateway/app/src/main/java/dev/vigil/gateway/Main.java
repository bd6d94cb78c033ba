package dev.vigil.gateway;

import dev.vigil.border.cli.AssociationCommand;
import dev.vigil.border.cli.DecodeCommand;
import dev.vigil.border.cli.EncodeCommand;
import dev.vigil.border.cli.EtherCommand;
import dev.vigil.gateway.cli.BuildVersion;
import dev.vigil.gateway.cli.commanding.SendCommand;
import dev.vigil.gateway.cli.diagnostics.DoctorCommand;
import dev.vigil.gateway.cli.diagnostics.SupportCommand;
import dev.vigil.gateway.cli.endpoints.EndpointsCommand;
import dev.vigil.gateway.cli.fetch.FetchCommand;
import dev.vigil.gateway.cli.keylabels.LabelCommand;
import dev.vigil.gateway.cli.recovery.BackupCommand;
import dev.vigil.gateway.cli.recovery.ReplaceCommand;
import dev.vigil.gateway.cli.recovery.RestoreCommand;
import dev.vigil.gateway.cli.shell.CompletionCommand;
import dev.vigil.gateway.cli.shell.ManualCommand;
import dev.vigil.gateway.cli.verify.VerifyCommand;
import dev.vigil.gateway.launch.RunCommand;
import dev.vigil.gateway.migration.MigrateCommand;
import dev.vigil.gateway.redaction.Settings;
import dev.vigil.gateway.time.SystemTime;
import dev.vigil.gateway.wiring.VigilProperties;
import java.security.SecureRandom;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program. The verbs are picocli commands without Spring; {@code run} starts Spring. */
public final class Main {
  private Main() {}

  static void main(String[] args) {
    CommandLine verbs =
        new CommandLine(new Verbs())
            .addSubcommand(new RunCommand(GatewayApplication.class, VigilProperties.class))
            .addSubcommand(new DecodeCommand(System.in))
            .addSubcommand(new EncodeCommand(System.in))
            .addSubcommand(new EtherCommand(SystemTime.NANO_TIME, new SecureRandom()))
            .addSubcommand(AssociationCommand.with(new SecureRandom()))
            .addSubcommand(new EndpointsCommand())
            .addSubcommand(new LabelCommand())
            .addSubcommand(new VerifyCommand())
            .addSubcommand(new FetchCommand())
            .addSubcommand(new SendCommand(SystemTime.CLOCK, new SecureRandom()))
            .addSubcommand(new BackupCommand(SystemTime.CLOCK, new SecureRandom()))
            .addSubcommand(new RestoreCommand(System.in, SystemTime.CLOCK, SystemTime.NANO_TIME))
            .addSubcommand(new ReplaceCommand())
            .addSubcommand(
                new MigrateCommand(SystemTime.CLOCK, SystemTime.NANO_TIME, new SecureRandom()))
            .addSubcommand(new DoctorCommand(SystemTime.CLOCK))
            .addSubcommand(new CompletionCommand())
            .addSubcommand(new ManualCommand())
            .addSubcommand(
                new SupportCommand(
                    new Settings(VigilProperties.class), System.in, SystemTime.CLOCK));
    BuildVersion version = new BuildVersion();
    verbs.getCommandSpec().versionProvider(version);
    verbs.getSubcommands().values().forEach(verb -> verb.getCommandSpec().versionProvider(version));
    // The launcher's own options come first; the user's follow and override them.
    verbs.setOverwrittenOptionsAllowed(true);
    verbs.setParameterExceptionHandler(
        (error, arguments) -> {
          boolean verb = error.getCommandLine() == verbs && arguments.length > 0;
          error
              .getCommandLine()
              .getErr()
              .println(
                  "vigil: "
                      + (verb && error instanceof UnmatchedArgumentException
                          ? "there is no verb '%s'; ./vigil help lists them".formatted(arguments[0])
                          : error.getMessage()));
          return CommandLine.ExitCode.USAGE;
        });
    System.exit(verbs.execute(args));
  }

  @Command(name = "vigil", mixinStandardHelpOptions = true)
  static final class Verbs implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
      throw new ParameterException(spec.commandLine(), "the verb is missing, for instance: run");
    }
  }
}
