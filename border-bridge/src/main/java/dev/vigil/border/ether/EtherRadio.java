package dev.vigil.border.ether;

import dev.vigil.border.ether.Medium.AirFrame;
import dev.vigil.border.ether.Topology.Node;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.radio.RadioDrop;
import dev.vigil.border.radio.RadioEvents;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.RadioListener;
import dev.vigil.border.radio.TxListener;
import java.util.OptionalInt;

/**
 * The gateway's own node on the ether, in the same process, with {@link AckingMac} in place of a
 * radio chip. All methods except {@link #send} run on the ether's thread.
 */
final class EtherRadio implements RadioLink, AckingMac.Output {
  private final Ether ether;
  private final Eui64 eui64;
  private final int channel;
  private final AckingMac mac;
  private final MacQueue queue;
  private final RadioEvents events = new RadioEvents(this);
  private static final int ACK_LENGTH = 3;

  private volatile boolean running;

  EtherRadio(Ether ether, Eui64 eui64, int panId, int channel, long ackWaitNanos) {
    this.ether = ether;
    this.eui64 = eui64;
    this.channel = channel;
    this.mac = new AckingMac(eui64, panId, ackWaitNanos, this);
    this.queue = new MacQueue(mac);
  }

  @Override
  public String name() {
    return "ether:" + ether.port();
  }

  @Override
  public OptionalInt etherPort() {
    return OptionalInt.of(ether.port());
  }

  @Override
  public void start(RadioListener listener) {
    events.setListener(listener);
    running = true;
    ether.start();
  }

  @Override
  public boolean send(byte[] psdu, TxListener done) {
    boolean taken = running && queue.offer(psdu, done);
    if (taken) {
      ether.wakeup();
    }
    return taken;
  }

  @Override
  public void close() {
    ether.close();
  }

  Node node() {
    return new Node(0, eui64);
  }

  void up() {
    events.up(eui64);
  }

  void down() {
    running = false;
    queue.abort();
    events.down();
  }

  /** Runs the MAC's timer and sends queued frames. */
  void work(long now) {
    queue.work(now);
  }

  long deadline() {
    return mac.deadline();
  }

  void arrived(AirFrame frame, int lqi, long now) {
    if (frame.channel() == channel) {
      mac.received(frame.psdu(), lqi, now);
    }
  }

  @Override
  public void transmit(byte[] psdu) {
    boolean acknowledgement = psdu.length == ACK_LENGTH;
    if (!ether.transmitLocal(psdu, channel, acknowledgement)) {
      drop(RadioDrop.OVERLOAD);
    }
  }

  @Override
  public void deliver(byte[] psdu, int lqi) {
    events.received(psdu, lqi);
  }

  @Override
  public void drop(RadioDrop reason) {
    events.dropped(reason);
  }
}
