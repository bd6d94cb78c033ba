package dev.vigil.gateway.cli.diagnostics;

import dev.vigil.gateway.cli.diagnostics.MetricsText.Sample;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Judges the metrics of a gateway by the limits of the alert rules in docker/metrics. */
final class Examination {
  private static final double LEAST_FREE = 0.05;
  private static final double LITTLE_FREE = 0.15;
  private static final double SLOW_SECONDS = 0.1;
  private static final long MANY_WAITING = 1000;
  private static final long CLOCK_SECONDS = 60;
  private static final long CLUSTER_CLOCK_SECONDS = 20;
  private static final long MANY_BEHIND = 1000;
  private static final long SOON_DAYS = 14;
  private static final double SECONDS_PER_DAY = 86_400;

  private final MetricsText metrics;
  private final Clock clock;
  private final List<Finding> findings = new ArrayList<>();

  private Examination(MetricsText metrics, Clock clock) {
    this.metrics = metrics;
    this.clock = clock;
  }

  static List<Finding> of(MetricsText metrics, Clock clock) {
    Examination examination = new Examination(metrics, clock);
    examination.store();
    examination.disk();
    examination.cluster();
    examination.radios();
    examination.endpoints();
    examination.requests();
    examination.certificates();
    examination.clock();
    examination.directories();
    examination.northbound();
    examination.alarms();
    return List.copyOf(examination.findings);
  }

  private void store() {
    double commits = metrics.value("vigil_store_commit_seconds_count");
    double mean = commits == 0 ? 0 : metrics.value("vigil_store_commit_seconds_sum") / commits;
    double waiting = metrics.value("vigil_store_waiting");
    if (metrics.value("vigil_store_failing") > 0) {
      findings.add(
          Finding.wrong(
              "the store cannot write: see the log for the cause; often the disk is full"));
    } else if (mean > SLOW_SECONDS || waiting > MANY_WAITING) {
      findings.add(
          Finding.warn(
              "the store is slow: %.0f ms a transaction, %.0f changes wait"
                  .formatted(mean * 1000, waiting)));
    } else {
      findings.add(Finding.ok("store: %.0f ms a transaction".formatted(mean * 1000)));
    }
  }

  private void disk() {
    double total = metrics.value("vigil_disk_total_bytes");
    if (total == 0) {
      return;
    }
    double free = metrics.value("vigil_disk_free_bytes") / total;
    String text = "disk: %.0f %% are free".formatted(100 * free);
    if (free < LEAST_FREE) {
      findings.add(Finding.wrong(text + "; a full disk stops every update"));
    } else {
      findings.add(free < LITTLE_FREE ? Finding.warn(text) : Finding.ok(text));
    }
  }

  /** Nothing for a gateway without a cluster. */
  private void cluster() {
    double gateways = metrics.value("vigil_cluster_gateways");
    double silent = metrics.value("vigil_cluster_silent_seconds");
    if (silent > 0) {
      findings.add(
          Finding.wrong(
              "no contact with the cluster for %.0f s: does a majority of the NATS servers run?"
                  .formatted(silent)));
    } else if (gateways > 0) {
      double missing = metrics.value("vigil_cluster_servers_missing");
      double lag = metrics.value("vigil_cluster_lag");
      String text =
          "cluster: %.0f gateways, %.0f servers missing, %.0f changes behind"
              .formatted(gateways, missing, lag);
      findings.add(missing > 0 || lag > MANY_BEHIND ? Finding.warn(text) : Finding.ok(text));
      if (metrics.value("vigil_cluster_holder") == 0) {
        findings.add(
            Finding.wrong(
                "no gateway of the cluster has the duties: nothing is delivered, and no alarms are raised"));
      }
    }
    double difference = metrics.value("vigil_cluster_clock_difference_seconds");
    if (difference > CLUSTER_CLOCK_SECONDS) {
      findings.add(
          Finding.warn(
              "a clock of the cluster differs from this gateway's by %.0f s: is NTP running on all machines?"
                  .formatted(difference)));
    }
    if (metrics.value("vigil_cluster_lost") > 0) {
      findings.add(
          Finding.warn(
              "the cluster's servers had lost %.0f changes, which this gateway has stored again: check their disks"
                  .formatted(metrics.value("vigil_cluster_lost"))));
    }
  }

