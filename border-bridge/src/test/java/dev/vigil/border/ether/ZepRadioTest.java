package dev.vigil.border.ether;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.bridge.BridgeTest;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.radio.RadioDrop;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.RadioListener;
import dev.vigil.border.wire.Hex;
import java.io.IOException;
import java.net.NoRouteToHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ZepRadioTest {
  private static final String BROADCAST_OF_2 = "41d83acdabffff02000200020002007a3b3a1a9b0065190000";

  private final LinkedBlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final AtomicInteger downs = new AtomicInteger();

  private final RadioListener listener =
      new RadioListener() {
        @Override
        public void up(RadioLink link, Eui64 eui64) {}

        @Override
        public void down(RadioLink link) {
          downs.incrementAndGet();
        }

        @Override
        public void received(RadioLink link, byte[] psdu, int lqi) {
          received.add(Hex.format(psdu));
        }

        @Override
        public void dropped(RadioLink link, RadioDrop reason) {}
      };

  /** A socket whose first reads fail, as after an ICMP error of a firewall. */
  private record Rejected(ReadableByteChannel socket, AtomicInteger failures)
      implements ReadableByteChannel {
    @Override
    public int read(ByteBuffer into) throws IOException {
      if (failures.getAndDecrement() > 0) {
        throw new NoRouteToHostException("No route to host");
      }
      return socket.read(into);
    }

    @Override
    public boolean isOpen() {
      return socket.isOpen();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void goesOnReceivingAfterAnIcmpError() throws Exception {
    EtherSettings settings = EtherSettings.on(0).withOctetNanos(320);
    try (Ether ether = new Ether(settings, System::nanoTime, new Random(1))) {
      ether.start();
      ZepRadio radio =
          new ZepRadio(
              "127.0.0.1",
              ether.port(),
              Eui64.parse("0001000100010001"),
              0xabcd,
              26,
              System::nanoTime,
              socket -> new Rejected(socket, new AtomicInteger(3)));
      radio.start(listener);
      try (TestNode node =
          new TestNode("127.0.0.1", ether.port(), Eui64.parse("0002000200020002"))) {
        BridgeTest.await(() -> ether.nodes().size() == 2);
        node.send(Hex.parse(BROADCAST_OF_2));
        assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo(BROADCAST_OF_2);
        assertThat(downs).hasValue(0);
      } finally {
        radio.close();
      }
    }
  }
}
