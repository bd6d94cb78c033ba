package dev.vigil.coap.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.dispatch.WorkerPool;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

class BackpressureConnectorTest {
  private static final int MAX_WAITING = 50;
  private static final long TIMEOUT_SECONDS = 30;

  private final InetSocketAddress local =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private final WorkerPool workers = new WorkerPool(1, Executors.defaultThreadFactory());
  private final TestConnector inner = new TestConnector(local, configuration());
  private final BackpressureConnector connector =
      new BackpressureConnector(inner, workers, MAX_WAITING, new AtomicInteger(), null);

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
  void blocksTheReceiverWhileTooManyDatagramsWait() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch busy = new CountDownLatch(1);
    workers.execute(
        () -> {
          busy.countDown();
          await(release);
        });
    assertThat(busy.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    AtomicInteger received = new AtomicInteger();
    CountDownLatch served = new CountDownLatch(2 * MAX_WAITING);
    connector.setRawDataReceiver(
        datagram -> {
          received.incrementAndGet();
          workers.execute(served::countDown);
        });
    RawData datagram =
        RawData.inbound(new byte[4], new AddressEndpointContext(local), false, 0, local);
    Thread receiver =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 2 * MAX_WAITING; i++) {
                    inner.receive(datagram);
                  }
                });
    while (received.get() < MAX_WAITING || receiver.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertThat(received).hasValue(MAX_WAITING);
    release.countDown();
    assertThat(served.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    receiver.join();
    assertThat(received).hasValue(2 * MAX_WAITING);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
