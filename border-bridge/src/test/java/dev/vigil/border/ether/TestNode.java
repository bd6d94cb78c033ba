package dev.vigil.border.ether;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Fcs;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A node of the ether in a test: a UDP socket that speaks ZEP and acknowledges its frames. */
public final class TestNode implements AutoCloseable {
  private final DatagramSocket socket;
  private final InetAddress host;
  private final int port;
  private final Eui64 eui64;
  private final Thread reader;
  private final LinkedBlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Integer> acks = new LinkedBlockingQueue<>();
  private final AtomicInteger deaf = new AtomicInteger();

  /** The last number of each sender, which repeats a frame whose acknowledgement is late. */
  private final Map<LinkAddress, Integer> last = new HashMap<>();

  /** Joins with RIOT's hello. */
  public TestNode(String host, int port, Eui64 eui64) throws IOException {
    this.host = InetAddress.getByName(host);
    this.port = port;
    this.eui64 = eui64;
    this.socket = new DatagramSocket(0, InetAddress.getByName(host));
    this.reader = Thread.ofPlatform().daemon().start(this::read);
    raw(new ZepPacket.Hello(eui64).toBytes());
  }

  /** Sends a frame (without FCS) into the air. */
  public void send(byte[] psdu) throws IOException {
    raw(new ZepPacket.Data(26, 1, 255, 0, 0, Fcs.append(psdu)).toBytes());
  }

  /** Sends octets unchanged. */
  public void raw(byte[] octets) throws IOException {
    socket.send(new DatagramPacket(octets, octets.length, host, port));
  }

  /** Ignores the next {@code count} frames that request an acknowledgement, and sends none. */
  public void ignoreNext(int count) {
    deaf.set(count);
  }

  /** The next frame (without FCS) that is not an acknowledgement; null after 30 seconds. */
  public byte @Nullable [] receive() throws InterruptedException {
    return receive(30);
  }

  /** The next frame that is not an acknowledgement; null after {@code seconds}. */
  public byte @Nullable [] receive(int seconds) throws InterruptedException {
    return frames.poll(seconds, TimeUnit.SECONDS);
  }

  /** The next acknowledged sequence number; null after 30 seconds. */
  public @Nullable Integer acknowledged() throws InterruptedException {
    return acks.poll(30, TimeUnit.SECONDS);
  }

  /** True if no frame arrives within {@code millis}. */
  public boolean hearsNothingFor(int millis) throws InterruptedException {
    return frames.poll(millis, TimeUnit.MILLISECONDS) == null;
  }

  private void read() {
    byte[] buffer = new byte[512];
    try {
      while (!socket.isClosed()) {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        socket.receive(packet);
        byte[] octets = java.util.Arrays.copyOf(buffer, packet.getLength());
        if (ZepPacket.parse(octets) instanceof ZepPacket.Data data) {
          heard(Fcs.strip(data.psdu()));
        }
      }
    } catch (IOException closed) {
      // The test is over.
    } catch (WireException e) {
      throw new AssertionError("the ether sent an invalid ZEP packet", e);
    }
  }

  private void heard(byte[] psdu) throws IOException {
    MacHeader header = MacHeader.of(psdu);
    if (header == null) {
      throw new AssertionError("the ether sent an invalid frame");
    }
    if (header.isAck()) {
      acks.add(header.sequence());
    } else if (!header.ackRequested()) {
      frames.add(psdu);
    } else if (deaf.getAndUpdate(n -> Math.max(0, n - 1)) == 0) {
      if (header.isFor(eui64, 0xabcd)) {
        send(MacHeader.acknowledgement(header.sequence()));
      }
      if (!Objects.equals(last.put(header.source(), header.sequence()), header.sequence())) {
        frames.add(psdu);
      }
    }
  }

  @Override
  public void close() {
    socket.close();
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
