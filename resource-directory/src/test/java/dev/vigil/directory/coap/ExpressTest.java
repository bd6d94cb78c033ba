package dev.vigil.directory.coap;

import static dev.vigil.directory.coap.UdpPeer.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.EntityTag;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.eclipse.californium.core.CoapClient;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Message;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client sees of the short way is what it would see of the long one. */
class ExpressTest {
  private static final int LONG = 3000;

  private final ChangingValue value = new ChangingValue();
  private final List<Request> asked = Collections.synchronizedList(new ArrayList<>());
  private final List<CompletableFuture<Response>> slow =
      Collections.synchronizedList(new ArrayList<>());
  private CoapFront front;
  private UdpPeer peer;

  @BeforeEach
  void open() throws IOException {
    start(true);
  }

  private void start(boolean trusted) throws IOException {
    Resource mirrored = this::mirrored;
    front = value.serve(Map.of("/ms/*", mirrored, "/ms", mirrored), trusted, 100);
    peer = new UdpPeer(front.sockets().getFirst());
  }

  @AfterEach
  void close() {
    peer.close();
    front.close();
  }

  private CompletableFuture<Response> mirrored(Request request) {
    asked.add(request);
    if (request.path().getLast().equals("slow")) {
      CompletableFuture<Response> answer = new CompletableFuture<>();
      slow.add(answer);
      return answer;
    }
    if (request.path().getLast().equals("broken")) {
      throw new IllegalStateException("as if by a fault");
    }
    return CompletableFuture.completedFuture(
        switch (request.path().getLast()) {
          case "long" -> Response.content(ContentFormat.TEXT, "x".repeat(LONG));
          case "taken" -> Response.diagnostic(Code.CONFLICT, "5");
          default ->
              request.method() == Method.GET
                  ? Response.content(ContentFormat.TEXT, "21.5")
                      .withTag(new EntityTag(5, ContentFormat.TEXT))
                      .withMaxAge(30)
                      .observable(ChangingValue.TOPIC)
                  : Response.of(Code.CHANGED);
        });
  }

  private org.eclipse.californium.core.coap.Request put(Type type, String path) {
    var request = peer.request(CoAP.Code.PUT, type, "ms", "7", path);
    request.setPayload("update");
    return request;
  }

  @Test
  void aValueIsReadInOneDatagramEachWay() throws IOException {
    var answer = peer.ask(peer.request(CoAP.Code.GET, Type.CON, "ms", "7", "temp"));

    assertThat(answer.getType()).isEqualTo(Type.ACK);
    assertThat(answer.getMID()).isEqualTo(1);
    assertThat(text(answer)).isEqualTo("21.5");
    assertThat(answer.getOptions().getMaxAge()).isEqualTo(30);
    assertThat(asked.getFirst().base()).isEqualTo(front.addresses().getFirst().toString());
  }

  @Test
  void whoHasTheValueAlreadyIsToldSo() throws IOException {
    var request = peer.request(CoAP.Code.GET, Type.CON, "ms", "7", "temp");
    request.getOptions().addETag(new EntityTag(5, ContentFormat.TEXT).octets());

    var answer = peer.ask(request);

    assertThat(answer.getCode()).isEqualTo(ResponseCode.VALID);
    assertThat(answer.getPayload()).isEmpty();
  }

  @Test
  void anUpdateThatIsRepeatedIsCarriedOutOnceAndAnsweredEachTime() throws IOException {
    var update = put(Type.CON, "temp");
    Message first = peer.ask(update);
    Message second = peer.ask(update);

    assertThat(first.getType()).isEqualTo(Type.ACK);
    assertThat(((org.eclipse.californium.core.coap.Response) first).getCode())
        .isEqualTo(ResponseCode.CHANGED);
    assertThat(second.getBytes()).isEqualTo(first.getBytes());
    assertThat(asked).hasSize(1);
  }

  @Test
  void anUpdateThatIsNotConfirmedIsAnsweredLikewiseAndOnlyOnce() throws IOException {
    var update = put(Type.NON, "temp");

    var answer = peer.ask(update);
    peer.send(update);

    assertThat(answer.getType()).isEqualTo(Type.NON);
    assertThat(answer.getCode()).isEqualTo(ResponseCode.CHANGED);
    assertThat(answer.getToken()).isEqualTo(update.getToken());
    assertThat(peer.isSilentUntilPing()).isTrue();
    assertThat(asked).hasSize(1);
  }

  @Test
  void whatIsNotWantedIsNotSaid() throws IOException {
    var silent = put(Type.NON, "temp");
    silent.getOptions().setNoResponse(2);
    peer.send(silent);
    assertThat(peer.isSilentUntilPing()).isTrue();

    var confirmed = put(Type.CON, "temp");
    confirmed.getOptions().setNoResponse(2);
    peer.send(confirmed);
    Message empty = peer.receive();
    assertThat(empty.getType()).isEqualTo(Type.ACK);
    assertThat(empty.getRawCode()).isZero();
    assertThat(empty.getMID()).isEqualTo(confirmed.getMID());

    var refused = put(Type.CON, "taken");
    refused.getOptions().setNoResponse(2);
    assertThat(peer.ask(refused).getCode()).isEqualTo(ResponseCode.CONFLICT);
    assertThat(asked).hasSize(3);
  }

  @Test
  void whatAnEndpointSendsIsCarriedOutInTheOrderItCame() throws IOException {
    List<byte[]> sent = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      var update = put(Type.NON, "temp");
      update.getOptions().setNoResponse(2);
      update.setPayload(new byte[] {(byte) i});
      sent.add(update.getPayload());
      peer.send(update);
    }
    peer.ask(put(Type.CON, "temp"));

