package dev.vigil.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that hold connections without finishing requests; other clients are still served. */
class SlowClientsTest {
  private static final String HEAD = "Host: localhost\r\nConnection: close\r\n";
  private static final int TIMEOUT_MILLIS = 60_000;

  @TempDir private Path folder;

  private final List<Socket> sockets = new ArrayList<>();
  private InProcessGateway gateway;
  private String address;

  /** One gateway for each test: connections of another test that end late would free places. */
  @BeforeEach
  void start() {
    gateway =
        new InProcessGateway(folder, "--vigil.trust=first-use", "--vigil.anonymous-read=true");
    address = gateway.address("http");
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    gateway.close();
  }

  /** Connects from an address of this machine and sends the start of a request. */
  private Socket send(String from, String text) throws IOException {
    URI uri = URI.create(address);
    Socket socket =
        new Socket(
            InetAddress.getByName(uri.getHost()), uri.getPort(), InetAddress.ofLiteral(from), 0);
    sockets.add(socket);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    RawHttp.send(socket, text);
    return socket;
  }

  /** Sends an octet whenever the gateway has been silent for a while, until it hangs up. */
  private static void trickleUntilClosed(Socket slow) {
    try {
      while (true) {
        try {
          if (slow.getInputStream().read() < 0) {
            return;
          }
        } catch (SocketTimeoutException e) {
          RawHttp.send(slow, "x");
        }
      }
    } catch (IOException e) {
      // The server has hung up while an octet was on its way.
    }
  }

  private int status(String from, String target, String fields) throws IOException {
    return RawHttp.read(send(from, "GET " + target + " HTTP/1.1\r\n" + HEAD + fields + "\r\n"))
        .status();
  }

  @Test
  void oneAddressCannotHoldAllConnections() throws IOException {
    HttpTestClient http = new HttpTestClient(address);
    SleepyEndpoint sleeper = new SleepyEndpoint("mote");
    String resource = http.register(sleeper, 1, "</temp>") + "/temp";
    Socket events = send("127.0.0.9", "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    BufferedReader stream =
        new BufferedReader(new InputStreamReader(events.getInputStream(), StandardCharsets.UTF_8));
    assertThat(stream.readLine()).contains(" 200");
    Socket first = send("127.0.0.66", "GET / HTTP/1.1\r\nX: ");
    for (int i = 0; i < 700; i++) {
      send("127.0.0.66", i % 2 == 0 ? "GET / HTTP/1.1\r\nX: " : "POST /ms HTTP/1.1\r\n");
    }
    for (int i = 0; i < 20; i++) {
      assertThat(status("127.0.0.1", "/rd-lookup/ep", "")).isEqualTo(200);
      assertThat(status("127.0.0." + (10 + i), "/actuator/health", "")).isEqualTo(200);
    }
    assertThat(first.getInputStream().read()).isEqualTo(-1);
    assertThat(
            http.send("PUT", resource, "application/jose", sleeper.update("temp", 2, 20))
                .statusCode())
        .isEqualTo(201);
    assertThat(stream.lines().filter(line -> line.startsWith("event:")).findFirst())
        .hasValueSatisfying(line -> assertThat(line).contains("endpoint"));
  }

  @Test
  void withAllPlacesTakenTheReserveServesHealthAndOperators() throws IOException {
    for (int round = 1; !reserveServes(); round++) {
      assertThat(round).as("rounds that were too slow").isLessThan(10);
      stop();
      sockets.clear();
      start();
    }
  }

  /** False if the first heads may have been late, which frees their places after 10 s. */
  private boolean reserveServes() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(9);
    String operator = "Authorization: Bearer " + new OperatorClient(gateway).token() + "\r\n";
    for (int i = 0; i < 700; i++) {
      send("127.1.%d.%d".formatted(i / 200, 1 + i % 200), "GET / HTTP/1.1\r\nX: ");
    }
    // The gateway accepts connections later than the kernel does.
    while (System.nanoTime() - end < 0 && status("127.2.0.200", "/rd-lookup/ep", "") != 503) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < 20; i++) {
      String stranger = "127.2.0." + (1 + i);
      List<Integer> answers =
          List.of(
              status(stranger, "/actuator/health", ""),
              status(stranger, "/api/keys", operator),
              status(stranger, "/rd-lookup/ep", ""),
              status(stranger, "/rd-lookup/ep", "Authorization: Bearer wrong\r\n"));
      if (System.nanoTime() - end > 0) {
        return false;
      }
      assertThat(answers).containsExactly(200, 200, 503, 503);
    }
    return true;
  }

  @Test
  void headsAndBodiesMustArriveAtAMinimumRate() throws IOException {
    Socket head = send("127.0.0.66", "GET / HTTP/1.1\r\nX: ");
    Socket body =
        send(
            "127.0.0.66",
            "POST /ms HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/jose\r\nContent-Length: 2000\r\n\r\n");
    for (Socket slow : List.of(head, body)) {
      slow.setSoTimeout(200);
      trickleUntilClosed(slow);
    }
    assertThat(status("127.0.0.1", "/rd-lookup/ep", "")).isEqualTo(200);
  }
}
