package dev.vigil.coap.server;

import static dev.vigil.coap.server.UdpPeer.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.EntityTag;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.californium.core.CoapClient;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Message;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.eclipse.californium.core.network.serialization.UdpDataSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client must not be able to tell the fast path from Californium's path. */
class FastPathServerTest {
  private static final int LONG_BODY = 3000;

  private final ObservableValue value = new ObservableValue();
  private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
  private final List<CompletableFuture<Response>> pending =
      Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch released = new CountDownLatch(1);
  private CoapServer server;
  private UdpPeer peer;

  @BeforeEach
  void open() throws IOException {
    value.ackTimeout = Duration.ofMillis(100);
    start(true);
  }

  private void start(boolean trusted) throws IOException {
    Route things = Route.of("/things/*", this::answer).withFastPath().withKeySegment(1);
    server = value.serve(List.of(things), trusted, 100);
    peer = new UdpPeer(server.sockets().getFirst());
  }

  @AfterEach
  void close() {
    peer.close();
    server.close();
  }

  private CompletableFuture<Response> answer(Request request) {
    requests.add(request);
    if (request.path().getLast().equals("slow")) {
      CompletableFuture<Response> answer = new CompletableFuture<>();
      pending.add(answer);
      return answer;
    }
    if (request.path().getLast().equals("blocked")) {
      await(released);
      return CompletableFuture.completedFuture(Response.of(Code.CHANGED));
    }
    if (request.path().getLast().equals("broken")) {
      throw new IllegalStateException("secret cause");
    }
    return CompletableFuture.completedFuture(
        switch (request.path().getLast()) {
          case "long" -> Response.content(ContentFormat.TEXT, "x".repeat(LONG_BODY));
          case "conflict" -> Response.diagnostic(Code.CONFLICT, "5");
          default ->
              request.method() == Method.GET
                  ? Response.content(ContentFormat.TEXT, "21.5")
                      .withTag(new EntityTag(5, ContentFormat.TEXT))
                      .withMaxAge(30)
                      .observable(ObservableValue.TOPIC)
                  : Response.of(Code.CHANGED);
        });
  }

  private org.eclipse.californium.core.coap.Request put(Type type, String path) {
    var request = peer.request(CoAP.Code.PUT, type, "things", "7", path);
    request.setPayload("update");
    return request;
  }

  @Test
  void answersAGetInTheAcknowledgement() throws IOException {
    var answer = peer.exchange(peer.request(CoAP.Code.GET, Type.CON, "things", "7", "temp"));

    assertThat(answer.getType()).isEqualTo(Type.ACK);
    assertThat(answer.getMID()).isEqualTo(1);
    assertThat(text(answer)).isEqualTo("21.5");
    assertThat(answer.getOptions().getMaxAge()).isEqualTo(30);
    assertThat(requests.getFirst().base()).isEqualTo(server.addresses().getFirst().toString());
  }

  @Test
  void confirmsAKnownTagWithoutThePayload() throws IOException {
    var request = peer.request(CoAP.Code.GET, Type.CON, "things", "7", "temp");
    request.getOptions().addETag(new EntityTag(5, ContentFormat.TEXT).octets());

    var answer = peer.exchange(request);

    assertThat(answer.getCode()).isEqualTo(ResponseCode.VALID);
    assertThat(answer.getPayload()).isEmpty();
  }

  @Test
  void carriesOutADuplicateOnceAndAnswersItAgain() throws IOException {
    var update = put(Type.CON, "temp");
    Message first = peer.exchange(update);
    Message second = peer.exchange(update);

    assertThat(first.getType()).isEqualTo(Type.ACK);
    assertThat(((org.eclipse.californium.core.coap.Response) first).getCode())
        .isEqualTo(ResponseCode.CHANGED);
    assertThat(second.getBytes()).isEqualTo(first.getBytes());
    assertThat(requests).hasSize(1);
  }

  @Test
  void forgetsARefusedRequestAndRefusesItsDuplicateAgain() throws IOException {
    var refused = put(Type.CON, "conflict");
    Message first = peer.exchange(refused);
    Message second = peer.exchange(refused);

    assertThat(((org.eclipse.californium.core.coap.Response) first).getCode())
        .isEqualTo(ResponseCode.CONFLICT);
    assertThat(second.getBytes()).isEqualTo(first.getBytes());
    assertThat(requests).hasSize(2);
  }

