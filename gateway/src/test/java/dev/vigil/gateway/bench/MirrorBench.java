package dev.vigil.gateway.bench;

import static dev.vigil.gateway.bench.BenchSupport.cpu;
import static dev.vigil.gateway.bench.BenchSupport.median;
import static dev.vigil.gateway.bench.BenchSupport.micros;
import static dev.vigil.gateway.bench.BenchSupport.require;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures {@code ingest.cpu_ratio}, {@code ingest.rate}, {@code ingest.heap_per_update} and {@code
 * read.cpu_ratio}: processor time of a gateway process under load from another, beside its
 * references in the same run. Three runs, the median of each.
 */
final class MirrorBench {
  /** So many that two updates of one mote are never under way at a time. */
  private static final int MOTES = 2000;

  private static final int WARM = 300_000;
  private static final int MEASURED = 60_000;
  private static final int READS = 150_000;
  private static final int PEERS = 256;
  private static final int RUNS = 3;
  private static final int PROCESSORS = 2;

  private MirrorBench() {}

  /** Processor time in microseconds for one of what was measured. */
  private record Run(
      double ingest,
      double verification,
      double read,
      double libcoapRead,
      double heap,
      double rate,
      double verificationRate) {}

  static void main(String[] arguments) throws Exception {
    Motes motes = new Motes(MOTES);
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      Run run = run(motes);
      runs.add(run);
      System.out.println(run);
    }
    System.out.printf(
        "ingest.cpu_ratio %.2f (target 1.35): %.1f us an update, %.1f us a verification%n",
        median(runs, r -> r.ingest() / r.verification()),
        median(runs, Run::ingest),
        median(runs, Run::verification));
    System.out.printf(
        "ingest.rate %.2f (target 0.55): %.0f updates/s beside the generator, %.0f verifications/s%n",
        median(runs, r -> r.rate() / r.verificationRate()),
        median(runs, Run::rate),
        median(runs, Run::verificationRate));
    System.out.printf(
        "ingest.heap_per_update %.1f KB (target 8)%n", median(runs, Run::heap) / 1024);
    System.out.printf(
        "read.cpu_ratio %.2f (target 1.0): %.1f us a GET, libcoap %.1f us%n",
        median(runs, r -> r.read() / r.libcoapRead()),
        median(runs, Run::read),
        median(runs, Run::libcoapRead));
  }

  private static Run run(Motes motes) throws Exception {
    double verification = 1e6 / BenchSupport.verifications(1);
    double verificationRate = BenchSupport.verifications(PROCESSORS);
    Path folder = Files.createTempDirectory("vigil-bench");
    try (BenchSupport.Server server = BenchSupport.Server.start(folder);
        CoapLoad load = new CoapLoad(server.port(), PEERS)) {
      try (CoapLoad one = new CoapLoad(server.port(), 1)) {
        // One after the other: the store counts ids up in the order of the motes.
        require(one.run(MOTES, motes::registration), "2.01", MOTES);
      }
      byte[][] updates = new byte[WARM + MEASURED][];
      for (int i = 0; i < updates.length; i++) {
        updates[i] = motes.update(i % MOTES, id(i % MOTES), "temp", 2 + i / MOTES);
      }
      require(load.run(WARM, i -> updates[i]), "2.04", WARM - MOTES);
      long allocated = server.allocated();
      long started = System.nanoTime();
      Duration before = server.cpu();
      require(load.run(MEASURED, i -> updates[WARM + i]), "2.04", MEASURED);
      double ingest = micros(server.cpu().minus(before)) / MEASURED;
      double seconds = (System.nanoTime() - started) / 1e9;
      double heap = (double) (server.allocated() - allocated) / MEASURED;
      byte[] get =
          CoapLoad.message(
              1, CoapLoad.options(List.of("ms", id(0), "temp"), -1, List.of()), new byte[0]);
      double read = reads(load, server.process(), get);
      return new Run(
          ingest, verification, read, libcoapRead(), heap, MEASURED / seconds, verificationRate);
    } finally {
      BenchSupport.delete(folder);
    }
  }

  private static double reads(CoapLoad load, Process server, byte[] get) throws IOException {
    require(load.run(2 * READS, i -> get.clone()), "2.05", 2 * READS);
    Duration before = cpu(server);
    require(load.run(READS, i -> get.clone()), "2.05", READS);
    return micros(cpu(server).minus(before)) / READS;
  }

  /** libcoap's server with a constant of 300 octets at {@code /example_data}. */
  private static double libcoapRead() throws Exception {
    int port = BenchSupport.freePort();
    Process server =
        new ProcessBuilder("coap-server-notls", "-A", "127.0.0.1", "-p", Integer.toString(port))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    awaitAnswer(port);
    try (CoapLoad load = new CoapLoad(port, PEERS)) {
      byte[] constant = new byte[300];
      Arrays.fill(constant, (byte) 'x');
      byte[] options = CoapLoad.options(List.of("example_data"), -1, List.of());
      require(load.run(1, i -> CoapLoad.message(3, options, constant)), "2.01", 1);
      return reads(load, server, CoapLoad.message(1, options, new byte[0]));
    } finally {
      server.destroy();
      server.waitFor();
    }
  }

  /** A port that nobody listens on yet refuses at once; asks until it answers. */
  private static void awaitAnswer(int port) throws IOException {
    byte[] get = CoapLoad.message(1, CoapLoad.options(List.of(), -1, List.of()), new byte[0]);
    for (int tries = 0; tries < 100_000; tries++) {
      try (CoapLoad load = new CoapLoad(port, 1)) {
        load.run(1, i -> get.clone());
        return;
      } catch (java.net.PortUnreachableException e) {
        Thread.onSpinWait();
      }
    }
    throw new IOException("libcoap's server does not answer");
  }

  /** The store counts in base 36. */
  private static String id(int mote) {
    return Integer.toString(mote + 1, Character.MAX_RADIX);
  }
}
