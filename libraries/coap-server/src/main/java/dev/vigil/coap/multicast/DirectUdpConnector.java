package dev.vigil.coap.multicast;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.RawDataChannel;
import org.eclipse.californium.elements.UDPConnector;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.util.ClockUtil;
import org.jspecify.annotations.Nullable;

/**
 * A UDP connector that sends on the calling thread. Handing a datagram to a sender thread costs
 * more than the system call, and a queue in front of a full socket buffer only hides that it is
 * full.
 */
public class DirectUdpConnector extends UDPConnector {
  private volatile @Nullable DatagramSocket openSocket;
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
    super.init(socket);
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
    DatagramSocket socket = openSocket;
    if (socket == null || !running) {
      message.onError(new InterruptedIOException("the connector is closed"));
      return;
    }
    InetSocketAddress peer = message.getInetSocketAddress();
    try {
      message.onContextEstablished(message.getEndpointContext());
      socket.send(new DatagramPacket(message.getBytes(), message.getSize(), peer));
      message.onSent();
    } catch (IOException | IllegalArgumentException e) {
      // For instance no route, a closed socket, or port 0.
      message.onError(e);
    }
  }
}
