package dev.vigil.directory.coap;

import static dev.vigil.directory.coap.ChangingValue.saying;
import static dev.vigil.directory.coap.UdpPeer.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.EntityTag;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Response;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.californium.core.CoapClient;
import org.eclipse.californium.core.CoapResponse;
import org.eclipse.californium.core.coap.CoAP.Code;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Message;
import org.eclipse.californium.core.coap.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Observing (RFC 7641), from outside on a front. */
class ObservationTest {
  private static final int LIMIT_SECONDS = 30;

  private final ChangingValue value = new ChangingValue();

  /** Questions that a test answers itself, in the order they came. */
  private final BlockingQueue<CompletableFuture<Response>> slow = new LinkedBlockingQueue<>();

  private final Map<String, Resource> resources =
      Map.of(
          "/value", value,
          "/growing", this::growing,
          "/slow", this::slowly);
  private CoapFront front;
  private UdpPeer peer;

  @BeforeEach
  void open() throws IOException {
    open(true);
  }

  private void open(boolean trusted) throws IOException {
    front = value.serve(resources, trusted, 1000);
    peer = new UdpPeer(front.sockets().getFirst());
  }

  @AfterEach
  void close() {
    peer.close();
    front.close();
  }

  private CompletableFuture<Response> growing(Request request) {
    return CompletableFuture.completedFuture(
        Response.content(ContentFormat.TEXT, ".".repeat((int) value.number()))
            .observable(ChangingValue.TOPIC));
  }

  private CompletableFuture<Response> slowly(Request request) {
    CompletableFuture<Response> answer = new CompletableFuture<>();
    slow.add(answer);
    return answer;
  }

