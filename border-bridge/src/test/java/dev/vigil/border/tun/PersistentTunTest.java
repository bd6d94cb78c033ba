package dev.vigil.border.tun;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An administrator made the interface; the process has no right to make one. */
class PersistentTunTest {
  private static final long PID = ProcessHandle.current().pid();
  private static final String DEVICE = "vigilp" + PID % 100_000;
  private static final String PREFIX = "fd56:4948:%x:%x::".formatted(PID >>> 16, PID & 0xffff);

  private boolean made;

  @BeforeEach
  void make() {
    Assumptions.assumeTrue(
        Files.isWritable(Path.of("/dev/net/tun")), "no /dev/net/tun, or no right to use it");
    Assumptions.assumeTrue(run("setpriv", "--version").exit() == 0, "no setpriv");
    made = run("ip", "tuntap", "add", "dev", DEVICE, "mode", "tun", "user", "root").exit() == 0;
    Assumptions.assumeTrue(made, "no CAP_NET_ADMIN");
  }

  @AfterEach
  void remove() {
    if (made) {
      run("ip", "link", "del", DEVICE);
    }
  }

  private record Result(int exit, String out) {}

  private static Result run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String out = new String(process.getInputStream().readAllBytes());
      return new Result(process.waitFor(), out);
    } catch (IOException e) {
      return new Result(-1, e.toString());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Result probe(int port) {
    List<String> command =
        new ArrayList<>(List.of("setpriv", "--bounding-set=-net_admin", "--inh-caps=-net_admin"));
    command.addAll(
        Arrays.asList(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            TunProbe.class.getName(),
            DEVICE,
            PREFIX + "1",
            PREFIX + "2",
            Integer.toString(port)));
    return run(command.toArray(String[]::new));
  }

  @Test
  void aProcessWithoutRightsUsesAPreparedInterface() throws Exception {
    assertThat(run("ip", "link", "set", DEVICE, "mtu", "1280", "up").exit()).isZero();
    assertThat(run("ip", "-6", "address", "add", PREFIX + "1/64", "dev", DEVICE, "nodad").exit())
        .isZero();
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getByName(PREFIX + "1"))) {
      socket.setSoTimeout(30_000);
      Result result = probe(socket.getLocalPort());
      assertThat(result.exit()).as(result.out()).isZero();
      DatagramPacket got = new DatagramPacket(new byte[10], 10);
      socket.receive(got);
      assertThat(got.getAddress()).isEqualTo(InetAddress.getByName(PREFIX + "2"));
      assertThat(got.getLength()).isEqualTo(1);
    }
  }

  @Test
  void missingRightsAreReportedWithCommands() {
    Result result = probe(1);
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.out())
        .contains("cannot use the TUN interface " + DEVICE)
        .contains("ip tuntap add dev " + DEVICE + " mode tun user root")
        .contains("ip link set " + DEVICE + " mtu 1280 up")
        .contains("ip -6 address add " + PREFIX.replaceAll("::$", "") + "::1/64 dev " + DEVICE);
  }
}
