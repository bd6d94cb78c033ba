package dev.vigil.coap.multicast;

import dev.vigil.coap.deferral.Deferral;
import dev.vigil.coap.udp.DatagramArray;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.californium.elements.RawData;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams of one worker for one connector. They are sent together once the worker has no task of
 * its own left, at the latest after {@value #CAPACITY}. An object belongs to one thread.
 */
final class OutgoingBatch {
  private static final int CAPACITY = 32;
  private static final ThreadLocal<OutgoingBatch> OF_WORKER =
      ThreadLocal.withInitial(OutgoingBatch::new);

  private @Nullable DirectUdpConnector connector;
  private List<RawData> waiting = new ArrayList<>();
  private @Nullable DatagramArray array;

  private OutgoingBatch() {}

  static OutgoingBatch ofWorker() {
    return OF_WORKER.get();
  }

  void add(RawData datagram, DirectUdpConnector sender) {
    if (connector != sender) {
      flush();
      connector = sender;
    }
    if (waiting.isEmpty()) {
      Deferral.beforePause(this::flush);
    }
    waiting.add(datagram);
    if (waiting.size() == CAPACITY) {
      flush();
    }
  }

  private void flush() {
    List<RawData> datagrams = waiting;
    DirectUdpConnector sender = connector;
    if (sender != null && !datagrams.isEmpty()) {
      // A callback of a datagram may add another one.
      waiting = new ArrayList<>();
      sender.sendAll(datagrams, array());
    }
  }

  private DatagramArray array() {
    DatagramArray present = array;
    if (present == null) {
      present = new DatagramArray(CAPACITY);
      array = present;
    }
    return present;
  }
}
