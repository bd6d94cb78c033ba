package dev.vigil.gateway.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.bridge.Bridge;
import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.ieee802154.Fcs;
import dev.vigil.border.ipv6.Icmpv6;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.rpl.RplMessage;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.gateway.EventReader;
import dev.vigil.gateway.HttpTestClient;
import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.OperatorClient;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import dev.vigil.gateway.testing.SleepyEndpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The operator's view of the radio and its actions, with a node on the virtual radio. */
public class NetworkApiTest {
  /** A recorded broadcast DIS of 0002000200020002 in ZEP. */
  private static final String DIS = "41d83acdabffff02000200020002007a3b3a1a9b0065190000";

  /** The interface identifier of 0002000200020002. */
  private static final long NODE = 0x0202_0002_0002_0002L;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir Path folder = Path.of("");
  private InProcessGateway gateway;
  private HttpTestClient http;
  private OperatorClient operator;
  private Bridge bridge;

  @BeforeEach
  void start() {
    gateway =
        new InProcessGateway(
            folder,
            "--vigil.anonymous-read=true",
            "--vigil.domains.plant.trust=first-use",
            "--vigil.border.radios[0].kind=virtual",
            "--vigil.border.radios[0].port=0",
            "--vigil.border.link-security.key=");
    http = new HttpTestClient(gateway.address("http"));
    operator = new OperatorClient(gateway);
    bridge = gateway.bean(BridgeLifecycle.class).bridge().orElseThrow();
    await(() -> bridge.radios().getFirst().up());
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private void heard() throws IOException {
    hear(HexFormat.of().parseHex(DIS));
    await(() -> bridge.neighbourCount() == 1);
  }

  private void hear(byte[] psdu) throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      byte[] zep = zep(Fcs.append(psdu));
      int port = bridge.etherPort().orElseThrow();
      socket.send(new DatagramPacket(zep, zep.length, InetAddress.getByName("127.0.0.1"), port));
    }
  }

  /** A broadcast DIO of 0002000200020002, which is then a node of the gateway's DODAG. */
  private byte[] dio(MeshConfig mesh) {
    ByteBuffer body = ByteBuffer.allocate(24);
    body.put(new byte[] {0, (byte) 240}).putShort((short) 512).put((byte) 0x88).position(8);
    body.put(mesh.address().octets());
    byte[] message =
        new Icmpv6(Icmpv6.RPL, RplMessage.CODE_DIO, body.array())
            .encode(Ipv6Address.linkLocal(NODE), Ipv6Address.ALL_RPL_NODES);
    byte[] head = HexFormat.of().parseHex(DIS.substring(0, DIS.indexOf("9b00")));
    head[2]++; // another sequence number
    return ByteBuffer.allocate(head.length + message.length).put(head).put(message).array();
  }

  /** Registers an endpoint in domain plant from the address of the node; returns its id. */
  private String registered(String ep, MeshConfig mesh) throws Exception {
    byte[] address = new Ipv6Address(mesh.prefix().high(), NODE).octets();
    Request request =
        new Request(
            Method.POST,
            List.of("ms"),
            new Query(List.of()),
            ContentFormat.JOSE,
            new SleepyEndpoint(ep)
                .registration(1, "</temp>", "plant")
                .getBytes(StandardCharsets.US_ASCII),
            List.of(),
            true,
            Caller.anonymous(new InetSocketAddress(InetAddress.getByAddress(address), 5683), true));
    Response answer = gateway.bean(RequestDispatcher.class).answer(request).get();
    assertThat(answer.code()).isEqualTo(Code.CREATED);
    return answer.location().getLast();
  }

  /** A ZEP packet of version 2: 26 octets precede the length; the unused ones stay zero. */
  private static byte[] zep(byte[] frame) {
    ByteBuffer packet = ByteBuffer.allocate(32 + frame.length);
    packet.put((byte) 'E').put((byte) 'X').put((byte) 2).put((byte) 1).put((byte) 26);
    packet.putShort((short) 1).put((byte) 1);
    return packet.position(31).put((byte) frame.length).put(frame).array();
  }

  public static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + 30_000_000_000L;
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  void eachNeighbourHasItsOwnMetricsAndAllReasonsExist() throws Exception {
    String before = http.get("/actuator/prometheus").body();
    assertThat(before)
        .contains("vigil_radio_dropped_total{reason=\"mic_wrong\"} 0.0")
        .contains("vigil_radio_neighbour_frames_total{direction=\"in\",neighbour=\"other\"} 0.0")
        .contains("vigil_radio_routes 0.0")
        .containsPattern("vigil_radio_link_up\\{radio=\"ether:[0-9]+\"} 1.0");
    heard();
    System.gc();
    assertThat(http.get("/actuator/prometheus").body())
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
  void theNetworkViewShowsRadiosAndNeighbours() throws Exception {
    heard();
    String body = http.get("/api/network").body();
    assertThat(body)
        .contains("\"eui64\":\"0002000200020002\"")
        .contains("\"frames\":1,\"octetsIn\":25,\"sent\":0")
        .contains("\"level\":0")
        .contains("\"name\":\"ether:" + bridge.etherPort().orElseThrow() + "\",\"up\":true")
        .contains("\"dodagVersion\":240")
        .contains("\"routes\":0")
        .contains("\"capture\":{\"readers\":0,\"lost\":0}");
  }

  @Test
  void theEventStreamReportsTheNetwork() throws Exception {
    try (EventReader events = new EventReader(http)) {
      assertThat(events.next("radio").get("up").asBoolean()).isTrue();
      heard();
      JsonNode neighbour = events.next("neighbour");
      assertThat(neighbour).isEqualTo(operator.read("/api/network").get("neighbours").get(0));
      assertThat(operator.post("/api/network/repair").statusCode()).isEqualTo(202);
      events.next("network", changed -> changed.get("dodagVersion").asInt() == 241);
    }
  }

  @Test
  void nodesHaveNoNamesOfDomainsThatTheCallerMayNotLookUp() throws Exception {
    MeshConfig mesh = gateway.bean(BridgeLifecycle.class).config().orElseThrow().mesh();
    String closed = "{\"trust\":\"first-use\",\"policy\":{\"read\":[\"identified\"]}}";
    assertThat(operator.send("PUT", "/api/domains/plant", "application/json", closed).statusCode())
        .isEqualTo(200);
    String id = registered("plant-1", mesh);
    hear(dio(mesh));
    await(() -> !bridge.topology().isEmpty());
    JsonNode known = operator.read("/api/network").get("nodes").get(0);
    assertThat(known.get("ep").asString()).isEqualTo("plant-1");
    assertThat(known.get("endpoint").asString()).isEqualTo(id);
    assertThat(known.has("d")).isFalse();
    JsonNode strange = JSON.readTree(http.get("/api/network").body()).get("nodes").get(0);
    assertThat(strange.get("address")).isEqualTo(known.get("address"));
    assertThat(strange.has("ep") || strange.has("endpoint")).isFalse();
    try (EventReader events = new EventReader(http, "Last-Event-ID", "0")) {
      JsonNode event = events.next("node");
      assertThat(event.get("address")).isEqualTo(known.get("address"));
      assertThat(event.has("ep") || event.has("endpoint")).isFalse();
    }
    String token = "Bearer " + operator.token();
    try (EventReader events = new EventReader(http, "Last-Event-ID", "0", "Authorization", token)) {
      assertThat(events.next("node").get("ep").asString()).isEqualTo("plant-1");
    }
  }

  @Test
  void aResumedStreamReportsMissedChangesOfTheNetwork() throws Exception {
    String last;
    try (EventReader events = new EventReader(http)) {
      events.next("radio");
      last = events.lastId();
    }
    heard();
    try (EventReader events = new EventReader(http, "Last-Event-ID", last)) {
      assertThat(events.next("neighbour").get("eui64").asString()).isEqualTo("0002000200020002");
    }
  }

  @Test
  void changingOrCapturingTheRadioNeedsAnOperator() throws Exception {
    for (String path : new String[] {"repair", "refresh", "neighbours/0002000200020002/forgive"}) {
      assertThat(http.send("POST", "/api/network/" + path, "application/json", "").statusCode())
          .as(path)
          .isEqualTo(401);
    }
    assertThat(http.get("/api/network/capture").statusCode()).isEqualTo(401);
    assertThat(bridge.dodagVersion()).hasValue(240);
  }

  @Test
  void anOperatorCanStartARepair() {
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
  void forgivingAnUnknownNeighbourIsRefused() {
    String neighbours = "/api/network/neighbours/";
    assertThat(operator.post(neighbours + "0002000200020002/forgive").statusCode()).isEqualTo(404);
    assertThat(operator.post(neighbours + "nonsense/forgive").statusCode()).isEqualTo(400);
  }

  @Test
  void tsharkReadsALiveCaptureThatEndsWithTheGateway() throws Exception {
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
      await(() -> bridge.captures().readers() == 1);
      heard();
      assertThat(decoded.readLine()).as("while it goes on").contains("RPL Control");
      gateway.close();
      copying.join();
    } finally {
      tshark.destroy();
      tshark.waitFor();
    }
  }

  /** Copies and flushes each part; transferTo would leave parts in the buffer. */
  private static void copy(InputStream from, OutputStream to) throws IOException {
    byte[] part = new byte[4_096];
    for (int count = from.read(part); count >= 0; count = from.read(part)) {
      to.write(part, 0, count);
      to.flush();
    }
  }

  @Test
  void aCaptureEndsAfterTheRequestedTime() throws Exception {
    byte[] file = capture("?seconds=1").body().readAllBytes();
    assertThat(file).startsWith(0x0a, 0x0d, 0x0d, 0x0a);
    assertThat(capture("?seconds=0").statusCode()).isEqualTo(400);
  }

  private HttpResponse<InputStream> capture(String query) throws Exception {
    HttpRequest request =
        http.to("/api/network/capture" + query)
            .header("Authorization", "Bearer " + operator.token())
            .build();
    return http.client().send(request, HttpResponse.BodyHandlers.ofInputStream());
  }
}
