package dev.vigil.gateway.bench.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Observers of {@code /ms/1/temp}, dealt out to 200 sockets. */
public final class Observers implements AutoCloseable {
  private static final int SOCKETS = 200;
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final int HEADER = 4;
  private static final int TOKEN = 4;

  private final Selector selector = Selector.open();
  private final List<DatagramChannel> channels = new ArrayList<>();
  private final int count;

  public Observers(int port, int count) throws IOException {
    this.count = count;
    for (int i = 0; i < SOCKETS; i++) {
      DatagramChannel channel = DatagramChannel.open();
      channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 20);
      channel.connect(new InetSocketAddress("127.0.0.1", port));
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      channels.add(channel);
    }
  }

  /** GET with Observe 0 (RFC 7641); the token is the observer's number. */
  public void observe() throws IOException {
    // Observe is option 6 with an empty value; Uri-Path, 11, follows at a distance of 5.
    byte[] path = CoapLoad.options(List.of("ms", "1", "temp"), -1, List.of());
    path[0] = (byte) (path[0] - 0x60);
    int next = 0;
    for (int batch = 0; next < count; batch++) {
      BitSet missing = new BitSet();
      for (int i = 0; i < SOCKETS && next < count; i++, next++) {
        ByteBuffer get = ByteBuffer.allocate(64);
        get.put((byte) 0x44).put((byte) 1).putShort((short) batch).putInt(next);
        get.put((byte) 0x60).put(path).flip();
        channels.get(next % SOCKETS).write(get);
        missing.set(next);
      }
      await(missing);
    }
  }

  /** Until each has had a notification. */
  public void await() throws IOException {
    BitSet missing = new BitSet();
    missing.set(0, count);
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
