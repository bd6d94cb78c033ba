package dev.vigil.directory.coap;

import static org.assertj.core.api.Assertions.assertThat;

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

class IntakeTest {
  private static final int MOST = 50;
  private static final long LIMIT_SECONDS = 30;

  private final InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private final Workers workers = new Workers(1, Executors.defaultThreadFactory());
  private final Ear ear = new Ear(here, configuration());
  private final Intake intake = new Intake(ear, workers, MOST, new AtomicInteger(), null);

  private static Configuration configuration() {
    UdpConfig.register();
    return new Configuration();
  }

  /** A connector that hears what the test says. */
  private static final class Ear extends UDPConnector {
    private @Nullable RawDataChannel channel;

    Ear(InetSocketAddress address, Configuration config) {
      super(address, config);
    }

    @Override
    public void setRawDataReceiver(@Nullable RawDataChannel receiver) {
      channel = receiver;
    }

    void hear(RawData datagram) {
      if (channel != null) {
        channel.receiveData(datagram);
      }
    }
  }

  @BeforeEach
  void start() throws Exception {
    intake.start();
  }

  @AfterEach
  void stop() {
    intake.destroy();
    workers.shutdownNow();
  }

  @Test
  void whatComesFasterThanItIsServedWaitsOutsideUntilThereIsRoom() throws Exception {
    CountDownLatch serving = new CountDownLatch(1);
    CountDownLatch busy = new CountDownLatch(1);
    workers.execute(
        () -> {
          busy.countDown();
          await(serving);
        });
    assertThat(busy.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    AtomicInteger heard = new AtomicInteger();
    CountDownLatch served = new CountDownLatch(2 * MOST);
    intake.setRawDataReceiver(
        datagram -> {
          heard.incrementAndGet();
          workers.execute(served::countDown);
        });
    RawData datagram =
        RawData.inbound(new byte[4], new AddressEndpointContext(here), false, 0, here);
    Thread receiver =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 2 * MOST; i++) {
                    ear.hear(datagram);
                  }
                });
    while (heard.get() < MOST || receiver.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertThat(heard).hasValue(MOST);
    serving.countDown();
    assertThat(served.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    receiver.join();
    assertThat(heard).hasValue(2 * MOST);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
