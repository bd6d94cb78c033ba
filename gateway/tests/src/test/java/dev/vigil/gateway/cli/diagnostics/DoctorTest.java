package dev.vigil.gateway.cli.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.InProcessGateway;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DoctorTest {
  private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_000_000), ZoneOffset.UTC);

  private static final String SOUND =
      """
      # HELP vigil_store_failing 1 while the store cannot write
      # TYPE vigil_store_failing gauge
      vigil_store_failing 0.0
      vigil_store_commit_seconds_count 10
      vigil_store_commit_seconds_sum 0.05
      vigil_disk_free_bytes 5.0E9
      vigil_disk_total_bytes 1.0E10
      vigil_radio_link_up{radio="virtual"} 1.0
      vigil_mirror_endpoints{freshness="on_time",trust="trusted"} 3.0
      vigil_certificate_expires_seconds{protocol="https"} NaN
      """;

  @TempDir Path folder = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = new CommandLine(new DoctorCommand(Clock.systemUTC()));
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  private static List<String> findings(String metrics) {
    return Examination.of(new MetricsText(metrics), CLOCK).stream().map(Finding::line).toList();
  }

  @Test
  void aHealthyGatewayHasNoWarnings() {
    assertThat(findings(SOUND))
        .contains("ok       radio virtual", "ok       3 trusted endpoints, none missing")
        .contains("ok       disk: 50 % are free", "ok       store: 5 ms a transaction")
        .allMatch(line -> line.startsWith("ok "));
  }

  @Test
  void everyFaultIsNamed() {
    String ill =
        SOUND
                .replace("vigil_store_failing 0.0", "vigil_store_failing 1.0")
                .replace("free_bytes 5.0E9", "free_bytes 1.0E8")
                .replace("{radio=\"virtual\"} 1.0", "{radio=\"virtual\"} 0.0")
                .replace("NaN", Long.toString(1_000_000 - 86_400))
            + """
            vigil_certificate_expires_seconds{protocol="coaps"} 1864000
            vigil_mirror_endpoints{freshness="missing",trust="trusted"} 2.0
            vigil_mirror_keys{state="pending"} 1.0
            vigil_mirror_rejected_total{reason="bad_signature"} 7.0
            vigil_coap_datagrams_dropped_total{scheme="coap"} 9.0
            vigil_clock_behind_store_seconds 90.0
            vigil_directory_degraded 1.0
            vigil_publish_failing{directory="coap://d"} 1.0
            vigil_northbound_failing{destination="mqtt.hall"} 1.0
            vigil_alarms{kind="disk",severity="critical",state="active"} 1.0
            """;
    assertThat(findings(ill))
        .anyMatch(line -> line.startsWith("wrong    the store cannot write"))
        .anyMatch(line -> line.startsWith("wrong    disk: 1 % are free"))
        .anyMatch(line -> line.startsWith("wrong    radio virtual is lost"))
        .anyMatch(line -> line.startsWith("wrong    certificate of https: -1 days left"))
        .anyMatch(line -> line.startsWith("warn     certificate of coaps: 10 days left"))
        .anyMatch(line -> line.startsWith("warn     2 of 5 trusted endpoints are missing"))
        .anyMatch(line -> line.startsWith("warn     1 keys wait"))
        .anyMatch(line -> line.equals("ok       refused since the start: bad_signature 7"))
        .anyMatch(line -> line.startsWith("warn     9 datagrams were dropped"))
        .anyMatch(line -> line.startsWith("wrong    the clock is 90 s behind"))
        .anyMatch(line -> line.startsWith("warn     the directory does not fit"))
        .anyMatch(line -> line.startsWith("warn     the directory coap://d does not accept"))
        .anyMatch(line -> line.startsWith("warn     mqtt.hall does not take deliveries"))
        .anyMatch(line -> line.startsWith("warn     1 open alarms, critical"));
  }

  @Test
  void theClusterOfAGatewayIsExamined() {
    String cluster =
        SOUND
            + """
            vigil_cluster_gateways 2.0
            vigil_cluster_holder 1.0
            vigil_cluster_silent_seconds 0.0
            vigil_cluster_servers_missing 0.0
            vigil_cluster_lag 3.0
            vigil_cluster_clock_difference_seconds 0.4
            vigil_cluster_lost 0.0
            """;
    assertThat(findings(SOUND)).noneMatch(line -> line.contains("cluster"));
    assertThat(findings(cluster))
        .contains("ok       cluster: 2 gateways, 0 servers missing, 3 changes behind")
        .allMatch(line -> line.startsWith("ok "));
    assertThat(
            findings(
                cluster
                    .replace("holder 1.0", "holder 0.0")
                    .replace("missing 0.0", "missing 1.0")
                    .replace("seconds 0.4", "seconds 25.0")
                    .replace("lost 0.0", "lost 12.0")))
        .anyMatch(line -> line.startsWith("warn     cluster: 2 gateways, 1 servers missing"))
        .anyMatch(line -> line.startsWith("wrong    no gateway of the cluster has the duties"))
        .anyMatch(line -> line.startsWith("warn     a clock of the cluster differs"))
        .anyMatch(line -> line.startsWith("warn     the cluster's servers had lost 12 changes"));
    assertThat(findings(cluster.replace("silent_seconds 0.0", "silent_seconds 41.0")))
        .anyMatch(line -> line.startsWith("wrong    no contact with the cluster for 41 s"));
  }

  @Test
  void aRunningGatewayIsReadyAndKnown() {
    try (InProcessGateway gateway = new InProcessGateway(folder)) {
      assertThat(run("--url", gateway.address("http"))).as(err.toString()).isZero();
      assertThat(out.toString())
          .contains("ok       ready", "ok       Vigil ", "no radio in the settings", "transaction")
          .doesNotContain("wrong ");
    }
  }

  @Test
  void eachReasonForNoAnswerIsOneLine() throws IOException {
    assertThat(run("--url", "http://127.0.0.1:9")).isEqualTo(1);
    assertThat(err.toString().lines())
        .containsExactly(
            "vigil: nothing answers at http://127.0.0.1:9/: is the gateway running, and is this"
                + " its HTTP address?");
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  while (true) {
                    mute.accept().close();
                  }
                } catch (IOException e) {
                  // The test is over.
                }
              });
      assertThat(run("--url", "http://127.0.0.1:" + mute.getLocalPort())).isEqualTo(1);
    }
    assertThat(err.toString()).contains("does not speak HTTP as a gateway does");
    assertThat(run("--url", "https://127.0.0.1:9", "--ca", folder.resolve("no.pem").toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("no.pem");
    assertThat(run()).isEqualTo(2);
    assertThat(run("--url", "127.0.0.1:8080")).isEqualTo(2);
    assertThat(err.toString()).contains("--url", "is not an address like http://127.0.0.1:8080");
  }
}
