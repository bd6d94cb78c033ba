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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program. The verbs are picocli commands without Spring; {@code run} starts Spring. */
public final class Main {
  private static final Set<String> DESCRIBE_ALL = Set.of("completion", "manual");

  private Main() {}

  static void main(String[] args) {
    CommandLine verbs = new CommandLine(new Verbs());
    needed(args).forEach((name, verb) -> verbs.addSubcommand(name, verb.get()));
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

  /**
   * The verbs that these arguments need, by name: the verb that they name, or all verbs. Picocli
   * reads each verb by reflection; reading all of them would take a fifth of the time of a short
   * command.
   */
  static Map<String, Supplier<Object>> needed(String... arguments) {
    Map<String, Supplier<Object>> verbs = verbs();
    String first = arguments.length == 0 ? "" : arguments[0];
    if (verbs.containsKey(first) && !DESCRIBE_ALL.contains(first)) {
      verbs.keySet().retainAll(Set.of(first));
    }
    return verbs;
  }

  private static Map<String, Supplier<Object>> verbs() {
    Map<String, Supplier<Object>> verbs = new LinkedHashMap<>();
    verbs.put("run", () -> new RunCommand(GatewayApplication.class, VigilProperties.class));
    verbs.put("decode", () -> new DecodeCommand(System.in));
    verbs.put("encode", () -> new EncodeCommand(System.in));
    verbs.put("ether", () -> new EtherCommand(SystemTime.NANO_TIME, new SecureRandom()));
    verbs.put("sa", () -> AssociationCommand.with(new SecureRandom()));
    verbs.put("endpoints", EndpointsCommand::new);
    verbs.put("label", LabelCommand::new);
    verbs.put("verify", VerifyCommand::new);
    verbs.put("fetch", FetchCommand::new);
    verbs.put("command", () -> new SendCommand(SystemTime.CLOCK, new SecureRandom()));
    verbs.put("backup", () -> new BackupCommand(SystemTime.CLOCK, new SecureRandom()));
    verbs.put(
        "restore", () -> new RestoreCommand(System.in, SystemTime.CLOCK, SystemTime.NANO_TIME));
    verbs.put("replace", ReplaceCommand::new);
    verbs.put(
        "migrate",
        () -> new MigrateCommand(SystemTime.CLOCK, SystemTime.NANO_TIME, new SecureRandom()));
    verbs.put("doctor", () -> new DoctorCommand(SystemTime.CLOCK));
    verbs.put("completion", CompletionCommand::new);
    verbs.put("manual", ManualCommand::new);
    verbs.put(
        "support",
        () -> new SupportCommand(new Settings(VigilProperties.class), System.in, SystemTime.CLOCK));
    return verbs;
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
