package dev.vigil.gateway.cli.shell;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code completion}: prints a script with which bash and zsh complete verbs and options. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Prints a script with which bash and zsh complete verbs and options.",
      "For this shell: source <(./vigil completion)"
    })
public final class CompletionCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    CommandLine program = spec.root().commandLine();
    spec.commandLine().getOut().print(AutoComplete.bash(program.getCommandName(), program));
    spec.commandLine().getOut().flush();
  }
}
