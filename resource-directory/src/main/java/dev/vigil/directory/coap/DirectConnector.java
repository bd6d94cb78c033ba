package dev.vigil.directory.coap;

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
 * UDP that sends on the thread that has something to send: handing a datagram to a thread of its
 * own costs more than the system call, and a queue before a full socket only hides that it is full.
 */
class DirectConnector extends UDPConnector {
  private volatile @Nullable DatagramSocket open;
  private volatile @Nullable RawDataChannel hearing;

  /**
   * @param config with no sender thread
   */
  DirectConnector(InetSocketAddress address, Configuration config) {
    super(address, config);
  }

  @Override
  protected void init(DatagramSocket socket) throws IOException {
    open = socket;
    super.init(socket);
  }

  @Override
  public void setRawDataReceiver(@Nullable RawDataChannel channel) {
    hearing = channel;
    super.setRawDataReceiver(channel);
  }

  /** One more octet than may come was asked for: a datagram that fills it was cut. */
  @Override
  public void processDatagram(DatagramPacket datagram) {
    if (datagram.getPort() == 0 || datagram.getLength() > getReceiverPacketSize()) {
      return;
    }
    int from = datagram.getOffset();
    heard(
        RawData.inbound(
            Arrays.copyOfRange(datagram.getData(), from, from + datagram.getLength()),
            // UdpEndpointContext would say no more, in a map of its own for each datagram.
            new AddressEndpointContext(
                new InetSocketAddress(datagram.getAddress(), datagram.getPort())),
            false,
            ClockUtil.nanoRealtime(),
            getAddress()));
  }

  final void heard(RawData datagram) {
    RawDataChannel channel = hearing;
    if (channel != null) {
      channel.receiveData(datagram);
    }
  }

  @Override
  public void send(RawData message) {
    DatagramSocket socket = open;
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
      // No route, a closed socket, a port of 0.
      message.onError(e);
    }
  }
}
