package dev.vigil.border.ether;

import dev.vigil.border.radio.TxListener;
import dev.vigil.border.radio.TxReport;
import dev.vigil.border.radio.TxStatus;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The queue in front of an {@link AckingMac}. Any thread may offer frames; the radio's thread
 * submits them.
 */
final class MacQueue {
  private static final int CAPACITY = 64;

  private record Request(byte[] psdu, TxListener done) {}

  private final AckingMac mac;
  private final BlockingQueue<Request> requests = new ArrayBlockingQueue<>(CAPACITY);

  MacQueue(AckingMac mac) {
    this.mac = mac;
  }

  boolean offer(byte[] psdu, TxListener done) {
    return requests.offer(new Request(psdu, done));
  }

  /** Runs the MAC's timer and submits queued frames. */
  void work(long now) {
    mac.tick(now);
    while (mac.hasRoom()) {
      Request request = requests.poll();
      if (request == null) {
        return;
      }
      if (!mac.submit(request.psdu(), request.done(), now)) {
        fail(request);
      }
    }
  }

  /** Fails all frames when the radio stops. */
  void abort() {
    mac.abort();
    for (Request left = requests.poll(); left != null; left = requests.poll()) {
      fail(left);
    }
  }

  private static void fail(Request request) {
    request.done().sent(new TxReport(TxStatus.ERROR, 0));
  }
}