  private void radios() {
    List<Sample> radios = metrics.all("vigil_radio_link_up");
    for (Sample radio : radios) {
      String name = radio.label("radio");
      findings.add(
          radio.value() > 0
              ? Finding.ok("radio " + name)
              : Finding.wrong("radio %s is lost: is its device connected?".formatted(name)));
    }
    if (radios.isEmpty()) {
      findings.add(Finding.ok("no radio in the settings"));
    }
  }

  private void endpoints() {
    String name = "vigil_mirror_endpoints";
    double trusted = metrics.sum(name, each -> each.label("trust").equals("trusted")).orElse(0);
    double missing =
        metrics
            .sum(
                name,
                each ->
                    each.label("trust").equals("trusted")
                        && each.label("freshness").equals("missing"))
            .orElse(0);
    findings.add(
        missing > 0
            ? Finding.warn(
                "%.0f of %.0f trusted endpoints are missing: /api/alarms?kind=missing names them"
                    .formatted(missing, trusted))
            : Finding.ok("%.0f trusted endpoints, none missing".formatted(trusted)));
    double waiting =
        metrics.sum("vigil_mirror_keys", each -> each.label("state").equals("pending")).orElse(0);
    if (waiting > 0) {
      findings.add(
          Finding.warn(
              "%.0f keys wait for a decision: /api/keys?state=pending".formatted(waiting)));
    }
  }

  private void requests() {
    String refused =
        metrics.all("vigil_mirror_rejected_total").stream()
            .filter(each -> each.value() > 0)
            .map(each -> "%s %.0f".formatted(each.label("reason"), each.value()))
            .collect(Collectors.joining(", "));
    findings.add(
        Finding.ok("refused since the start: " + (refused.isEmpty() ? "nothing" : refused)));
    double dropped = metrics.value("vigil_coap_datagrams_dropped_total");
    if (dropped > 0) {
      findings.add(
          Finding.warn(
              "%.0f datagrams were dropped: some sources send more than the gateway can serve"
                  .formatted(dropped)));
    }
  }

  private void certificates() {
    for (Sample certificate : metrics.all("vigil_certificate_expires_seconds")) {
      if (!Double.isNaN(certificate.value())) {
        double days = (certificate.value() - clock.instant().getEpochSecond()) / SECONDS_PER_DAY;
        String text =
            "certificate of %s: %.0f days left".formatted(certificate.label("protocol"), days);
        if (days < 0) {
          findings.add(Finding.wrong(text + "; clients refuse it: replace it"));
        } else {
          findings.add(days < SOON_DAYS ? Finding.warn(text) : Finding.ok(text));
        }
      }
    }
  }

  private void clock() {
    double behind = metrics.value("vigil_clock_behind_store_seconds");
    double jumps = metrics.value("vigil_clock_jumps_total");
    if (behind > CLOCK_SECONDS) {
      findings.add(
          Finding.wrong(
              "the clock is %.0f s behind stored times: is NTP running?".formatted(behind)));
    } else if (jumps > 0) {
      findings.add(Finding.warn("the clock jumped %.0f times: is NTP running?".formatted(jumps)));
    }
  }

  private void directories() {
    if (metrics.value("vigil_directory_degraded") > 0) {
      findings.add(
          Finding.warn("the directory does not fit into memory: give the JVM more memory"));
    }
    for (Sample directory : metrics.all("vigil_publish_failing")) {
      if (directory.value() > 0) {
        findings.add(
            Finding.warn(
                "the directory %s does not accept endpoints: see /api/directories for the reason"
                    .formatted(directory.label("directory"))));
      }
    }
  }

  private void northbound() {
    for (Sample destination : metrics.all("vigil_northbound_failing")) {
      if (destination.value() > 0) {
        findings.add(
            Finding.warn(
                "%s does not take deliveries: see /api/northbound for the reason"
                    .formatted(destination.label("destination"))));
      }
    }
  }

  private void alarms() {
    for (String severity : List.of("critical", "warning", "info")) {
      double open =
          metrics.sum("vigil_alarms", each -> each.label("severity").equals(severity)).orElse(0);
      if (open > 0) {
        findings.add(
            Finding.warn(
                String.format(Locale.ROOT, "%.0f open alarms, %s: /api/alarms", open, severity)));
      }
    }
  }
}
