package dev.vigil.border.cli;

import dev.vigil.border.associations.AssociationFileReader;
import dev.vigil.border.ipsec.AssociationFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks a file of associations as its reader does, and prints warnings. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = "checks FILE as the gateway does; exit code 2 if the gateway would refuse it")
final class AssociationCheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "the file of one node, mode 0600")
  private Path file = Path.of("");

  @Option(names = "--mote", description = "a mote's file: at most 16 associations")
  private boolean mote;

  @Override
  public Integer call() {
    int most = mote ? AssociationFile.MOTE_ENTRIES : AssociationFileReader.GATEWAY_ENTRIES;
    AssociationFile read = AssociationCommand.read(spec, file, most);
    PrintWriter out = spec.commandLine().getOut();
    read.warnings().forEach(warning -> out.println("warning: " + warning));
    long peers =
        read.entries().stream()
            .filter(entry -> entry.use() != AssociationFile.Use.STORE)
            .map(AssociationFile.Entry::peer)
            .distinct()
            .count();
    out.printf("%s: %d associations with %d peers%n", file, read.entries().size(), peers);
    out.flush();
    return 0;
  }
}
