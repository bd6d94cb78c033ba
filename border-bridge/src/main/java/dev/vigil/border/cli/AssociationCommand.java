package dev.vigil.border.cli;

import dev.vigil.border.associations.AssociationFileReader;
import dev.vigil.border.ipsec.AssociationFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Works on files of associations (docs/protocol.md section 10.1). */
@Command(
    name = "sa",
    mixinStandardHelpOptions = true,
    description = "IPsec associations: checks a file, makes new ones, prints a Linux host's side")
public final class AssociationCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** The verb with its subcommands, for {@code CommandLine.addSubcommand}. */
  public static picocli.CommandLine with(SecureRandom random) {
    return new picocli.CommandLine(new AssociationCommand())
        .addSubcommand(new AssociationCheckCommand())
        .addSubcommand(new AssociationLinuxCommand())
        .addSubcommand(new AssociationNewCommand(random));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "sa takes check, linux or new");
  }

  /** Reads a file that the user has named, or ends the command with what is wrong. */
  static AssociationFile read(CommandSpec spec, Path file, int most) {
    try {
      return AssociationFileReader.read(file, most);
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