    assertThat(asked).hasSize(201);
    assertThat(asked.subList(0, 200)).extracting(Request::payload).containsExactlyElementsOf(sent);
  }

  @Test
  void anAnswerThatIsLateIsAcknowledgedFirstAndFollowsConfirmed() throws IOException {
    var update = put(Type.CON, "slow");
    peer.send(update);
    Message empty = peer.receive();
    assertThat(empty.getType()).isEqualTo(Type.ACK);
    assertThat(empty.getRawCode()).isZero();

    // A repetition is acknowledged again and not carried out.
    peer.send(update);
    assertThat(peer.receive().getMID()).isEqualTo(update.getMID());
    slow.getFirst().complete(Response.of(Code.CHANGED));

    var answer = (org.eclipse.californium.core.coap.Response) peer.receive();
    assertThat(answer.getType()).isEqualTo(Type.CON);
    assertThat(answer.getCode()).isEqualTo(ResponseCode.CHANGED);
    assertThat(answer.getToken()).isEqualTo(update.getToken());
    // Until it is acknowledged it is sent again.
    assertThat(peer.receive().getMID()).isEqualTo(answer.getMID());
    peer.acknowledge(answer);
    assertThat(asked).hasSize(1);
  }

  @Test
  void anUpdateThatIsRepeatedWhileItIsCarriedOutIsAnsweredOnce() throws IOException {
    var update = put(Type.NON, "slow");
    peer.send(update);
    peer.send(update);
    assertThat(peer.isSilentUntilPing()).isTrue();
    while (slow.isEmpty()) {
      Thread.onSpinWait();
    }
    slow.getFirst().complete(Response.of(Code.CHANGED));

    assertThat(peer.receive().getType()).isEqualTo(Type.NON);
    assertThat(peer.isSilentUntilPing()).isTrue();
    assertThat(asked).hasSize(1);
  }

  @Test
  void anAnswerThatIsLongComesInBlocksOfWhatWasAskedForOnce() throws Exception {
    CoapClient client = new CoapClient(front.addresses().getFirst() + "/ms/7/long");
    try {
      assertThat(client.get().getResponseText()).isEqualTo("x".repeat(LONG));
      assertThat(asked).hasSize(1);
    } finally {
      client.shutdown();
    }
  }

  @Test
  void aBodyInBlocksAndAnObservationGoTheLongWay() throws IOException {
    var observing = peer.request(CoAP.Code.GET, Type.CON, "ms", "7", "temp");
    observing.setObserve();
    assertThat(peer.ask(observing).getOptions().hasObserve()).isTrue();

    var block = put(Type.CON, "temp");
    block.getOptions().setBlock1(0, true, 0);
    block.setPayload("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    assertThat(peer.ask(block).getCode()).isEqualTo(ResponseCode.CONTINUE);
  }

  @Test
  void aStrangerShowsItsAddressBeforeItIsToldMuch() throws IOException {
    close();
    start(false);
    var read = peer.request(CoAP.Code.GET, Type.CON, "ms", "7", "long");
    var answer = peer.ask(read);
    assertThat(answer.getCode()).isEqualTo(ResponseCode.UNAUTHORIZED);
    Option echo =
        Objects.requireNonNull(answer.getOptions().getOtherOption(StandardOptionRegistry.ECHO));

    var again = peer.request(CoAP.Code.GET, Type.CON, "ms", "7", "long");
    again.getOptions().addOtherOption(echo);

    assertThat(peer.ask(again).getCode()).isEqualTo(ResponseCode.CONTENT);
    assertThat(asked.getLast().caller().verified()).isTrue();
    // What is no longer than three times the question needs nothing.
    assertThat(peer.ask(put(Type.CON, "temp")).getCode()).isEqualTo(ResponseCode.CHANGED);
  }

  @Test
  void aFaultIsAnsweredWithoutSayingWhich() throws IOException {
    var answer = peer.ask(put(Type.CON, "broken"));

    assertThat(answer.getCode()).isEqualTo(ResponseCode.INTERNAL_SERVER_ERROR);
    assertThat(text(answer)).doesNotContain("as if");
  }

  @Test
  void bothWaysAnswerTheSame() throws IOException {
    for (Type type : List.of(Type.CON, Type.NON)) {
      for (CoAP.Code code : List.of(CoAP.Code.GET, CoAP.Code.PUT, CoAP.Code.POST)) {
        for (String path : List.of("temp", "taken", "broken")) {
          for (int variant = 0; variant < 4; variant++) {
            var brief = ask(code, type, path, variant, false);
            var full = ask(code, type, path, variant, true);

            assertThat(brief.getType()).isEqualTo(full.getType());
            assertThat(brief.getCode()).isEqualTo(full.getCode());
            assertThat(brief.getOptions().asSortedList())
                .isEqualTo(full.getOptions().asSortedList());
            assertThat(brief.getPayload()).isEqualTo(full.getPayload());
            Request first = asked.get(asked.size() - 2);
            assertThat(asked.getLast())
                .usingRecursiveComparison()
                .ignoringFields("payload")
                .isEqualTo(first);
          }
        }
      }
    }
  }

  /**
   * @param withPort names the port that it goes to, which only the long way reads
   */
  private org.eclipse.californium.core.coap.Response ask(
      CoAP.Code code, Type type, String path, int variant, boolean withPort) throws IOException {
    var request = peer.request(code, type, "ms", "7", path);
    if (withPort) {
      request.getOptions().setUriPort(front.sockets().getFirst().getPort());
    }
    if ((variant & 1) != 0) {
      request.getOptions().setAccept(ContentFormat.TEXT.number());
    }
    if ((variant & 2) != 0) {
      request.getOptions().addETag(new EntityTag(5, ContentFormat.TEXT).octets());
    }
    return peer.ask(request);
  }
}
