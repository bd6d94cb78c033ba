package dev.vigil.coap.server;

import static dev.vigil.coap.server.UdpPeer.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.californium.core.coap.CoAP.Code;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The IDs of notifications of which a client may still send a reset. */
class MessageIdReuseTest {
  /** IDs from 65 000 are for multicast (MULTICAST_BASE_MID). */
  private static final int IDS = 65_000;

  private final ObservableValue value = new ObservableValue();
  private final AtomicInteger other = new AtomicInteger();
  private CoapServer server;
  private UdpPeer peer;

  @BeforeEach
  void open() throws IOException {
    server =
        value.serve(
            List.of(
                Route.of("/value", value),
                Route.of("/other", this::answerOther),
                Route.of("/now", this::answerOther).withFastPath()),
            true,
            100);
    peer = new UdpPeer(server.sockets().getFirst());
  }

  @AfterEach
  void close() {
    peer.close();
    server.close();
  }

  private CompletableFuture<Response> answerOther(Request request) {
    return CompletableFuture.completedFuture(
        Response.content(ContentFormat.TEXT, "other " + other.get())
            .observable(ObservableValue.TOPIC));
  }

  private void changeOther() {
    other.incrementAndGet();
    value.reportChange();
  }

  private static int after(int id, int by) {
    return (id + by) % IDS;
  }

  /** Observes a path until a notification is non-confirmable; returns the ID of this one. */
  private int observe(String path, Runnable change) throws IOException {
    peer.exchange(peer.observe(Type.CON, path));
    change.run();
    Message first = peer.receive();
    assertThat(first.getType()).isEqualTo(Type.CON);
    peer.acknowledge(first);
    change.run();
    Message second = peer.receive();
    assertThat(second.getType()).isEqualTo(Type.NON);
    return second.getMID();
  }

  /** The ID of a non-confirmable response on the fast path. */
  private int nextId() throws IOException {
    Message response = peer.exchange(peer.request(Code.GET, Type.NON, "now"));
    assertThat(response.getType()).isEqualTo(Type.NON);
    return response.getMID();
  }

  @Test
  void noMessageTakesTheIdOfAnotherObservationsLatestNotification() throws IOException {
    int ofValue = observe("value", () -> value.changeTo(value.number() + 1));
    int ofOther = observe("other", this::changeOther);
    assertThat(ofOther).isEqualTo(after(ofValue, 2));
    int last = ofOther;
    while (after(last, 1) != ofValue) {
      assertThat(nextId()).isEqualTo(after(last, 1));
      last = after(last, 1);
    }
    changeOther();
    Message notification = peer.receive();
    assertThat(text(notification)).isEqualTo("other " + other.get());
    assertThat(notification.getMID()).isEqualTo(after(ofValue, 1));
    assertThat(nextId()).isEqualTo(after(ofOther, 1));
  }
}
