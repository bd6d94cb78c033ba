package dev.vigil.border.cli;

import dev.vigil.border.ether.Ether;
import dev.vigil.border.ether.EtherSettings;
import dev.vigil.border.ether.Topology;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Runs the virtual air without a gateway: motes, RIOT's native boards and gateways (radio kind
 * {@code zep}) are its nodes. Ends with the process, or after {@code --for}.
 */
@Command(
    name = "ether",
    mixinStandardHelpOptions = true,
    description = "the virtual 802.15.4 air (ZEP over UDP on loopback), for motes and gateways")
public final class EtherCommand implements Callable<Integer> {
  private static final int CANNOT_START = 1;
  private static final long FOR_EVER = Long.MAX_VALUE;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--port",
      defaultValue = "" + EtherSettings.DEFAULT_PORT,
      description = "UDP port on 127.0.0.1 and ::1, 0 for a free one (default: ${DEFAULT-VALUE})")
  private int port;

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description =
          "file of the links between nodes, each named by EUI-64 or by its number from 1 in order"
              + " of appearance (default: every node hears every other)")
  private @Nullable Path topology;

  @Option(
      names = "--octet-nanos",
      defaultValue = "" + EtherSettings.REAL_AIRTIME,
      description = "airtime of an octet (default: ${DEFAULT-VALUE}, 250 kbit/s)")
  private long octetNanos;

  @Option(
      names = "--for",
      paramLabel = "SECONDS",
      description = "stop this long after the line that begins with \"ready\"")
  private @Nullable Long seconds;

  private final LongSupplier nanoTime;
  private final RandomGenerator random;

  /**
   * @param nanoTime the clock of the medium, as {@link System#nanoTime}
   * @param random decides which frames a lossy edge loses
   */
  public EtherCommand(LongSupplier nanoTime, RandomGenerator random) {
    this.nanoTime = nanoTime;
    this.random = random;
  }

  @Override
  public Integer call() throws InterruptedException {
    EtherSettings settings = settings();
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Ether ether = new Ether(settings, nanoTime, random)) {
      ether.start();
      out.println("ready zep://127.0.0.1:" + ether.port());
      out.flush();
      // The latch is never counted down: the wait ends by a signal, or after --for.
      new CountDownLatch(1).await(nanos(), TimeUnit.NANOSECONDS);
      err.printf("%d nodes, %d packets refused%n", ether.nodes().size(), ether.refused());
      err.flush();
      return 0;
    } catch (IOException e) {
      err.printf(
          "vigil: cannot open the ether at UDP port %d: %s (ss -lunp shows the program that"
              + " listens there; --port chooses another port)%n",
          settings.port(), e.getMessage());
      err.flush();
      return CANNOT_START;
    }
  }

  private long nanos() {
    return seconds == null ? FOR_EVER : Duration.ofSeconds(seconds).toNanos();
  }

  private EtherSettings settings() {
    try {
      Topology parsed =
          topology == null ? Topology.everyone() : Topology.parse(Files.readString(topology));
      return new EtherSettings(port, parsed, octetNanos, EtherSettings.DEFAULT_ACK_WAIT_MILLIS);
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), "cannot read " + topology, e);
    } catch (IllegalArgumentException e) {
      String place = topology == null ? "" : topology + ": ";
      throw new ParameterException(spec.commandLine(), place + e.getMessage(), e);
    }
  }
}
