package dev.vigil.gateway.export;

import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.jose.Signatures;
import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verify}: an archive against what the endpoints signed. Needs no gateway, no network. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Checks each reading of an archive against what its endpoint signed: CSV or JSON lines of an"
          + " export, a JWS on each line, or a JSON array of JWS.",
      "Noticed: a value, unit, name, number or resource that is not what was signed; a signature"
          + " that does not hold; rows out of order or twice.",
      "Not to be noticed: readings that are missing (others may have taken their numbers); names"
          + " and domains of endpoints, times of arrival, marks, which nobody signed."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:everything holds", "1:something does not", "2:there was nothing to check"})
public final class VerifyCommand implements Callable<Integer> {
  private static final int MOST_TOLD = 50;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "The archive.")
  private @Nullable Path file;

  @Option(
      names = "--key",
      paramLabel = "JKT",
      description = "Thumbprint of a key that counts, from a mote's label; may be repeated.")
  private List<String> pinned = new ArrayList<>();

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = "A JWK or JWK set: those keys count, the ones in the archive do not.")
  private @Nullable Path keys;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try {
      Map<String, Jwk> given = keys == null ? Map.of() : read(keys);
      Set<String> pins = Set.copyOf(pinned);
      // Bouncy Castle everywhere: nothing to unpack, and no hurry.
      Examiner examiner =
          new Examiner(
              new Signatures(Signatures.Choice.BOUNCY_CASTLE),
              given,
              kid ->
                  pins.contains(kid) || pins.isEmpty() && (keys == null || given.containsKey(kid)));
      if (file == null) {
        return CommandLine.ExitCode.USAGE;
      }
      ArchiveReader.read(file, examiner);
      return report(examiner, out);
    } catch (IOException e) {
      err.println("vigil: cannot read " + e.getMessage() + ": is it there, and text?");
    } catch (Rejection e) {
      err.println("vigil: cannot take the keys of " + keys + ": " + e.line());
    }
    return CommandLine.ExitCode.USAGE;
  }

  private int report(Examiner examiner, PrintWriter out) {
    List<String> faults = examiner.faults();
    faults.stream().limit(MOST_TOLD).map(VerifyCommand::printable).forEach(out::println);
    if (faults.size() > MOST_TOLD) {
      out.println("... and " + (faults.size() - MOST_TOLD) + " more");
    }
    examiner.series().forEach(one -> out.println(printable(one.summary())));
    if (examiner.undated() > 0) {
      out.println(
          count(examiner.undated(), "reading")
              + " told no time of their own: theirs is when they came, which nobody signed");
    }
    if (examiner.readings() == 0) {
      out.println("no reading in " + file);
      return faults.isEmpty() ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }
    if (pinned.isEmpty() && keys == null && !examiner.series().isEmpty()) {
      out.println(
          "only the archive says whose these keys are: compare them with the motes' labels, or"
              + " repeat with --key");
    }
    out.println(
        count(examiner.readings(), "reading")
            + " checked, "
            + (faults.isEmpty() ? "all hold" : count(faults.size(), "fault")));
    return faults.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /** What archives say must not steer a terminal. */
  private static String printable(String line) {
    return line.replaceAll("\\p{Cntrl}", "?");
  }

  private static Map<String, Jwk> read(Path file) throws IOException {
    byte[] text = Files.readAllBytes(file);
    List<Jwk> found = new ArrayList<>();
    JsonReader json = new JsonReader(new WireReader(text));
    boolean[] set = {false};
    json.object(
        name -> {
          if (name.equals("keys")) {
            set[0] = true;
            json.array(() -> found.add(Jwk.read(json)));
          } else {
            json.skip();
          }
        });
    json.end();
    if (!set[0]) {
      found.add(Jwk.parse(text));
    }
    Map<String, Jwk> byThumbprint = new HashMap<>();
    found.forEach(key -> byThumbprint.put(key.thumbprint(), key));
    if (byThumbprint.isEmpty()) {
      throw Rejection.malformed("there is none");
    }
    return byThumbprint;
  }
}
