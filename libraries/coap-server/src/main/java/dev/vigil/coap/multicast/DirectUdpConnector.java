package dev.vigil.coap.multicast;

import dev.vigil.coap.deferral.Deferral;
import dev.vigil.coap.udp.DatagramArray;
import dev.vigil.coap.udp.SendSocket;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.RawDataChannel;
import org.eclipse.californium.elements.UDPConnector;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.util.ClockUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A UDP connector that sends on the calling thread. Handing a datagram to a sender thread costs
 * more than the system call, and a queue in front of a full socket buffer only hides that it is
 * full.
 *
 * <p>A worker's datagrams wait until it has no task of its own left, and are then sent with one
 * system call. Notifications of many observers cost a sixth less this way. Where the system has no
 * such call, and for a datagram that it refuses, the socket of the JDK sends one by one.
 */
public class DirectUdpConnector extends UDPConnector {
  private static final Logger log = LoggerFactory.getLogger(DirectUdpConnector.class);

  private volatile @Nullable DatagramSocket openSocket;

  /** Opened for the first datagrams that are sent together; null before, and if not possible. */
  private volatile @Nullable SendSocket sendSocket;

  /** Whether datagrams may still be sent together. Written under this object's lock. */
  private volatile boolean sendsTogether;

  private volatile @Nullable RawDataChannel receiver;

  /**
   * @param config must configure no sender threads
   */
  public DirectUdpConnector(InetSocketAddress address, Configuration config) {
    super(address, config);
  }

  @Override
  protected void init(DatagramSocket socket) throws IOException {
    openSocket = socket;
    sendsTogether = true;
    super.init(socket);
  }

  @Override
  public void stop() {
    closeSendSocket();
    super.stop();
  }

  private synchronized void closeSendSocket() {
    sendsTogether = false;
    SendSocket socket = sendSocket;
    if (socket != null) {
      socket.close();
      sendSocket = null;
    }
  }

  /** Null if datagrams are sent one by one. */
  private synchronized @Nullable SendSocket openSendSocket(DatagramSocket socket) {
    if (sendSocket == null && sendsTogether) {
      try {
        sendSocket = SendSocket.of(socket);
      } catch (IOException e) {
        sendsTogether = false;
        log.info("datagrams are sent one by one: {}", e.getMessage());
      }
    }
    return sendSocket;
  }

  @Override
  public void setRawDataReceiver(@Nullable RawDataChannel channel) {
    receiver = channel;
    super.setRawDataReceiver(channel);
  }

  /** The buffer is one octet longer than the limit; a datagram that fills it was truncated. */
  @Override
  public void processDatagram(DatagramPacket datagram) {
    if (datagram.getPort() == 0 || datagram.getLength() > getReceiverPacketSize()) {
      return;
    }
    int offset = datagram.getOffset();
    receive(
        RawData.inbound(
            Arrays.copyOfRange(datagram.getData(), offset, offset + datagram.getLength()),
            // UdpEndpointContext adds no information but costs a map for each datagram.
            new AddressEndpointContext(
                new InetSocketAddress(datagram.getAddress(), datagram.getPort())),
            false,
            ClockUtil.nanoRealtime(),
            getAddress()));
  }

  final void receive(RawData datagram) {
    RawDataChannel channel = receiver;
    if (channel != null) {
      channel.receiveData(datagram);
    }
  }

  @Override
  public void send(RawData message) {
    if (openSocket == null || !running) {
      message.onError(new InterruptedIOException("the connector is closed"));
      return;
    }
    message.onContextEstablished(message.getEndpointContext());
    if (sendsTogether && Deferral.isPossible()) {
      OutgoingBatch.ofWorker().add(message, this);
    } else {
      sendOne(message);
    }
  }

  private void sendOne(RawData message) {
    DatagramSocket socket = openSocket;
    if (socket == null || !running) {
      message.onError(new InterruptedIOException("the connector is closed"));
      return;
    }
    InetSocketAddress peer = message.getInetSocketAddress();
    try {
      socket.send(new DatagramPacket(message.getBytes(), message.getSize(), peer));
      message.onSent();
    } catch (IOException | IllegalArgumentException e) {
      // For instance no route, a closed socket, or port 0.
      message.onError(e);
    }
  }

  /**
   * Sends datagrams in their order.
   *
   * @param array room for them, of the calling thread
   */
  void sendAll(List<RawData> messages, DatagramArray array) {
    DatagramSocket socket = openSocket;
    SendSocket together = sendSocket;
    if (together == null && sendsTogether && socket != null && messages.size() > 1) {
      together = openSendSocket(socket);
    }
    if (together == null) {
      messages.forEach(this::sendOne);
      return;
    }
    together.send(
        array,
        messages.size(),
        i -> messages.get(i).getBytes(),
        i -> messages.get(i).getInetSocketAddress(),
        (i, sent) -> {
          RawData message = messages.get(i);
          if (sent) {
            message.onSent();
          } else {
            // Its error is reported, or it waits for room in the socket's buffer.
            sendOne(message);
          }
        });
  }
}