  @Test
  void answersANonConfirmableRequestOnce() throws IOException {
    var update = put(Type.NON, "temp");

    var answer = peer.exchange(update);
    peer.send(update);

    assertThat(answer.getType()).isEqualTo(Type.NON);
    assertThat(answer.getCode()).isEqualTo(ResponseCode.CHANGED);
    assertThat(answer.getToken()).isEqualTo(update.getToken());
    assertThat(peer.receivesNothingUntilPing()).isTrue();
    assertThat(requests).hasSize(1);
  }

  @Test
  void respectsTheNoResponseOption() throws IOException {
    var silent = put(Type.NON, "temp");
    silent.getOptions().setNoResponse(2);
    peer.send(silent);
    assertThat(peer.receivesNothingUntilPing()).isTrue();

    var confirmed = put(Type.CON, "temp");
    confirmed.getOptions().setNoResponse(2);
    peer.send(confirmed);
    Message empty = peer.receive();
    assertThat(empty.getType()).isEqualTo(Type.ACK);
    assertThat(empty.getRawCode()).isZero();
    assertThat(empty.getMID()).isEqualTo(confirmed.getMID());

    var refused = put(Type.CON, "conflict");
    refused.getOptions().setNoResponse(2);
    assertThat(peer.exchange(refused).getCode()).isEqualTo(ResponseCode.CONFLICT);
    assertThat(requests).hasSize(3);
  }

  @Test
  void carriesOutRequestsOfOneKeyInOrderOfArrival() throws IOException {
    List<byte[]> sent = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      var update = put(Type.NON, "temp");
      update.getOptions().setNoResponse(2);
      update.setPayload(new byte[] {(byte) i});
      sent.add(update.getPayload());
      peer.send(update);
    }
    peer.exchange(put(Type.CON, "temp"));

