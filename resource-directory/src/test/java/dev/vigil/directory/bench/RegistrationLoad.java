package dev.vigil.directory.bench;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Token;
import org.eclipse.californium.core.network.serialization.UdpDataSerializer;
import org.eclipse.californium.elements.AddressEndpointContext;

/**
 * Registers N endpoints of five links with a window of requests in flight, and prints the CPU time
 * per registration of the directory's process: {@code PORT N PID}. Warms up with N others first.
 */
final class RegistrationLoad {
  private static final int WINDOW = 60;

  /** Unit of {@code /proc/PID/stat} (USER_HZ), the same on all common Linux platforms. */
  private static final long TICKS_A_SECOND = 100;

  private RegistrationLoad() {}

  public static void main(String[] args) throws IOException {
    InetSocketAddress server =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    int count = Integer.parseInt(args[1]);
    long pid = Long.parseLong(args[2]);
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(10_000);
      send(socket, server, 0, count);
      for (int round = 1; round <= 3; round++) {
        long before = cpuTicks(pid);
        int created = send(socket, server, round * count, count);
        double micros = (cpuTicks(pid) - before) * 1e6 / TICKS_A_SECOND / count;
        System.out.printf("%d of %d created, %.1f us of CPU each%n", created, count, micros);
      }
    }
  }

  private static int send(DatagramSocket socket, InetSocketAddress server, int first, int count)
      throws IOException {
    byte[] buffer = new byte[2048];
    int created = 0;
    int sent = 0;
    for (int answered = 0; answered < count; answered++) {
      while (sent < count && sent - answered < WINDOW) {
        byte[] datagram = datagram(server, first + sent);
        socket.send(new DatagramPacket(datagram, datagram.length, server));
        sent++;
      }
      socket.receive(new DatagramPacket(buffer, buffer.length));
      created += buffer[1] == CoAP.ResponseCode.CREATED.value ? 1 : 0;
    }
    return created;
  }

  private static byte[] datagram(InetSocketAddress server, int i) {
    Request request = new Request(CoAP.Code.POST, CoAP.Type.CON);
    request.setMID(i & 0xffff);
    request.setToken(new Token(new byte[] {(byte) (i >> 16), (byte) (i >> 8), (byte) i}));
    request.getOptions().addUriPath("rd").setContentFormat(40);
    Arrays.stream(DirectoryBench.query(i).split("&")).forEach(request.getOptions()::addUriQuery);
    request.setPayload(DirectoryBench.links(i).getBytes(StandardCharsets.UTF_8));
    request.setDestinationContext(new AddressEndpointContext(server));
    return new UdpDataSerializer().getByteArray(request);
  }

  /** User and system time (proc(5)). */
  private static long cpuTicks(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
  }
}
