package dev.vigil.coap.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.dispatch.WorkerPool;
import dev.vigil.coap.limits.VerifiedAddresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.RawDataChannel;
import org.eclipse.californium.elements.UDPConnector;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.UdpConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FairQueueConnectorTest {
  private static final int MAX_WAITING = 50;
  private static final long TIMEOUT_SECONDS = 30;
  private static final String HONEST = "198.51.100.1";
  private static final int QUEUED = 1_024;

  private final InetSocketAddress local =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private final VerifiedAddresses verified = new VerifiedAddresses(100, System::nanoTime);
  private final WorkerPool workers = new WorkerPool(1, Executors.defaultThreadFactory());
  private final TestConnector inner = new TestConnector(local, configuration());
  private final FairQueueConnector connector =
      new FairQueueConnector(
          inner,
          workers,
          MAX_WAITING,
          new AtomicInteger(),
          new DatagramSources((at, source) -> false, verified, () -> local),
          null);

  private static Configuration configuration() {
    UdpConfig.register();
    return new Configuration();
  }

  /** A connector that receives datagrams from the test. */
  private static final class TestConnector extends UDPConnector {
    private @Nullable RawDataChannel channel;

    TestConnector(InetSocketAddress address, Configuration config) {
      super(address, config);
    }

    @Override
    public void setRawDataReceiver(@Nullable RawDataChannel receiver) {
      channel = receiver;
    }

    void receive(RawData datagram) {
      if (channel != null) {
        channel.receiveData(datagram);
      }
    }
  }

  @BeforeEach
  void start() throws Exception {
    connector.start();
  }

  @AfterEach
  void stop() {
    connector.destroy();
    workers.shutdownNow();
  }

  @Test
  void aFloodDelaysOthersOnlyByTheBacklogOfTheWorkers() throws Exception {
    CountDownLatch release = occupyWorkers();
    List<String> served = new CopyOnWriteArrayList<>();
    CountDownLatch last = new CountDownLatch(1);
    connector.setRawDataReceiver(
        datagram ->
            workers.execute(
                () -> {
                  String source = datagram.getInetSocketAddress().getAddress().getHostAddress();
                  served.add(source);
                  if (source.equals(HONEST) && datagram.getSize() == 5) {
                    last.countDown();
                  }
                }));
    for (int i = 0; i < 5_000; i++) {
      inner.receive(datagram("192.0.2.1", 4));
    }
    inner.receive(datagram(HONEST, 4));
    inner.receive(datagram(HONEST, 5));
    release.countDown();
    assertThat(last.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    List<String> until = List.copyOf(served);
    assertThat(until.subList(0, until.lastIndexOf(HONEST) + 1)).hasSizeLessThan(MAX_WAITING + 10);
    assertThat(until).filteredOn(HONEST::equals).hasSize(2);
    CoapStatistics.Socket figures = connector.statistics();
    assertThat(figures.received()).isEqualTo(5_002);
    // The queue holds these; workers have already taken a few.
    assertThat(figures.dropped()).isBetween(5_002L - QUEUED - MAX_WAITING, 5_002L - QUEUED);
    assertThat(figures.secure()).isFalse();
  }

  /** Nobody has more than one datagram in the queue, so nobody gives way to a newcomer. */
  @Test
  void forgedSourcesOfManyNetworksDoNotKeepOutAnAddressThatWasShown() throws Exception {
    CountDownLatch release = occupyWorkers();
    List<String> served = new CopyOnWriteArrayList<>();
    CountDownLatch honest = new CountDownLatch(2);
    connector.setRawDataReceiver(
        datagram ->
            workers.execute(
                () -> {
                  String source = datagram.getInetSocketAddress().getAddress().getHostAddress();
                  served.add(source);
                  if (source.equals(HONEST)) {
                    honest.countDown();
                  }
                }));
    verified.add(new InetSocketAddress(InetAddress.ofLiteral(HONEST), 5683));
    for (int i = 0; i < 5_000; i++) {
      inner.receive(datagram("2001:%x:1::1".formatted(i), 4));
    }
    inner.receive(datagram(HONEST, 4));
    inner.receive(datagram(HONEST, 5));
    release.countDown();
    assertThat(honest.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    List<String> until = List.copyOf(served);
    assertThat(until.subList(0, until.lastIndexOf(HONEST) + 1)).hasSizeLessThan(MAX_WAITING + 10);
  }

  /** The worker does nothing until the latch is released. */
  private CountDownLatch occupyWorkers() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch busy = new CountDownLatch(1);
    workers.execute(
        () -> {
          busy.countDown();
          await(release);
        });
    assertThat(busy.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    return release;
  }

  @Test
  void datagramsOfASourceKeepTheirOrder() throws Exception {
    int count = 20_000;
    List<Integer> served = new ArrayList<>();
    AtomicInteger last = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(1);
    connector.setRawDataReceiver(
        datagram ->
            workers.execute(
                () -> {
                  served.add(datagram.getSize());
                  last.set(datagram.getSize());
                  if (datagram.getSize() == count) {
                    done.countDown();
                  }
                }));
    for (int size = 1; size <= count; size++) {
      inner.receive(datagram(HONEST, size));
      if (size % 250 == 0) {
        // The queue must not overflow: this test is about order, not about loss.
        while (last.get() < size - QUEUED / 2) {
          Thread.onSpinWait();
        }
      }
    }
    assertThat(done.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(served).isSorted();
  }

  private RawData datagram(String source, int octets) throws UnknownHostException {
    InetSocketAddress from = new InetSocketAddress(InetAddress.getByName(source), 5683);
    return RawData.inbound(new byte[octets], new AddressEndpointContext(from), false, 0, local);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
