package dev.vigil.gateway.bench;

import dev.vigil.gateway.bench.load.BenchSupport;
import dev.vigil.gateway.bench.load.GatewayServer;
import dev.vigil.gateway.bench.load.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The time from the start of the process to its first CoAP answer, and the resident memory
 * afterwards without any request. Measures a second start on the same folder, as after a reboot.
 */
final class BootBench implements Benchmark {
  /** Longer than the launcher's interval of trimming native memory. */
  private static final int IDLE_MILLIS = 12_000;

  @Override
  public List<Target> targets() {
    return List.of(Target.BOOT_READY, Target.BOOT_RSS);
  }

  @Override
  public List<Figure> measure(Set<Target> wanted, Effort effort) throws Exception {
    List<Figure.Round> ready = new ArrayList<>();
    List<Figure.Round> resident = new ArrayList<>();
    Path folder = Files.createTempDirectory("vigil-bench");
    Files.writeString(folder.resolve("settings.yaml"), "vigil.coap.addresses: [localhost]\n");
    try {
      for (int i = -1; i < effort.of(9, 3); i++) {
        int port = BenchSupport.freePort();
        long started = System.nanoTime();
        try (GatewayServer gateway =
            GatewayServer.start(
                folder,
                "--config",
                folder.resolve("settings.yaml").toString(),
                "--coap-port",
                Integer.toString(port),
                "--coaps-port",
                "0")) {
          BenchSupport.awaitAnswer(port, gateway.process());
          double millis = (System.nanoTime() - started) / 1e6;
          double cpu = gateway.cpu().toMillis();
          gateway.port("coap");
          Thread.sleep(IDLE_MILLIS);
          double megabytes = gateway.resident();
          Progress.say(
              "boot.ready_ms: %.0f ms, %.0f ms of CPU; boot.rss: %.0f MB%s",
              millis, cpu, megabytes, i < 0 ? " (a new folder, not counted)" : "");
          if (i >= 0) {
            ready.add(Figure.Round.of(millis));
            resident.add(Figure.Round.of(megabytes));
          }
        }
      }
      return List.of(new Figure(Target.BOOT_READY, ready), new Figure(Target.BOOT_RSS, resident));
    } finally {
      BenchSupport.delete(folder);
    }
  }
}
