package dev.vigil.gateway.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Bridge;
import dev.vigil.border.ieee802154.Fcs;
import dev.vigil.gateway.InProcess;
import dev.vigil.gateway.Operator;
import dev.vigil.gateway.Web;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What an operator sees of the radio and may have it do, with a node on the virtual air. */
class RadioSeenTest {
  /** A broadcast DIS of 0002000200020002 as ZEP has it, from a recording. */
  private static final String DIS = "41d83acdabffff02000200020002007a3b3a1a9b0065190000";

  @TempDir Path folder = Path.of("");
  private InProcess gateway;
  private Web web;
  private Operator operator;
  private Bridge bridge;

  @BeforeEach
  void start() {
    gateway =
        new InProcess(
            folder,
            "--vigil.anonymous-read=true",
            "--vigil.border.radios[0].kind=virtual",
            "--vigil.border.radios[0].port=0",
            "--vigil.border.link-security.key=");
    web = new Web(gateway.address("http"));
    operator = new Operator(gateway);
    bridge = gateway.bean(Network.class).bridge().orElseThrow();
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private void heard() throws IOException {
    byte[] psdu = HexFormat.of().parseHex(DIS);
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      byte[] zep = zep(Fcs.append(psdu));
      int port = bridge.etherPort().orElseThrow();
      socket.send(new DatagramPacket(zep, zep.length, InetAddress.getByName("127.0.0.1"), port));
    }
    await(() -> bridge.neighbourCount() == 1);
  }

  /** A ZEP packet of version 2: 26 octets before the length, of which these matter. */
  private static byte[] zep(byte[] frame) {
    ByteBuffer packet = ByteBuffer.allocate(32 + frame.length);
    packet.put((byte) 'E').put((byte) 'X').put((byte) 2).put((byte) 1).put((byte) 26);
    packet.putShort((short) 1).put((byte) 1);
    return packet.position(31).put((byte) frame.length).put(frame).array();
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + 30_000_000_000L;
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  void aNeighbourHasSeriesOfItsOwnAndEveryReasonIsThereFromTheStart() throws Exception {
    String before = web.get("/actuator/prometheus").body();
    assertThat(before)
        .contains("vigil_radio_dropped_total{reason=\"mic_wrong\"} 0.0")
        .contains("vigil_radio_neighbour_frames_total{direction=\"in\",neighbour=\"other\"} 0.0")
        .contains("vigil_radio_routes 0.0")
        .containsPattern("vigil_radio_link_up\\{radio=\"ether:[0-9]+\"} 1.0");
    heard();
    System.gc();
    assertThat(web.get("/actuator/prometheus").body())
        .contains("vigil_radio_neighbours 1.0")
        .contains(
            "vigil_radio_neighbour_frames_total{direction=\"in\",neighbour=\"0002000200020002\"}"
                + " 1.0")
        .contains(
            "vigil_radio_neighbour_octets_total{direction=\"in\",neighbour=\"0002000200020002\"}"
                + " 25.0")
        .contains("vigil_radio_neighbour_retries_total{neighbour=\"0002000200020002\"} 0.0")
        .contains("vigil_radio_neighbour_etx{neighbour=\"0002000200020002\"} 0.0")
        .containsPattern(
            "vigil_radio_neighbour_heard_seconds\\{neighbour=\"0002000200020002\"} 1\\.[0-9]+E9");
  }

  @Test
  void theNetworkIsToldWithItsRadiosAndItsNeighbours() throws Exception {
    heard();
    String told = web.get("/api/network").body();
    assertThat(told)
        .contains("\"eui64\":\"0002000200020002\"")
        .contains("\"frames\":1,\"octetsIn\":25,\"sent\":0")
        .contains("\"level\":0")
        .contains("\"name\":\"ether:" + bridge.etherPort().orElseThrow() + "\",\"up\":true")
        .contains("\"dodagVersion\":240")
        .contains("\"routes\":0")
        .contains("\"capture\":{\"readers\":0,\"lost\":0}");
  }

  @Test
  void whatChangesTheRadioOrListensToItNeedsAnAccount() throws Exception {
    for (String path : new String[] {"repair", "refresh", "neighbours/0002000200020002/forgive"}) {
      assertThat(web.send("POST", "/api/network/" + path, "application/json", "").statusCode())
          .as(path)
          .isEqualTo(401);
    }
    assertThat(web.get("/api/network/capture").statusCode()).isEqualTo(401);
    assertThat(bridge.dodagVersion()).hasValue(240);
  }

  @Test
  void anOperatorMayHaveTheNetworkRepaired() {
    assertThat(operator.post("/api/network/repair").statusCode()).isEqualTo(202);
    await(() -> bridge.dodagVersion().orElse(0) == 241);
    assertThat(operator.post("/api/network/refresh").statusCode()).isEqualTo(202);
    JsonNode trail = operator.read("/api/audit?limit=2").get("decisions");
    assertThat(trail.findValuesAsString("what"))
        .as("newest first")
        .containsExactly("refresh of all routes", "global repair of the network");
    assertThat(trail.findValuesAsString("by")).containsOnly("account:operator");
    assertThat(trail.get(0).has("ep")).isFalse();
  }

  @Test
  void forgivingNamesWhatItCannotForgive() {
    String neighbours = "/api/network/neighbours/";
    assertThat(operator.post(neighbours + "0002000200020002/forgive").statusCode()).isEqualTo(404);
    assertThat(operator.post(neighbours + "nonsense/forgive").statusCode()).isEqualTo(400);
  }

  @Test
  void tsharkReadsTheLiveCaptureAndTheGatewayStopsAlthoughItGoesOn() throws Exception {
    HttpResponse<InputStream> capture = capture("");
    assertThat(capture.statusCode()).isEqualTo(200);
    assertThat(capture.headers().firstValue("Content-Type")).hasValue("application/x-pcapng");
    Process tshark =
        new ProcessBuilder("tshark", "-l", "-i", "-", "-Y", "wpan.seq_no == 58")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (OutputStream line = tshark.getOutputStream();
        BufferedReader decoded = tshark.inputReader()) {
      Thread copying =
          Thread.startVirtualThread(
              () -> {
                try {
                  copy(capture.body(), line);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      await(() -> bridge.captures().listeners() == 1);
      heard();
      assertThat(decoded.readLine()).as("while it goes on").contains("RPL Control");
      gateway.close();
      copying.join();
    } finally {
      tshark.destroy();
      tshark.waitFor();
    }
  }

  /** Each part as it comes, which transferTo would keep in the process's buffer. */
  private static void copy(InputStream from, OutputStream to) throws IOException {
    byte[] part = new byte[4_096];
    for (int count = from.read(part); count >= 0; count = from.read(part)) {
      to.write(part, 0, count);
      to.flush();
    }
  }

  @Test
  void aCaptureEndsWhenItsTimeIsOver() throws Exception {
    byte[] file = capture("?seconds=1").body().readAllBytes();
    assertThat(file).startsWith(0x0a, 0x0d, 0x0d, 0x0a);
    assertThat(capture("?seconds=0").statusCode()).isEqualTo(400);
  }

  private HttpResponse<InputStream> capture(String query) throws Exception {
    HttpRequest request =
        web.to("/api/network/capture" + query)
            .header("Authorization", "Bearer " + operator.token())
            .build();
    return web.client().send(request, HttpResponse.BodyHandlers.ofInputStream());
  }
}