    assertThat(requests).hasSize(201);
    assertThat(requests.subList(0, 200))
        .extracting(Request::payload)
        .containsExactlyElementsOf(sent);
  }

  @Test
  void sendsASeparateResponseIfItIsLate() throws IOException {
    var update = put(Type.CON, "slow");
    peer.send(update);
    Message empty = peer.receive();
    assertThat(empty.getType()).isEqualTo(Type.ACK);
    assertThat(empty.getRawCode()).isZero();

    // A duplicate is acknowledged again but not carried out.
    peer.send(update);
    assertThat(peer.receive().getMID()).isEqualTo(update.getMID());
    pending.getFirst().complete(Response.of(Code.CHANGED));

    var answer = (org.eclipse.californium.core.coap.Response) peer.receive();
    assertThat(answer.getType()).isEqualTo(Type.CON);
    assertThat(answer.getCode()).isEqualTo(ResponseCode.CHANGED);
    assertThat(answer.getToken()).isEqualTo(update.getToken());
    // The answer is retransmitted until it is acknowledged.
    assertThat(peer.receive().getMID()).isEqualTo(answer.getMID());
    peer.acknowledge(answer);
    assertThat(requests).hasSize(1);
  }

  @Test
  void answersADuplicateOfAPendingRequestOnce() throws IOException {
    var update = put(Type.NON, "slow");
    peer.send(update);
    peer.send(update);
    assertThat(peer.receivesNothingUntilPing()).isTrue();
    while (pending.isEmpty()) {
      Thread.onSpinWait();
    }
    pending.getFirst().complete(Response.of(Code.CHANGED));

    assertThat(peer.receive().getType()).isEqualTo(Type.NON);
    assertThat(peer.receivesNothingUntilPing()).isTrue();
    assertThat(requests).hasSize(1);
  }

  @Test
  void sendsALongResponseInBlocks() throws Exception {
    CoapClient client = new CoapClient(server.addresses().getFirst() + "/things/7/long");
    try {
      assertThat(client.get().getResponseText()).isEqualTo("x".repeat(LONG_BODY));
      assertThat(requests).hasSize(1);
    } finally {
      client.shutdown();
    }
  }

  @Test
  void leavesBlockwiseUploadsAndObservationsToCalifornium() throws IOException {
    var observing = peer.request(CoAP.Code.GET, Type.CON, "things", "7", "temp");
    observing.setObserve();
    assertThat(peer.exchange(observing).getOptions().hasObserve()).isTrue();

    var block = put(Type.CON, "temp");
    block.getOptions().setBlock1(0, true, 0);
    block.setPayload("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    assertThat(peer.exchange(block).getCode()).isEqualTo(ResponseCode.CONTINUE);
  }

  @Test
  void sendsSmallBlocksToAnUnverifiedSource() throws IOException {
    close();
    start(false);
    var read = peer.request(CoAP.Code.GET, Type.CON, "things", "7", "long");
    var answer = peer.exchange(read);
    assertThat(answer.getCode()).isEqualTo(ResponseCode.CONTENT);
    assertThat(answer.getPayloadSize())
        .isBetween(1, 3 * new UdpDataSerializer().getByteArray(read).length);
    assertThat(answer.getOptions().getBlock2().isM()).isTrue();
    assertThat(answer.getOptions().getSize2()).isEqualTo(LONG_BODY);
    assertThat(requests).hasSize(1);
  }

  @Test
  void challengesUnverifiedSourcesWhileWorkersAreBehind() throws IOException {
    close();
    start(false);
    for (int i = 0; i < 100; i++) {
      var blocking = peer.request(CoAP.Code.PUT, Type.NON, "things", "" + i, "blocked");
      blocking.getOptions().setNoResponse(2);
      peer.send(blocking);
    }
    var filtered = peer.request(CoAP.Code.GET, Type.CON, "things", "7", "temp");
    filtered.getOptions().addUriQuery("a=b");
    var block = put(Type.CON, "temp");
    block.getOptions().setBlock1(0, true, 0);
    block.setPayload("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    peer.send(filtered);
    peer.send(block);
    peer.send(peer.request(CoAP.Code.GET, Type.CON, "things", "7", "long"));
    // Two of them occupy the workers.
    while (server.statistics().sockets().getFirst().waiting() < 101) {
      Thread.onSpinWait();
    }
    released.countDown();

    for (int i = 0; i < 3; i++) {
      var challenge = (org.eclipse.californium.core.coap.Response) peer.receive();
      assertThat(challenge.getCode()).isEqualTo(ResponseCode.UNAUTHORIZED);
      assertThat(challenge.getOptions().getOtherOption(StandardOptionRegistry.ECHO)).isNotNull();
    }
    // Once the server has caught up, it answers.
    while (server.statistics().sockets().getFirst().waiting() > 0) {
      Thread.onSpinWait();
    }
    var again = peer.request(CoAP.Code.GET, Type.CON, "things", "7", "temp");
    again.getOptions().addUriQuery("a=b");
    assertThat(peer.exchange(again).getCode()).isEqualTo(ResponseCode.CONTENT);
    assertThat(requests).filteredOn(one -> one.method() == Method.GET).hasSize(2);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void hidesTheCauseOfAnInternalError() throws IOException {
    var answer = peer.exchange(put(Type.CON, "broken"));

    assertThat(answer.getCode()).isEqualTo(ResponseCode.INTERNAL_SERVER_ERROR);
    assertThat(text(answer)).doesNotContain("secret");
  }

  @Test
  void answersLikeCaliforniumsPath() throws IOException {
    for (Type type : List.of(Type.CON, Type.NON)) {
      for (CoAP.Code code : List.of(CoAP.Code.GET, CoAP.Code.PUT, CoAP.Code.POST)) {
        for (String path : List.of("temp", "conflict", "broken")) {
          for (int variant = 0; variant < 4; variant++) {
            var fast = exchange(code, type, path, variant, false);
            var slow = exchange(code, type, path, variant, true);

            assertThat(fast.getType()).isEqualTo(slow.getType());
            assertThat(fast.getCode()).isEqualTo(slow.getCode());
            assertThat(fast.getOptions().asSortedList())
                .isEqualTo(slow.getOptions().asSortedList());
            assertThat(fast.getPayload()).isEqualTo(slow.getPayload());
            Request first = requests.get(requests.size() - 2);
            assertThat(requests.getLast())
                .usingRecursiveComparison()
                .ignoringFields("payload")
                .isEqualTo(first);
          }
        }
      }
    }
  }

  /**
   * @param withPort adds a Uri-Port option, which the fast path does not support
   */
  private org.eclipse.californium.core.coap.Response exchange(
      CoAP.Code code, Type type, String path, int variant, boolean withPort) throws IOException {
    var request = peer.request(code, type, "things", "7", path);
    if (withPort) {
      request.getOptions().setUriPort(server.sockets().getFirst().getPort());
    }
    if ((variant & 1) != 0) {
      request.getOptions().setAccept(ContentFormat.TEXT.number());
    }
    if ((variant & 2) != 0) {
      request.getOptions().addETag(new EntityTag(5, ContentFormat.TEXT).octets());
    }
    return peer.exchange(request);
  }
}