  private CompletableFuture<Response> nextQuestion() throws InterruptedException {
    CompletableFuture<Response> next = slow.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  @Test
  void notifiesInOrderAndAsksNowAndThenWhetherAnyoneListens() throws IOException {
    var request = peer.observe(Type.CON, "value");
    var answer = peer.ask(request);
    int number = answer.getOptions().getObserve();
    List<Integer> confirmables = new ArrayList<>();
    for (int i = 1; i <= 21; i++) {
      value.changeTo(100 + i);
      var notification = (org.eclipse.californium.core.coap.Response) peer.receive();
      assertThat(text(notification)).isEqualTo("value " + (100 + i));
      assertThat(notification.getToken()).isEqualTo(request.getToken());
      int next = notification.getOptions().getObserve();
      assertThat((next - number) & 0xffffff).isBetween(1, 1 << 23);
      number = next;
      if (notification.getType() == Type.CON) {
        confirmables.add(i);
        peer.acknowledge(notification);
      }
    }
    assertThat(confirmables).containsExactly(1, 10, 20);
  }

  @Test
  void saysNothingWhenTheAnswerIsStillTheSame() throws IOException {
    var request = peer.observe(Type.CON, "value");
    peer.ask(request);
    value.tellOfAChange();
    assertThat(peer.isSilentUntilPing()).isTrue();
  }

  @Test
  void aResetEndsAnObservation() throws IOException {
    var request = peer.observe(Type.CON, "value");
    peer.ask(request);
    value.changeTo(2);
    peer.reset(peer.receive());
    assertThat(peer.isSilentUntilPing()).isTrue();
    value.changeTo(3);
    assertThat(peer.hearsNothingFor(300)).isTrue();
  }

  @Test
  void theClientCanEndAnObservation() throws IOException {
    var request = peer.observe(Type.CON, "value");
    peer.ask(request);
    var cancel = peer.request(Code.GET, Type.CON, "value");
    cancel.setToken(request.getToken());
    cancel.setObserveCancel();
    var last = peer.ask(cancel);
    assertThat(last.getOptions().hasObserve()).isFalse();
    value.changeTo(2);
    assertThat(peer.hearsNothingFor(300)).isTrue();
  }

  @Test
  void anUnansweredConfirmableEndsAnObservation() throws IOException {
    var request = peer.observe(Type.CON, "value");
    peer.ask(request);
    value.changeTo(2);
    int mid = peer.receive().getMID();
    assertThat(peer.receive().getMID()).isEqualTo(mid);
    assertThat(peer.receive().getMID()).isEqualTo(mid);
    // ACK_TIMEOUT 100 ms, two retransmissions: given up after at most 100 x 1.5 x 7 ms.
    assertThat(peer.hearsNothingFor(1100)).isTrue();
    value.changeTo(3);
    assertThat(peer.hearsNothingFor(300)).isTrue();
  }

  @Test
  void californiumsClientObserves() throws Exception {
    CoapClient client = new CoapClient(front.addresses().getFirst() + "/value");
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<Void> third = new CompletableFuture<>();
    AtomicInteger count = new AtomicInteger();
    var relation =
        client.observeAndWait(
            new org.eclipse.californium.core.CoapHandler() {
              @Override
              public void onLoad(CoapResponse response) {
                seen.add(response.getResponseText());
                if (count.incrementAndGet() == 3) {
                  third.complete(null);
                } else {
                  value.changeTo(1 + count.get());
                }
              }

              @Override
              public void onError() {
                third.completeExceptionally(new AssertionError("observation failed"));
              }
            });
    third.get(5, java.util.concurrent.TimeUnit.SECONDS);
    assertThat(seen).containsExactly("value 1", "value 2", "value 3");
    relation.proactiveCancel();
    client.shutdown();
  }

  @Test
  void tellsAStrangersObservationNoMoreThanItsRequestIsWorth() throws IOException {
    close();
    open(false);
    var request = peer.observe(Type.CON, "growing");
    assertThat(peer.ask(request).getOptions().hasObserve()).isTrue();
    value.changeTo(500);
    var last = (org.eclipse.californium.core.coap.Response) peer.receive();
    assertThat(last.getCode()).isEqualTo(ResponseCode.UNAUTHORIZED);
    assertThat(last.getOptions().hasObserve()).isFalse();
    peer.acknowledge(last);
    value.changeTo(2);
    assertThat(peer.hearsNothingFor(300)).isTrue();
  }

  @Test
  void clientsThatAskTheSameAreToldOneAnswer() throws IOException {
    int observers = 100;
    for (int i = 0; i < observers; i++) {
      peer.ask(peer.observe(Type.NON, "value"));
    }
    int before = value.asked();
    value.changeTo(2);
    Map<Token, String> heard = new HashMap<>();
    while (heard.size() < observers) {
      Message notification = peer.receive();
      peer.acknowledge(notification);
      heard.put(notification.getToken(), text(notification));
    }
    assertThat(heard.values()).containsOnly("value 2");
    // Once more, where the last to join had its answer but was not in when the change came.
    assertThat(value.asked() - before).isBetween(1, 2);
  }

  @Test
  void eachIsToldInTheFormatThatItAskedFor() throws IOException {
    var plain = peer.observe(Type.NON, "value");
    var json = peer.observe(Type.NON, "value");
    json.getOptions().setAccept(ContentFormat.JSON.number());
    peer.ask(plain);
    peer.ask(json);
    value.changeTo(2);
    Map<Token, Integer> formats = new HashMap<>();
    for (int i = 0; i < 2; i++) {
      Message notification = peer.receive();
      formats.put(notification.getToken(), notification.getOptions().getContentFormat());
    }
    assertThat(formats)
        .containsEntry(plain.getToken(), ContentFormat.TEXT.number())
        .containsEntry(json.getToken(), ContentFormat.JSON.number());
  }

  @Test
  void whoHasTheNewStateAlreadyIsToldItsTagAlone() throws IOException {
    var request = peer.observe(Type.NON, "value");
    request.getOptions().addETag(new EntityTag(2, ContentFormat.TEXT).octets());
    peer.ask(request);
    peer.ask(peer.observe(Type.NON, "value"));
    value.changeTo(2);
    for (int i = 0; i < 2; i++) {
      var notification = (org.eclipse.californium.core.coap.Response) peer.receive();
      boolean knows = notification.getToken().equals(request.getToken());
      assertThat(notification.getCode())
          .isEqualTo(knows ? ResponseCode.VALID : ResponseCode.CONTENT);
      assertThat(text(notification)).isEqualTo(knows ? "" : "value 2");
    }
  }

  @Test
  void aLongNotificationBeginsABlockWiseTransfer() throws IOException {
    peer.ask(peer.observe(Type.NON, "growing"));
    value.changeTo(3000);
    Message first = peer.receive();
    assertThat(first.getOptions().getBlock2().isM()).isTrue();
    assertThat(first.getOptions().hasObserve()).isTrue();
    assertThat(first.getPayload()).hasSizeLessThan(3000);
  }

  @Test
  void aChangeWhileTheFirstAnswerIsMadeIsTold() throws Exception {
    peer.send(peer.observe(Type.NON, "slow"));
    nextQuestion().complete(saying(1));
    CompletableFuture<Response> first = nextQuestion();
    value.tellOfAChange();
    nextQuestion().complete(saying(2));
    assertThat(peer.isSilentUntilPing()).isTrue();
    first.complete(saying(1));
    assertThat(text(peer.receive())).isEqualTo("value 1");
    nextQuestion().complete(saying(2));
    assertThat(text(peer.receive())).isEqualTo("value 2");
  }

  @Test
  void anAnswerThatWasBegunBeforeTheFirstWasSentIsNotTold() throws Exception {
    peer.send(peer.observe(Type.NON, "slow"));
    nextQuestion().complete(saying(1));
    CompletableFuture<Response> first = nextQuestion();
    value.tellOfAChange();
    CompletableFuture<Response> older = nextQuestion();
    first.complete(saying(3));
    assertThat(text(peer.receive())).isEqualTo("value 3");
    older.complete(saying(2));
    nextQuestion().complete(saying(3));
    assertThat(peer.isSilentUntilPing()).isTrue();
  }

  @Test
  void nobodyHearsAnOlderStateAfterANewerOneWhoeverJoinsMeanwhile() throws Exception {
    int observers = 200;
    long states = 2000;
    Thread changing =
        Thread.startVirtualThread(
            () -> {
              for (long next = 2; next <= states; next++) {
                value.changeTo(next);
                Thread.yield();
              }
            });
    Map<Token, TreeMap<Integer, Long>> heard = new HashMap<>();
    Set<Token> arrived = new HashSet<>();
    for (int sent = 0; arrived.size() < observers; ) {
      if (sent < observers) {
        var request = peer.observe(Type.NON, "value");
        request.setToken(new byte[] {1, (byte) sent++});
        peer.send(request);
      }
      try {
        Message message = peer.receive(500);
        if (message.getType() == Type.CON) {
          peer.acknowledge(message);
        }
        long state = Long.parseLong(text(message).substring("value ".length()));
        heard
            .computeIfAbsent(message.getToken(), any -> new TreeMap<>())
            .put(message.getOptions().getObserve(), state);
        if (state >= states) {
          arrived.add(message.getToken());
        }
      } catch (SocketTimeoutException e) {
        // The socket's buffer was full, and nobody was to acknowledge what was lost.
        changing.join();
        value.changeTo(value.number() + 1);
      }
    }
    changing.join();
    assertThat(heard).hasSize(observers);
    for (TreeMap<Integer, Long> known : heard.values()) {
      assertThat(List.copyOf(known.values())).isSorted().doesNotHaveDuplicates();
    }
  }
}
