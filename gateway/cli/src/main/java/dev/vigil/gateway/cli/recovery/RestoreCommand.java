package dev.vigil.gateway.cli.recovery;

import dev.vigil.gateway.cli.SettingsFile;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.store.StoreException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code restore}: creates a data folder from a backup. */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    description = {
      "Creates a data folder from a backup, completely or not at all. Numbers continue far above"
          + " those in the backup, so that no recorded message is accepted as new. Each endpoint"
          + " registers again by itself, and commanders ask for the last number.",
      "Stop the original gateway first: two gateways with one identity must not run."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:the folder is restored", "1:nothing was changed", "2:a wrong option"})
public final class RestoreCommand implements Callable<Integer> {
  private static final String STDIN = "-";

  private final InputStream in;
  private final Clock clock;
  private final LongSupplier nanoTime;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "The backup; - is standard input.")
  private String file = "";

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "${env:VIGIL_DATA_DIR:-data}",
      description = "A new or empty folder (default: $${VIGIL_DATA_DIR}, else ./data).")
  private Path dataDir = Path.of("data");

  @Option(
      names = "--keep-tokens",
      description =
          "Keeps API tokens and wallboard links valid; use it only if none was revoked since the"
              + " backup. Without it, links end, and an administrator must confirm tokens.")
  private boolean keepTokens;

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description = "A file whose first line is the passphrase.")
  private @Nullable Path passphraseFile;

  /**
   * @param in standard input
   * @param nanoTime monotonic nanoseconds
   */
  public RestoreCommand(InputStream in, Clock clock, LongSupplier nanoTime) {
    this.in = in;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  @Override
  public Integer call() {
    Path folder = dataDir.toAbsolutePath().normalize();
    Optional<String> cluster = cluster();
    if (cluster.isPresent()) {
      spec.commandLine()
          .getErr()
          .println(
              "vigil: %s is not restored: %s names a cluster. Restore without that setting, then move the data with: vigil migrate --from %s --to nats://..."
                  .formatted(file, cluster.get(), folder));
      return CommandLine.ExitCode.SOFTWARE;
    }
    try (InputStream backup =
        new BufferedInputStream(file.equals(STDIN) ? in : Files.newInputStream(Path.of(file)))) {
      char[] passphrase = new Passphrase(passphraseFile, System.getenv(), System.console()).given();
      report(
          new DataFolderRestore(clock, nanoTime, keepTokens).restore(backup, passphrase, folder),
          folder);
      return CommandLine.ExitCode.OK;
    } catch (IOException | StoreException e) {
      spec.commandLine()
          .getErr()
          .println("vigil: %s is not restored: %s".formatted(file, ErrorLine.of(e)));
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  /** The place that names a cluster in the settings of a gateway in this folder; empty if none. */
  private static Optional<String> cluster() {
    Optional<String> variable =
        System.getenv().keySet().stream()
            .filter(name -> name.startsWith("VIGIL_CLUSTER_SERVERS"))
            .findFirst();
    if (variable.isPresent()) {
      return variable;
    }
    for (SettingsFile settings : SettingsFile.of(Path.of(""), null)) {
      try {
        if (settings.settings().keySet().stream()
            .anyMatch(name -> name.startsWith("vigil.cluster.servers"))) {
          return Optional.of(String.valueOf(settings.path()));
        }
      } catch (IOException e) {
        continue; // The gateway reports it when it starts.
      }
    }
    return Optional.empty();
  }

  private void report(DataFolderRestore.Report report, Path folder) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%s: state of %s, made by %s%n",
        folder, report.header().created(), JsonReader.printable(report.header().product()));
    out.printf(
        "numbers of %d endpoints were raised: each registers again by itself%n",
        report.endpoints());
    report
        .settings()
        .forEach(settings -> out.printf("settings: %s (use it with --config)%n", settings));
    if (report.replica()) {
      out.println(
          "the backup is of a gateway in a cluster: the folder holds the store of a single gateway;"
              + " move it into a new cluster with: vigil migrate");
    }
    if (report.exhausted() > 0) {
      out.println(
          "frame counters of the link key, or numbers of an IPsec association, may be used up: set"
              + " new keys everywhere");
    }
    out.printf(
        "%d sessions were ended, %d API tokens suspended: sign in again%s%n",
        report.credentials().sessions(),
        report.credentials().suspended(),
        report.credentials().suspended() > 0
            ? ", confirm or revoke the tokens on the page Accounts and tokens, or restore with --keep-tokens"
            : "");
    out.println(
        "decisions since then are lost: revoke and approve keys again, change passwords that were"
            + " changed, remove passkeys that were removed");
  }
}
