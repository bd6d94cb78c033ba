package dev.vigil.gateway.cli.shell;

import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code manual}: prints the manual page in the format of man(7), one section for each verb. */
@Command(
    name = "manual",
    mixinStandardHelpOptions = true,
    description = {"Prints the manual page.", "To read it: ./vigil manual | man -l -"})
public final class ManualCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.println(".TH VIGIL 1");
    out.println(".SH NAME\nvigil \\- gateway that stays awake for sleeping sensors");
    out.println(".SH SYNOPSIS\n.B vigil\n.I verb\n.RI [ options ]");
    spec.root()
        .subcommands()
        .forEach(
            (name, verb) -> {
              out.println(".SH " + name.toUpperCase(Locale.ROOT));
              preformatted(out, verb);
            });
    out.println(".SH SEE ALSO\nthe guide in /usr/share/doc/vigil/docs/guide");
    out.flush();
  }

  private static void preformatted(PrintWriter out, CommandLine verb) {
    out.println(".nf");
    verb.getUsageMessage(Ansi.OFF).lines().map(ManualCommand::escaped).forEach(out::println);
    out.println(".fi");
    verb.getSubcommands().values().forEach(part -> preformatted(out, part));
  }

  /** A line of text in roff, where a backslash, a leading dot and a leading quote have meanings. */
  private static String escaped(String line) {
    String text = line.replace("\\", "\\e").replace("-", "\\-");
    return text.startsWith(".") || text.startsWith("'") ? "\\&" + text : text;
  }
}
