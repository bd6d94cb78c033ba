package dev.vigil.coap.server;

import static dev.vigil.coap.server.ObservableValue.response;
import static dev.vigil.coap.server.UdpPeer.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.EntityTag;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
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

/** Observe (RFC 7641), as a client sees it. */
class ObservationTest {
  private static final int TIMEOUT_SECONDS = 30;

  private final ObservableValue value = new ObservableValue();

  /** Responses that the test itself completes, in the order of their requests. */
  private final BlockingQueue<CompletableFuture<Response>> pending = new LinkedBlockingQueue<>();

  private final List<Route> routes =
      List.of(
          Route.of("/value", value),
          Route.of("/growing", this::growing),
          Route.of("/slow", this::pending));
  private CoapServer server;
  private UdpPeer peer;

  @BeforeEach
  void open() throws IOException {
    open(true);
  }

  private void open(boolean trusted) throws IOException {
    server = value.serve(routes, trusted, 1000);
    peer = new UdpPeer(server.sockets().getFirst());
  }

  @AfterEach
  void close() {
    peer.close();
    server.close();
  }

  private CompletableFuture<Response> growing(Request request) {
    return CompletableFuture.completedFuture(
        Response.content(ContentFormat.TEXT, ".".repeat((int) value.number()))
            .observable(ObservableValue.TOPIC));
  }

  private CompletableFuture<Response> pending(Request request) {
    CompletableFuture<Response> response = new CompletableFuture<>();
    pending.add(response);
    return response;
  }

