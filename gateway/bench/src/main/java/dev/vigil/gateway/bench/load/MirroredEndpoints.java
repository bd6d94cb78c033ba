package dev.vigil.gateway.bench.load;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Endpoints of a mirror whose state is in a folder, with the server that serves them and its load.
 * Each endpoint has its own key and two resources.
 */
public final class MirroredEndpoints implements AutoCloseable {
  private final Path folder;
  private final int peers;
  private final List<String> options;
  private final BenchMotes motes;
  private final List<String> ids = new ArrayList<>();
  private final List<Long> sequences = new ArrayList<>();
  private BenchSupport.Server server;
  private CoapLoad load;
  private int next;

  /**
   * @param peers at most half as many as there are endpoints: two updates of an endpoint are never
   *     under way at the same time
   * @param options further options of the server's JVM
   */
  public MirroredEndpoints(Path folder, int peers, String... options) throws IOException {
    this(folder, BenchMotes.MOTE, peers, options);
  }

  /**
   * @param prefix of the endpoint names, if other servers on the same cluster have endpoints too
   */
  public MirroredEndpoints(Path folder, String prefix, int peers, String... options)
      throws IOException {
    this.folder = folder;
    this.motes = new BenchMotes(prefix);
    this.peers = peers;
    this.options = List.of(options);
    server = BenchSupport.Server.start(MirrorServer.class, folder, this.options);
    load = new CoapLoad(server.port(), peers);
  }

  public int size() {
    return ids.size();
  }

  public String id(int endpoint) {
    return ids.get(endpoint);
  }

  public BenchSupport.Server server() {
    return server;
  }

  public CoapLoad load() {
    return load;
  }

  /** Registers more endpoints, and sends the first value of both resources of each. */
  public void growTo(int endpoints) throws IOException {
    int first = size();
    int added = endpoints - first;
    String[] locations = new String[added];
    motes.add(added);
    BenchSupport.require(
        load.run(
            added,
            i -> motes.registration(first + i),
            (i, answer) -> locations[i] = CoapLoad.location(answer)),
        "2.01",
        added);
    for (String location : locations) {
      ids.add(location);
      sequences.add(1L);
    }
    for (String path : List.of("temp", "load")) {
      BenchSupport.require(load.run(added, i -> update(first + i, path)), "2.01", added);
    }
  }

  private byte[] update(int endpoint, String path) {
    long sequence = sequences.get(endpoint) + 1;
    sequences.set(endpoint, sequence);
    return motes.update(endpoint, ids.get(endpoint), path, sequence);
  }

  /**
   * @param cpu microseconds of the gateway for each
   * @param rate of wall time
   * @param allocated octets for each
   */
  public record Sent(double cpu, double rate, double allocated) {}

  /** Updates all endpoints in turn; all updates are signed before the measurement. */
  public Sent send(int count) throws IOException {
    return send(sign(count));
  }

  /** An update for each endpoint in turn, until there are as many. */
  public byte[][] sign(int count) {
    byte[][] updates = new byte[count][];
    for (int i = 0; i < count; i++, next = (next + 1) % size()) {
      updates[i] = update(next, "temp");
    }
    return updates;
  }

  /** Sends what {@link #sign} has signed; none may be lost. */
  public Sent send(byte[][] updates) throws IOException {
    int count = updates.length;
    long allocated = server.allocated();
    Duration before = server.cpu();
    long started = System.nanoTime();
    BenchSupport.require(load.run(count, i -> updates[i]), "2.04", count);
    double seconds = (System.nanoTime() - started) / 1e9;
    return new Sent(
        BenchSupport.micros(server.cpu().minus(before)) / count,
        count / seconds,
        (double) (server.allocated() - allocated) / count);
  }

  /**
   * Updates all endpoints in turn, at fixed times as long as a peer is free.
   *
   * @return the median time from a request to its answer, in milliseconds
   */
  public double latency(int count, double perSecond) throws IOException {
    byte[][] updates = sign(count);
    long[] nanos = new long[count];
    BenchSupport.require(load.paced(perSecond, nanos, i -> updates[i]), "2.04", count);
    Arrays.sort(nanos);
    return nanos[count / 2] / 1e6;
  }

  /** Ends the server with {@code kill -9}. */
  public void kill() throws IOException {
    server.kill();
    load.close();
  }

  /**
   * Ends the server if it runs, and starts it again.
   *
   * @return seconds from the start of the process to the last endpoint's value
   */
  public double restart() throws IOException {
    kill();
    long started = System.nanoTime();
    server = BenchSupport.Server.start(MirrorServer.class, folder, options);
    load = new CoapLoad(server.port(), peers);
    byte[] get =
        CoapLoad.message(
            1, CoapLoad.options(List.of("ms", ids.getLast(), "load"), -1, List.of()), new byte[0]);
    BenchSupport.require(load.run(1, i -> get), "2.05", 1);
    return (System.nanoTime() - started) / 1e9;
  }

  @Override
  public void close() throws IOException {
    kill();
  }
}
