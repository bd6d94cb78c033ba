package dev.vigil.gateway.bench;

import static dev.vigil.gateway.bench.load.BenchSupport.micros;

import dev.vigil.gateway.bench.load.BenchSupport;
import dev.vigil.gateway.bench.load.MirroredEndpoints;
import dev.vigil.gateway.bench.load.NatsServers;
import dev.vigil.gateway.bench.load.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Two gateways on a cluster of three servers, compared in turns with one gateway on SQLite. All
 * processes share the processors and the disk of this machine.
 */
final class ClusterBench implements Benchmark {
  /** Enough endpoints that two updates of one endpoint are never under way at the same time. */
  private static final int ENDPOINTS = 1000;

  private static final int PEERS = 128;

  /** The part of the rate at which the latency is measured. */
  private static final double LIGHT = 0.1;

  /** The time in which a cluster of new servers elects its leader. */
  private static final Duration ELECTION = Duration.ofSeconds(60);

  @Override
  public List<Target> targets() {
    return List.of(
        Target.CLUSTER_RATE, Target.CLUSTER_CPU, Target.CLUSTER_LATENCY, Target.CLUSTER_RESTART);
  }

  @Override
  public List<Figure> measure(Set<Target> wanted, Effort effort) throws Exception {
    Path folder = Files.createTempDirectory("vigil-bench");
    try (NatsServers servers = new NatsServers(folder);
        MirroredEndpoints alone = endpoints(folder, "alone");
        MirroredEndpoints first = first(folder, servers)) {
      List<Figure> figures = new ArrayList<>();
      if (!wanted.equals(Set.of(Target.CLUSTER_RESTART))) {
        try (MirroredEndpoints second = endpoints(folder, "second", servers.option())) {
          figures.addAll(new Load(servers, alone, first, second).measure(effort));
        }
      }
      if (wanted.contains(Target.CLUSTER_RESTART)) {
        figures.add(restart(alone, first, effort));
      }
      return figures;
    } finally {
      BenchSupport.delete(folder);
    }
  }

  private static MirroredEndpoints endpoints(Path folder, String name, String... options)
      throws IOException {
    Path data = Files.createDirectories(folder.resolve(name));
    return new MirroredEndpoints(data, name + "-", PEERS, options);
  }

  /** The first gateway, which makes the stream once the servers have a leader. */
  private static MirroredEndpoints first(Path folder, NatsServers servers) throws IOException {
    long deadline = System.nanoTime() + ELECTION.toNanos();
    while (true) {
      try {
        return endpoints(folder, "first", servers.option());
      } catch (IOException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  private static Figure restart(MirroredEndpoints alone, MirroredEndpoints first, Effort effort)
      throws Exception {
    int endpoints = effort.of(100_000, 20_000);
    Progress.say("cluster.restart: registers %d endpoints", endpoints);
    alone.growTo(endpoints);
    first.growTo(endpoints);
    return effort.pairs(
        Target.CLUSTER_RESTART, effort.of(5, 1), () -> first.restart(), () -> alone.restart());
  }

  /** Updates of both gateways, or of one of them. */
  private record Load(
      NatsServers servers,
      MirroredEndpoints alone,
      MirroredEndpoints first,
      MirroredEndpoints second) {
    List<Figure> measure(Effort effort) throws Exception {
      int updates = effort.of(20_000, 10_000);
      int pairs = effort.of(7, 3);
      for (MirroredEndpoints endpoints : List.of(alone, first, second)) {
        endpoints.growTo(ENDPOINTS);
      }
      Effort.warmUp(
          "cluster, updates a second",
          first.server().process(),
          effort.of(25, 2),
          () -> {
            alone.send(updates);
            return together(updates);
          });
      Figure rate =
          effort.pairs(
              Target.CLUSTER_RATE,
              pairs,
              () -> together(updates),
              () -> alone.send(updates).rate());
      List<Figure.Round> extra = new ArrayList<>();
      List<Figure.Round> latency = new ArrayList<>();
      for (int i = 0; i < pairs; i++) {
        extra.add(Figure.Round.of(extra(updates)));
        latency.add(Figure.Round.of(latency(updates / 10, LIGHT * rate.value())));
      }
      return List.of(
          rate, new Figure(Target.CLUSTER_CPU, extra), new Figure(Target.CLUSTER_LATENCY, latency));
    }

    /** Half of the updates to each gateway at the same time, in updates a second. */
    private double together(int updates) throws IOException {
      byte[][] ofFirst = first.sign(updates / 2);
      byte[][] ofSecond = second.sign(updates / 2);
      long started = System.nanoTime();
      CompletableFuture<Void> half =
          CompletableFuture.runAsync(
              () -> {
                try {
                  second.send(ofSecond);
                } catch (IOException e) {
                  throw new CompletionException(e);
                }
              });
      first.send(ofFirst);
      half.join();
      return updates / ((System.nanoTime() - started) / 1e9);
    }

    /** Processor time of the gateway that takes all updates, less that of the one on SQLite. */
    private double extra(int updates) throws IOException {
      Duration applying = second.server().cpu();
      Duration storing = servers.cpu();
      long stored = servers.octets();
      double ours = first.send(updates).cpu();
      double theirs = alone.send(updates).cpu();
      Progress.say(
          "cluster.cpu_extra_us: %.1f us, on SQLite %.1f; not included are the other gateway's %.1f and the servers' %.1f; an update takes %d B of each server's disk",
          ours,
          theirs,
          micros(second.server().cpu().minus(applying)) / updates,
          micros(servers.cpu().minus(storing)) / updates,
          (servers.octets() - stored) / updates);
      return ours - theirs;
    }

    private double latency(int updates, double perSecond) throws IOException {
      double cluster = first.latency(updates, perSecond);
      Progress.say(
          "cluster.latency_ms: %.2f ms at %.0f updates a second, on SQLite %.2f ms",
          cluster, perSecond, alone.latency(updates, perSecond));
      return cluster;
    }
  }
}