  private CompletableFuture<Response> nextPending() throws InterruptedException {
    CompletableFuture<Response> next = pending.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  @Test
  void sendsEveryTenthNotificationConfirmably() throws IOException {
    var request = peer.observe(Type.CON, "value");
    var answer = peer.exchange(request);
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
  void aDuplicateIsAnsweredWithTheNewValueAndKeepsOnePlace() throws IOException {
    var request = peer.observe(Type.CON, "value");
    assertThat(text(peer.exchange(request))).isEqualTo("value 1");
    value.changeTo(2);
    peer.acknowledge(peer.receive());

    assertThat(text(peer.exchange(request))).isEqualTo("value 2");
    assertThat(server.statistics().observations()).isEqualTo(1);
    value.changeTo(3);
    assertThat(text(peer.receive())).isEqualTo("value 3");
    assertThat(peer.receivesNothingUntilPing()).isTrue();
  }

  @Test
  void spreadsTheConfirmableNotificationsOfManyObserversOverChanges() throws IOException {
    int observers = 20;
    for (int i = 0; i < observers; i++) {
      peer.exchange(peer.observe(Type.CON, "value"));
    }
    List<Integer> confirmables = new ArrayList<>();
    for (int change = 1; change <= 11; change++) {
      value.changeTo(100 + change);
      int confirmable = 0;
      for (int i = 0; i < observers; i++) {
        var notification = peer.receive();
        if (notification.getType() == Type.CON) {
          confirmable++;
          peer.acknowledge(notification);
        }
      }
      confirmables.add(confirmable);
    }
    assertThat(confirmables.getFirst()).isEqualTo(observers);
    assertThat(confirmables.subList(1, 11)).containsOnly(observers / 10);
  }

  @Test
  void sendsNoNotificationForTheSameResponse() throws IOException {
    var request = peer.observe(Type.CON, "value");
    peer.exchange(request);
    value.reportChange();
    assertThat(peer.receivesNothingUntilPing()).isTrue();
  }

  @Test
  void endsOnAReset() throws IOException {
    var request = peer.observe(Type.CON, "value");
    peer.exchange(request);
    value.changeTo(2);
    peer.reset(peer.receive());
    assertThat(peer.receivesNothingUntilPing()).isTrue();
    value.changeTo(3);
    assertThat(peer.receivesNothingFor(300)).isTrue();
  }

  @Test
  void endsOnCancellation() throws IOException {
    var request = peer.observe(Type.CON, "value");
    peer.exchange(request);
    var cancel = peer.request(Code.GET, Type.CON, "value");
    cancel.setToken(request.getToken());
    cancel.setObserveCancel();
    var last = peer.exchange(cancel);
    assertThat(last.getOptions().hasObserve()).isFalse();
    value.changeTo(2);
    assertThat(peer.receivesNothingFor(300)).isTrue();
  }

  @Test
  void endsOnAnUnacknowledgedNotification() throws IOException {
    close();
    value.ackTimeout = Duration.ofMillis(100);
    open();
    var request = peer.observe(Type.CON, "value");
    peer.exchange(request);
    value.changeTo(2);
    int mid = peer.receive().getMID();
    assertThat(peer.receive().getMID()).isEqualTo(mid);
    assertThat(peer.receive().getMID()).isEqualTo(mid);
    // ACK_TIMEOUT 100 ms, two retransmissions: given up after at most 100 x 1.5 x 7 ms.
    assertThat(peer.receivesNothingFor(1100)).isTrue();
    value.changeTo(3);
    assertThat(peer.receivesNothingFor(300)).isTrue();
  }

  @Test
  void servesCaliforniumsClient() throws Exception {
    CoapClient client = new CoapClient(server.addresses().getFirst() + "/value");
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
    third.get(30, java.util.concurrent.TimeUnit.SECONDS);
    assertThat(seen).containsExactly("value 1", "value 2", "value 3");
    relation.proactiveCancel();
    client.shutdown();
  }

  @Test
  void anUnverifiedClientIsNeverNotified() throws IOException {
    close();
    open(false);
    var response = peer.exchange(peer.observe(Type.CON, "growing"));
    assertThat(response.getCode()).isEqualTo(ResponseCode.UNAUTHORIZED);
    assertThat(response.getOptions().hasObserve()).isFalse();
    value.changeTo(500);
    assertThat(peer.receivesNothingFor(300)).isTrue();
  }

  @Test
  void answersEqualRequestsOnceForAllObservers() throws IOException {
    int observers = 100;
    for (int i = 0; i < observers; i++) {
      peer.exchange(peer.observe(Type.NON, "value"));
    }
    int before = value.requests();
    value.changeTo(2);
    Map<Token, String> received = new HashMap<>();
    while (received.size() < observers) {
      Message notification = peer.receive();
      peer.acknowledge(notification);
      received.put(notification.getToken(), text(notification));
    }
    assertThat(received.values()).containsOnly("value 2");
    // Two computations, if the change came between the last observer's first response and its
    // admission.
    assertThat(value.requests() - before).isBetween(1, 2);
  }

  @Test
  void notifiesEachObserverInItsFormat() throws IOException {
    var plain = peer.observe(Type.NON, "value");
    var json = peer.observe(Type.NON, "value");
    json.getOptions().setAccept(ContentFormat.JSON.number());
    peer.exchange(plain);
    peer.exchange(json);
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
  void notifiesAnObserverWithTheNewStateWithoutPayload() throws IOException {
    var request = peer.observe(Type.NON, "value");
    request.getOptions().addETag(new EntityTag(2, ContentFormat.TEXT).octets());
    peer.exchange(request);
    peer.exchange(peer.observe(Type.NON, "value"));
    value.changeTo(2);
    for (int i = 0; i < 2; i++) {
      var notification = (org.eclipse.californium.core.coap.Response) peer.receive();
      boolean hasNewState = notification.getToken().equals(request.getToken());
      assertThat(notification.getCode())
          .isEqualTo(hasNewState ? ResponseCode.VALID : ResponseCode.CONTENT);
      assertThat(text(notification)).isEqualTo(hasNewState ? "" : "value 2");
    }
  }

  @Test
  void sendsTheFirstBlockOfALongNotification() throws IOException {
    peer.exchange(peer.observe(Type.NON, "growing"));
    value.changeTo(3000);
    Message first = peer.receive();
    assertThat(first.getOptions().getBlock2().isM()).isTrue();
    assertThat(first.getOptions().hasObserve()).isTrue();
    assertThat(first.getPayload()).hasSizeLessThan(3000);
  }

  @Test
  void notifiesOfAChangeDuringTheFirstResponse() throws Exception {
    peer.send(peer.observe(Type.NON, "slow"));
    nextPending().complete(response(1));
    CompletableFuture<Response> first = nextPending();
    value.reportChange();
    nextPending().complete(response(2));
    assertThat(peer.receivesNothingUntilPing()).isTrue();
    first.complete(response(1));
    assertThat(text(peer.receive())).isEqualTo("value 1");
    nextPending().complete(response(2));
    assertThat(text(peer.receive())).isEqualTo("value 2");
  }

  @Test
  void omitsResponsesBegunBeforeTheFirstWasSent() throws Exception {
    peer.send(peer.observe(Type.NON, "slow"));
    nextPending().complete(response(1));
    CompletableFuture<Response> first = nextPending();
    value.reportChange();
    CompletableFuture<Response> older = nextPending();
    first.complete(response(3));
    assertThat(text(peer.receive())).isEqualTo("value 3");
    older.complete(response(2));
    nextPending().complete(response(3));
    assertThat(peer.receivesNothingUntilPing()).isTrue();
  }

  @Test
  void sendsNoOlderStateAfterANewerOne() throws Exception {
    close();
    value.ackTimeout = Duration.ofSeconds(1); // the socket's buffer may be full
    open();
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
    Map<Token, TreeMap<Integer, Long>> received = new HashMap<>();
    Set<Token> upToDate = new HashSet<>();
    for (int sent = 0; upToDate.size() < observers; ) {
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
        received
            .computeIfAbsent(message.getToken(), any -> new TreeMap<>())
            .put(message.getOptions().getObserve(), state);
        if (state >= states) {
          upToDate.add(message.getToken());
        }
      } catch (SocketTimeoutException e) {
        // The socket's buffer was full, and a lost non-confirmable message is not retransmitted.
        changing.join();
        value.changeTo(value.number() + 1);
      }
    }
    changing.join();
    assertThat(received).hasSize(observers);
    for (TreeMap<Integer, Long> bySequenceNumber : received.values()) {
      assertThat(List.copyOf(bySequenceNumber.values())).isSorted().doesNotHaveDuplicates();
    }
  }
}
