package dev.vigil.border.cli;

import dev.vigil.border.associations.AssociationFileReader;
import dev.vigil.border.ipsec.AssociationFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
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
  private static final Path THIS_PROCESS = Path.of("/proc/self");

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
    throw new ParameterException(spec.commandLine(), "sa needs a subcommand: check, linux or new");
  }

  /** Reads a file that the user has named, or ends the command with an error message. */
  static AssociationFile read(CommandSpec spec, Path file, int most) {
    requireOwnFile(spec, file);
    try {
      return AssociationFileReader.read(file, most);
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /**
   * Root may open any file. The program that reads the file later runs as another user and may not.
   */
  private static void requireOwnFile(CommandSpec spec, Path file) {
    try {
      UserPrincipal owner = Files.getOwner(file, LinkOption.NOFOLLOW_LINKS);
      if (!owner.equals(Files.getOwner(THIS_PROCESS))) {
        throw new ParameterException(
            spec.commandLine(),
            "%1$s may be opened only by its owner %2$s; run: sudo -u %2$s ./vigil sa %3$s …"
                .formatted(file, owner.getName(), spec.name()));
      }
    } catch (IOException e) {
      // The file is missing, which the reader reports.
    }
  }
}
