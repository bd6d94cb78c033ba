package dev.vigil.gateway.bench;

import static dev.vigil.gateway.bench.load.BenchSupport.cpu;
import static dev.vigil.gateway.bench.load.BenchSupport.micros;
import static dev.vigil.gateway.bench.load.BenchSupport.require;

import dev.vigil.gateway.bench.load.BenchSupport;
import dev.vigil.gateway.bench.load.CoapLoad;
import dev.vigil.gateway.bench.load.DirectoryServer;
import dev.vigil.gateway.bench.load.FiveLinks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Registrations of five links over CoAP: processor time of a durable directory, of libcoap's {@code
 * coap-rd}, which is not durable and has no lookup, and of aiocoap's {@code aiocoap-rd}, which has.
 */
final class RegistrationBench implements Benchmark {
  private static final int PEERS = 60;

  /** aiocoap's directory takes longer with each entry: the second turn ends at 1 000 entries. */
  private static final int AIOCOAP_COUNT = 500;

  @Override
  public List<Target> targets() {
    return List.of(Target.REGISTER_CPU, Target.REGISTER_CPU_AIOCOAP);
  }

  @Override
  public List<Figure> measure(Set<Target> wanted, Effort effort) throws Exception {
    int count = effort.of(50_000, 20_000);
    Path folder = Files.createTempDirectory("vigil-bench");
    try (BenchSupport.Server server = BenchSupport.Server.start(DirectoryServer.class, folder);
        Registrations ours = new Registrations(server.port(), server.process())) {
      ours.send(2 * count);
      List<Figure> figures = new ArrayList<>();
      for (Target target : wanted) {
        boolean aiocoap = target == Target.REGISTER_CPU_AIOCOAP;
        int theirCount = aiocoap ? AIOCOAP_COUNT : count;
        figures.add(pairs(effort, target, ours, count, aiocoap, theirCount));
      }
      return figures;
    } finally {
      BenchSupport.delete(folder);
    }
  }

  private static Figure pairs(
      Effort effort, Target target, Registrations ours, int count, boolean aiocoap, int theirCount)
      throws Exception {
    int port = BenchSupport.freePort();
    Process peer = aiocoap ? aiocoapDirectory(port) : libcoapDirectory(port);
    try {
      BenchSupport.awaitAnswer(port, peer);
      try (Registrations theirs = new Registrations(port, peer)) {
        return effort.pairs(
            target,
            aiocoap ? 3 : effort.of(5, 3),
            () -> ours.send(count),
            () -> theirs.send(theirCount));
      }
    } finally {
      BenchSupport.stop(peer);
    }
  }

  private static Process libcoapDirectory(int port) throws IOException {
    return BenchSupport.peer("coap-rd-notls", "-A", "127.0.0.1", "-p", Integer.toString(port));
  }

  /** Takes registrations at {@code /rd} with the option for LwM2M. */
  private static Process aiocoapDirectory(int port) throws IOException {
    String command = BenchSupport.words("vigil.bench.aiocoap-rd").getFirst();
    return BenchSupport.peer(command, "--lwm2m-compat", "--bind", "127.0.0.1:" + port);
  }

  /** Registers new endpoints, each once. */
  static final class Registrations implements AutoCloseable {
    /** So few that a directory of 1 000 endpoints stays small. */
    private static final int REMOVED = 1000;

    private static final int REPEATS = 8;

    private final Process server;
    private final CoapLoad load;
    private int next;

    Registrations(int port, Process server) throws IOException {
      this.server = server;
      this.load = new CoapLoad(port, PEERS);
    }

    /** Microseconds of CPU for each registration. */
    double send(int count) throws IOException {
      int first = next;
      next += count;
      Duration before = cpu(server);
      require(load.run(count, i -> registration(first + i)), "2.01", count);
      return micros(cpu(server).minus(before)) / count;
    }

    /**
     * Registers some endpoints and removes them, several times.
     *
     * @return microseconds of CPU for each registration, without the removals
     */
    double sendAndRemove() throws IOException {
      Duration registering = Duration.ZERO;
      for (int i = 0; i < REPEATS; i++) {
        int first = next;
        next += REMOVED;
        String[] ids = new String[REMOVED];
        Duration before = cpu(server);
        require(
            load.run(
                REMOVED,
                each -> registration(first + each),
                (each, answer) -> ids[each] = CoapLoad.location(answer)),
            "2.01",
            REMOVED);
        registering = registering.plus(cpu(server).minus(before));
        require(load.run(REMOVED, each -> removal(ids[each])), "2.02", REMOVED);
      }
      return micros(registering) / REPEATS / REMOVED;
    }

    @Override
    public void close() throws IOException {
      load.close();
    }

    private static byte[] removal(String id) {
      return CoapLoad.message(4, CoapLoad.options(List.of("rd", id), -1, List.of()), new byte[0]);
    }

    private static byte[] registration(int i) {
      return CoapLoad.message(
          2,
          CoapLoad.options(List.of("rd"), 40, List.of(FiveLinks.query(i).split("&"))),
          FiveLinks.links(i).getBytes(StandardCharsets.UTF_8));
    }
  }
}
