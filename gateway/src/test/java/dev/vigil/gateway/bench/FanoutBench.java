package dev.vigil.gateway.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Measures {@code observe.fanout}: processor time of a gateway process for each of 10 000 observers
 * that one update reaches. Ten updates at a time, so that one in ten notifications is confirmable,
 * as always; three times, the median.
 */
final class FanoutBench implements AutoCloseable {
  private static final int OBSERVERS = 10_000;
  private static final int SOCKETS = 200;
  private static final int UPDATES = 10;
  private static final int WARM_ROUNDS = 4;
  private static final int ROUNDS = 3;
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final int HEADER = 4;
  private static final int TOKEN = 4;

  private final Selector selector = Selector.open();
  private final List<DatagramChannel> channels = new ArrayList<>();

  private FanoutBench(int port) throws IOException {
    for (int i = 0; i < SOCKETS; i++) {
      DatagramChannel channel = DatagramChannel.open();
      channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 20);
      channel.connect(new InetSocketAddress("127.0.0.1", port));
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      channels.add(channel);
    }
  }

  static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("vigil-bench");
    try (BenchSupport.Server server = BenchSupport.Server.start(folder);
        FanoutBench observers = new FanoutBench(server.port());
        CoapLoad mote = new CoapLoad(server.port(), 1)) {
      Motes motes = new Motes(1);
      BenchSupport.require(mote.run(1, motes::registration), "2.01", 1);
      BenchSupport.require(mote.run(1, i -> motes.update(0, "1", "temp", 2)), "2.01", 1);
      observers.observe();
      List<Double> rounds = new ArrayList<>();
      for (int round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
        Duration before = server.cpu();
        for (int i = 0; i < UPDATES; i++) {
          long seq = 3 + (long) round * UPDATES + i;
          BenchSupport.require(mote.run(1, any -> motes.update(0, "1", "temp", seq)), "2.04", 1);
          observers.await();
        }
        double each = BenchSupport.micros(server.cpu().minus(before)) / UPDATES / OBSERVERS;
        System.out.printf("%.1f us an observer; %s%n", each, BenchSupport.load());
        if (round >= WARM_ROUNDS) {
          rounds.add(each);
        }
      }
      System.out.printf(
          "observe.fanout %.1f us of CPU an observer (target 10), all of %d notified of each update%n",
          BenchSupport.median(rounds, each -> each), OBSERVERS);
    } finally {
      BenchSupport.delete(folder);
    }
  }

  /** GET with Observe 0 (RFC 7641); the token is the observer's number. */
  private void observe() throws IOException {
    // Observe is option 6 with an empty value; Uri-Path, 11, follows at a distance of 5.
    byte[] path = CoapLoad.options(List.of("ms", "1", "temp"), -1, List.of());
    path[0] = (byte) (path[0] - 0x60);
    int next = 0;
    for (int batch = 0; next < OBSERVERS; batch++) {
      BitSet missing = new BitSet();
      for (int i = 0; i < SOCKETS && next < OBSERVERS; i++, next++) {
        ByteBuffer get = ByteBuffer.allocate(64);
        get.put((byte) 0x44).put((byte) 1).putShort((short) batch).putInt(next);
        get.put((byte) 0x60).put(path).flip();
        channels.get(next % SOCKETS).write(get);
        missing.set(next);
      }
      await(missing);
    }
  }

  private void await() throws IOException {
    BitSet missing = new BitSet();
    missing.set(0, OBSERVERS);
    await(missing);
  }

  /** Until each has had an answer or a notification; confirmable ones are acknowledged. */
  private void await(BitSet missing) throws IOException {
    ByteBuffer datagram = ByteBuffer.allocate(2048);
    while (!missing.isEmpty()) {
      if (selector.select(TIMEOUT_MILLIS) == 0) {
        throw new IOException(missing.cardinality() + " observers heard nothing");
      }
      for (SelectionKey key : selector.selectedKeys()) {
        DatagramChannel channel = (DatagramChannel) key.channel();
        datagram.clear();
        while (channel.read(datagram) >= HEADER + TOKEN) {
          if ((datagram.get(0) & 0x30) == 0) {
            byte[] acknowledgement = {0x60, 0, datagram.get(2), datagram.get(3)};
            channel.write(ByteBuffer.wrap(acknowledgement));
          }
          if (datagram.get(1) == 0x45) {
            missing.clear(datagram.getInt(HEADER));
          }
          datagram.clear();
        }
      }
      selector.selectedKeys().clear();
    }
  }

  @Override
  public void close() throws IOException {
    for (DatagramChannel channel : channels) {
      channel.close();
    }
    selector.close();
  }
}
