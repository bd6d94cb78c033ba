package dev.vigil.border.bridge;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.config.RadioConfig;
import dev.vigil.border.config.TunConfig;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.storage.CounterFile;
import dev.vigil.border.wire.Hex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Linux kernel over a TUN device, with a mote on the air. */
class TunBridgeTest {
  /** Unique for this process, so that two test runs on one machine do not share routes. */
  private static final Ipv6Address PREFIX =
      new Ipv6Address(0xfd56_4947_0000_0000L | ProcessHandle.current().pid() & 0xffff_ffffL, 0);

  private static final Ipv6Address KERNEL = new Ipv6Address(PREFIX.high(), 1);

  @TempDir Path folder;
  private Bridge bridge;
  private TestMote mote;

  @BeforeEach
  void start() throws Exception {
    Assumptions.assumeTrue(
        Files.isWritable(Path.of("/dev/net/tun")), "no /dev/net/tun, or no right to use it");
    Assumptions.assumeTrue(
        List.of(Files.readString(Path.of("/proc/self/status")).split("\n")).stream()
            .filter(line -> line.startsWith("CapEff:"))
            .anyMatch(
                line -> (Long.parseUnsignedLong(line.substring(8).strip(), 16) >> 12 & 1) == 1),
        "no CAP_NET_ADMIN");
    String device = bridgeDevice();
    BridgeConfig config =
        BridgeConfig.of(new RadioConfig.Virtual(0, null, 640))
            .withMesh(MeshConfig.DEFAULT.withPrefix(PREFIX))
            .withTun(TunConfig.defaults(device, KERNEL));
    CounterFile counters = new CounterFile(folder.resolve("counters"));
    bridge = new Bridge(config, counters, Clock.systemUTC(), System::nanoTime, new Random(1));
    bridge.start();
    mote = new TestMote(bridge.etherPort().orElseThrow(), 0x0002000200020002L, PREFIX);
    mote.send(mote.echoRequest(TestMote.gateway(), 4));
    mote.receive();
  }

  @AfterEach
  void stop() {
    if (bridge != null) {
      mote.close();
      bridge.close();
    }
  }

  private static void send(DatagramSocket socket, DatagramPacket packet) {
    try {
      socket.send(packet);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InetAddress inet(Ipv6Address address) throws IOException {
    return Inet6Address.getByAddress(address.octets());
  }

  @Test
  void aLocalProgramTalksWithAMoteThroughTheKernel() throws Exception {
    try (DatagramSocket socket = new DatagramSocket(0, inet(KERNEL))) {
      socket.setSoTimeout(30_000);
      socket.send(new DatagramPacket(new byte[] {1, 2, 3}, 3, inet(mote.mesh()), 5_683));
      Ipv6Packet packet = mote.receive();
      assertThat(packet.source()).isEqualTo(KERNEL);
      Udp udp = Udp.parse(packet.payload(), packet.source(), packet.destination());
      assertThat(udp.payload()).containsExactly(1, 2, 3);

      byte[] answer =
          new Udp(5_683, udp.sourcePort(), new byte[] {4, 5}).encode(mote.mesh(), KERNEL);
      mote.send(Ipv6Packet.of(mote.mesh(), KERNEL, 64, Protocol.UDP, answer));
      DatagramPacket got = new DatagramPacket(new byte[100], 100);
      socket.receive(got);
      assertThat(got.getLength()).isEqualTo(2);
      assertThat(got.getAddress()).isEqualTo(inet(mote.mesh()));
    }
  }

  @Test
  void tcpFromTheKernelIsFiltered() throws Exception {
    Thread connecting =
        Thread.startVirtualThread(
            () -> {
              try (Socket socket = new Socket()) {
                socket.connect(new java.net.InetSocketAddress(inet(mote.mesh()), 80), 500);
              } catch (IOException expected) {
                // The packet is filtered, as expected.
              }
            });
    BridgeTest.await(() -> bridge.drops().getOrDefault("filtered_in", 0L) > 0);
    connecting.join();
  }

  @Test
  void aFloodFromTheKernelIsRateLimited() throws Exception {
    try (DatagramSocket socket = new DatagramSocket(0, inet(KERNEL))) {
      DatagramPacket packet = new DatagramPacket(new byte[10], 10, inet(mote.mesh()), 5_683);
      // Sends until the limiter has dropped enough: a full queue may drop packets before it.
      BridgeTest.await(
          () -> {
            send(socket, packet);
            return bridge.drops().getOrDefault("rate_limit", 0L) > 400;
          });
    }
  }

  @Test
  void theKernelAcceptsTheAdvertisedRoute() throws Exception {
    String device = bridgeDevice();
    Path settings = Path.of("/proc/sys/net/ipv6/conf", device);
    Assumptions.assumeTrue(
        Files.isWritable(settings.resolve("accept_ra")), "/proc/sys cannot be written to");
    // The value 2 also works if this machine forwards packets.
    Files.writeString(settings.resolve("accept_ra"), "2");
    Files.writeString(settings.resolve("accept_ra_rt_info_max_plen"), "64");
    String heard = output("python3", "src/test/resources/solicit.py", device);
    assertThat(heard)
        .startsWith(TestMote.gateway() + " 86")
        .contains("03044080ffffffffffffffff00000000" + Hex.format(PREFIX.octets()));
    BridgeTest.await(
        () ->
            output("ip", "-6", "route", "show", "dev", device, "proto", "ra")
                .contains(PREFIX + "/64 via " + TestMote.gateway()));
  }

  private static String bridgeDevice() {
    return "vigil" + ProcessHandle.current().pid() % 100_000;
  }

  private static String output(String... command) {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      String text = new String(process.getInputStream().readAllBytes(), US_ASCII);
      assertThat(process.waitFor()).as(text).isZero();
      return text;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theKernelReachesCoapOnTheBridgesOwnHost() throws Exception {
    bridge
        .udp()
        .bind(
            5683,
            datagram ->
                bridge
                    .udp()
                    .send(
                        5683,
                        datagram.source(),
                        datagram.sourcePort(),
                        new byte[] {9},
                        error -> {}));
    try (DatagramSocket socket = new DatagramSocket(0, inet(KERNEL))) {
      socket.setSoTimeout(30_000);
      socket.send(new DatagramPacket(new byte[1], 1, inet(bridge.udp().address()), 5_683));
      DatagramPacket got = new DatagramPacket(new byte[100], 100);
      socket.receive(got);
      assertThat(got.getLength()).isEqualTo(1);
      assertThat(got.getAddress()).isEqualTo(inet(bridge.udp().address()));
    }
  }
}
