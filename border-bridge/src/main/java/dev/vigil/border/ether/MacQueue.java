package dev.vigil.border.ether;

import dev.vigil.border.radio.TxListener;
import dev.vigil.border.radio.TxReport;
import dev.vigil.border.radio.TxStatus;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Frames on their way to an {@link AckingMac}: any thread offers, the one that plays the radio
 * hands them over.
 */
final class MacQueue {
  private static final int MOST = 64;

  private record Request(byte[] psdu, TxListener done) {}

  private final AckingMac mac;
  private final BlockingQueue<Request> requests = new ArrayBlockingQueue<>(MOST);

  MacQueue(AckingMac mac) {
    this.mac = mac;
  }

  boolean offer(byte[] psdu, TxListener done) {
    return requests.offer(new Request(psdu, done));
  }

  /** Lets time pass and takes what waits to be sent. */
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

  /** The radio stops: nothing more is sent. */
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
