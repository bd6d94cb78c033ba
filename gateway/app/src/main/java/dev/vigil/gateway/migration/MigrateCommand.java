package dev.vigil.gateway.migration;

import dev.vigil.gateway.store.jetstream.ClusterOptions;
import dev.vigil.gateway.store.jetstream.ClusterSecurity;
import dev.vigil.gateway.store.jetstream.Migration;
import dev.vigil.gateway.store.jetstream.Migration.Moved;
import dev.vigil.gateway.store.sqlite.rows.StoredContent;
import dev.vigil.store.StoreException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code migrate}: moves the data of a gateway into a cluster, or back. */
@Command(
    name = "migrate",
    mixinStandardHelpOptions = true,
    description = {
      "Moves the data of a gateway into a cluster of gateways, or back. Stop all gateways first."
          + " The data is read again and compared. If the move is interrupted, do it again.",
      "Into a cluster: the data folder then holds a replica; start it with --store, before the"
          + " other gateways. The former database stays as vigil.db.before-cluster.",
      "Out of a cluster: the folder is one of a gateway of the cluster, or holds a copy of"
          + " identity.jwk only. Then delete the stream, so that no gateway uses it any more."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:the data has moved", "1:nothing has moved", "2:a wrong option"})
public final class MigrateCommand implements Callable<Integer> {
  /** A gateway of a cluster writes every five seconds. */
  private static final Duration QUIET = Duration.ofSeconds(6);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Clock clock;
  private final LongSupplier nanoTime;
  private final SecureRandom random;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--from",
      paramLabel = "FOLDER|URL",
      required = true,
      split = ",",
      description = "A data folder, or NATS servers such as nats://nats-1:4222,nats://nats-2:4222.")
  private List<String> from = List.of();

  @Option(
      names = "--to",
      paramLabel = "FOLDER|URL",
      required = true,
      split = ",",
      description = "NATS servers, or a data folder.")
  private List<String> to = List.of();

  @Option(
      names = "--stream",
      defaultValue = "vigil",
      description = "The name of the stream (default: ${DEFAULT-VALUE}).")
  private String stream = "vigil";

  @Option(
      names = "--credentials",
      paramLabel = "FILE",
      description = "A NATS credentials file, or a file with the seed of an nkey.")
  private @Nullable Path credentials;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "A PEM file with the authorities of the servers.")
  private @Nullable Path ca;

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description = "A PEM file, if the servers ask for a certificate.")
  private @Nullable Path certificate;

  @Option(names = "--key", paramLabel = "FILE", description = "The key of that certificate.")
  private @Nullable Path key;

  @Option(
      names = "--allow-weak-store",
      description = "Allows a cluster that can lose acknowledged updates, for a trial.")
  private boolean allowWeakStore;

  /**
   * @param nanoTime monotonic nanoseconds
   */
  public MigrateCommand(Clock clock, LongSupplier nanoTime, SecureRandom random) {
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.random = random;
  }

  private static boolean isCluster(List<String> place) {
    return place.getFirst().contains("://");
  }

  @Override
  public Integer call() {
    if (isCluster(from) == isCluster(to)) {
      throw new ParameterException(
          spec.commandLine(), "migrate takes a data folder and the URLs of NATS servers");
    }
    boolean into = isCluster(to);
    List<String> place = into ? from : to;
    Path folder = Path.of(String.join(",", place)).toAbsolutePath().normalize();
    try {
      Migration migration =
          new Migration(options(into ? to : from), random, clock, nanoTime, QUIET);
      Moved moved = into ? migration.intoCluster(folder) : migration.outOfCluster(folder);
      report(moved, folder, into);
      return CommandLine.ExitCode.OK;
    } catch (StoreException e) {
      spec.commandLine().getErr().println("vigil: nothing has moved: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private ClusterOptions options(List<String> servers) {
    try {
      return new ClusterOptions(
          servers,
          stream,
          new ClusterSecurity(ca, certificate, key, credentials),
          allowWeakStore ? 1 : ClusterOptions.MIN_REPLICAS,
          allowWeakStore,
          PATIENCE);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private void report(Moved moved, Path folder, boolean into) {
    StoredContent content = moved.content();
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "both sides have %d names, %d facts, %d groups of older facts and %d aggregates up to position %d%n",
        content.endpoints(),
        content.facts(),
        content.olderGroups(),
        content.aggregates(),
        moved.position());
    out.printf("SHA-256 %s%n", content.sha256());
    if (into) {
      out.printf(
          "start the gateway with --data-dir %s --store %s; then copy its identity.jwk to the others%n",
          folder, String.join(",", to));
    } else {
      out.printf(
          "start the gateway with --data-dir %s, and delete the stream %s%n", folder, stream);
    }
  }
}
