package dev.vigil.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.coap.CoapTestClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The gateway as a process that is killed. Its other ends: test_starting_and_stopping.py. */
@Timeout(180)
class ProcessTest {
  private static final int JOSE = 65100;
  private static final int SLEEPERS = 4;

  /** Less than the number of failures that a source may cause in a minute. */
  private static final int REPLAYS = 20;

  @TempDir Path folder = Path.of("");
  private Path data = Path.of("");

  @BeforeEach
  void chooseDataFolder() {
    data = folder.resolve("data");
  }

  private GatewayProcess start() throws IOException {
    return GatewayProcess.start(
        folder,
        "run",
        "--data-dir",
        data.toString(),
        "--demo",
        "--coap-port",
        "0",
        "--http-port",
        "0",
        "--zep-port",
        "0");
  }

  @Test
  void afterKillNineNothingAcknowledgedIsLostOrReplayed() throws Exception {
    List<SleepyEndpoint> sleepers = new ArrayList<>();
    List<String> entries = new ArrayList<>();
    ConcurrentLinkedQueue<List<String>> captured = new ConcurrentLinkedQueue<>();
    long[] acknowledged = new long[SLEEPERS];
    try (GatewayProcess gateway = start().ready()) {
      HttpTestClient web = new HttpTestClient(gateway.address("http:"));
      for (int i = 0; i < SLEEPERS; i++) {
        SleepyEndpoint sleeper = new SleepyEndpoint("mote-" + i);
        sleepers.add(sleeper);
        entries.add(web.register(sleeper, 1, "</temp>;rt=\"temperature\""));
      }
      CountDownLatch enough = new CountDownLatch(SLEEPERS * 20);
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < SLEEPERS; i++) {
        int n = i;
        writers.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      String path = entries.get(n) + "/temp";
                      for (long seq = 2; ; seq++) {
                        String update = sleepers.get(n).update("temp", seq, seq);
                        try {
                          if (web.send("PUT", path, "application/jose", update).statusCode()
                              >= 300) {
                            return; // too many in a minute
                          }
                        } catch (IllegalStateException killed) {
                          return;
                        }
                        acknowledged[n] = seq;
                        captured.add(List.of(path, update));
                        enough.countDown();
                      }
                    }));
      }
      enough.await();
      gateway.killNine();
      for (Thread writer : writers) {
        writer.join();
      }
    }
    // The data folder is all that is left of the process.
    try (InProcessGateway again =
            new InProcessGateway(data, "--vigil.trust=first-use", "--vigil.anonymous-read=true");
        CoapTestClient coap = new CoapTestClient(again.address("coap"))) {
      HttpTestClient web = new HttpTestClient(again.address("http"));
      for (int i = 0; i < SLEEPERS; i++) {
        String value = web.get(entries.get(i) + "/temp", "Accept", "text/plain").body();
        assertThat(Double.parseDouble(value)).isGreaterThanOrEqualTo(acknowledged[i]);
      }
      for (List<String> replay : captured.stream().limit(REPLAYS).toList()) {
        String code = coap.put(replay.getFirst(), replay.getLast(), JOSE).code();
        // The newest update of a resource counts as a repetition after a lost acknowledgement.
        assertThat(code).isIn("4.09", "2.04");
      }
      for (int i = 0; i < SLEEPERS; i++) {
        String path = entries.get(i) + "/temp";
        String value = web.get(path, "Accept", "text/plain").body();
        assertThat(Double.parseDouble(value)).isGreaterThanOrEqualTo(acknowledged[i]);
        assertThat(coap.put(path, sleepers.get(i).update("temp", 2, 99), JOSE).code())
            .isEqualTo("4.09");
      }
    }
  }
}
