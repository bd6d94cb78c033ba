package dev.vigil.gateway.cli.verify;

import dev.vigil.gateway.archive.ArchiveFileReader;
import dev.vigil.gateway.archive.ArchiveVerifier;
import dev.vigil.gateway.cli.KeyWord;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.trust.JwkCodec;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.SignatureVerifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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

/** {@code verify}: verifies an archive. Needs neither a gateway nor a network. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Checks each reading of an archive against the object that its endpoint signed. Reads CSV or"
          + " JSON lines of an export, one JWS per line, or a JSON array of JWS.",
      "Detected: a value, unit, name, number or resource that differs from the signed object; an"
          + " invalid signature; rows out of order or repeated.",
      "Reported, but not as a fault: missing numbers. They may belong to a registration or to a"
          + " reading of a resource that was not exported.",
      "Not detected: changed names and domains of endpoints, times of arrival and marks, which are"
          + " not signed; anything about readings with the mark recovered, which are counted and"
          + " never verified."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:everything is valid", "1:there are faults", "2:there was nothing to check"})
public final class VerifyCommand implements Callable<Integer> {
  private static final int MAX_LINES = 50;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "The archive.")
  private @Nullable Path file;

  @Option(
      names = "--key",
      paramLabel = "JKT",
      parameterConsumer = KeyWord.class,
      description = "Thumbprint of an accepted key, from a mote's label; may be repeated.")
  private List<String> pinned = new ArrayList<>();

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description =
          "A file with a JWK or JWK set of accepted keys; keys in the archive are ignored.")
  private @Nullable Path keys;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try {
      Map<String, Jwk> given = keys == null ? Map.of() : read(keys);
      Set<String> pins = new HashSet<>();
      for (String typed : pinned) {
        // Labels show a thumbprint in groups.
        String jkt = typed.replaceAll("\\s", "");
        if (!ListedKey.isThumbprint(jkt)) {
          err.println("vigil: \"" + typed + "\" is not the 43 characters of a thumbprint");
          return CommandLine.ExitCode.USAGE;
        }
        pins.add(jkt);
      }
      // Bouncy Castle needs no native library, and speed does not matter here.
      ArchiveVerifier verifier =
          new ArchiveVerifier(
              new SignatureVerifier(SignatureVerifier.Choice.BOUNCY_CASTLE),
              given,
              kid ->
                  pins.contains(kid) || pins.isEmpty() && (keys == null || given.containsKey(kid)));
      if (file == null) {
        return CommandLine.ExitCode.USAGE;
      }
      ArchiveFileReader.read(file, verifier);
      return report(verifier, out);
    } catch (IOException e) {
      err.println("vigil: cannot read " + e.getMessage() + ": does it exist, and is it text?");
    } catch (SignedObjectException e) {
      err.println("vigil: cannot read the keys in " + keys + ": " + e.line());
    }
    return CommandLine.ExitCode.USAGE;
  }

  private int report(ArchiveVerifier verifier, PrintWriter out) {
    int faults = verifier.faultCount();
    out.println(summary(verifier, faults));
    verifier.series().forEach(one -> out.println(ArchiveVerifier.printable(one.summary())));
    List<String> gaps = verifier.gaps();
    gaps.forEach(line -> out.println(ArchiveVerifier.printable(line)));
    if (!gaps.isEmpty()) {
      out.println(
          "missing numbers may be registrations, readings of resources that were not exported,"
              + " or readings that were lost or removed");
    }
    if (verifier.undated() > 0) {
      out.println(
          ArchiveVerifier.count(verifier.undated(), "reading")
              + " without a time of measurement: the time of arrival is shown, which is not"
              + " signed");
    }
    if (verifier.recovered() > 0) {
      out.println(
          ArchiveVerifier.count(verifier.recovered(), "reading")
              + " recovered from a mote's block store: not signed, so not verified");
    }
    if (pinned.isEmpty() && keys == null && !verifier.series().isEmpty()) {
      out.println(
          "the keys come from the archive itself: compare them with the motes' labels, or"
              + " repeat with --key");
    }
    List<String> lines = verifier.faults();
    lines.stream().limit(MAX_LINES).forEach(out::println);
    if (lines.size() > MAX_LINES) {
      out.println("... and " + (lines.size() - MAX_LINES) + " more");
    }
    if (faults > 0) {
      return CommandLine.ExitCode.SOFTWARE;
    }
    return verifier.readings() == 0 ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.OK;
  }

  private String summary(ArchiveVerifier verifier, int faults) {
    String verdict = faults == 0 ? "all valid" : ArchiveVerifier.count(faults, "fault");
    if (verifier.readings() > 0) {
      return ArchiveVerifier.count(verifier.readings(), "reading") + " checked, " + verdict;
    }
    String nothing = (verifier.recovered() > 0 ? "no signed reading in " : "no reading in ") + file;
    return faults == 0 ? nothing : nothing + ", " + verdict;
  }

  private static Map<String, Jwk> read(Path file) throws IOException {
    List<Jwk> found =
        JwkCodec.readAll(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    Map<String, Jwk> byThumbprint = new HashMap<>();
    found.forEach(key -> byThumbprint.put(JwkCodec.thumbprint(key), key));
    if (byThumbprint.isEmpty()) {
      throw SignedObjectException.malformed("there is none");
    }
    return byThumbprint;
  }
}
