package dev.vigil.coap.server;

import static dev.vigil.coap.server.UdpPeer.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.californium.core.coap.CoAP.Code;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Message;
import org.eclipse.californium.core.coap.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Silent observers, and observers of a server that is short of memory. */
class ObserverPlacesTest {
  private static final int PLACES = 8;

  private final ObservableValue value = new ObservableValue();
  private final AtomicBoolean memoryIsScarce = new AtomicBoolean();
  private volatile Instant now = Instant.parse("2026-11-22T12:00:00Z");
  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return now;
        }

        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }
      };
  private CoapServer server;
  private UdpPeer peer;

  @BeforeEach
  void open() throws IOException {
    server =
        value.serve(
            List.of(Route.of("/value", value), Route.of("/fast/*", value).withFastPath()),
            true,
            PLACES,
            memoryIsScarce::get,
            clock);
    peer = new UdpPeer(server.sockets().getFirst());
  }

  @AfterEach
  void close() {
    peer.close();
    server.close();
  }

  private void forward(Duration duration) {
    now = now.plus(duration);
    server.sweep();
  }

  private static Response observe(UdpPeer from) throws IOException {
    return from.exchange(from.observe(Type.CON, "value"));
  }

  @Test
  void asksAnObserverOnceADayWhetherItIsStillThere() throws IOException {
    observe(peer);
    forward(Duration.ofHours(22));
    assertThat(peer.receivesNothingUntilPing()).isTrue();
    forward(Duration.ofHours(1));
    var probe = (Response) peer.receive();
    assertThat(probe.getType()).isEqualTo(Type.CON);
    assertThat(probe.getOptions().hasObserve()).isTrue();
    assertThat(text(probe)).isEqualTo("value 1");
    peer.acknowledge(probe);

    value.changeTo(2);
    var changed = (Response) peer.receive();
    assertThat(text(changed)).as("still an observer").isEqualTo("value 2");
    assertThat(changed.getType()).isEqualTo(Type.NON);
  }

  @Test
  void anObserverThatDoesNotAcknowledgeLeaves() throws IOException {
    close();
    value.ackTimeout = Duration.ofMillis(100);
    open();
    observe(peer);
    forward(Duration.ofHours(23));
    // The probe and its two repetitions.
    for (int i = 0; i < 3; i++) {
      assertThat(peer.receive(30_000).getType()).isEqualTo(Type.CON);
    }
    assertThat(peer.receivesNothingFor(1_000)).isTrue();
    value.changeTo(2);
    assertThat(peer.receivesNothingUntilPing()).isTrue();
  }

  @Test
  void asksSilentObserversSoonerWhenPlacesAreScarce() throws IOException {
    for (int i = 0; i < 3; i++) {
      observe(peer);
    }
    forward(Duration.ofMinutes(5));
    assertThat(peer.receivesNothingUntilPing()).isTrue();
    observe(peer);
    observe(peer);
    forward(Duration.ofMinutes(4));
    assertThat(peer.receive(30_000).getType()).isEqualTo(Type.CON);
  }

  @Test
  void anAddressThatHasItsShareIsAnsweredWithoutAnObservation() throws IOException {
    int places = PLACES - PLACES / 4; // the rest is reserved for authenticated clients
    for (int i = 0; i < places; i++) {
      assertThat(observe(peer).getOptions().hasObserve()).isTrue();
    }
    Response answered = observe(peer);
    assertThat(text(answered)).isEqualTo("value 1");
    assertThat(answered.getOptions().hasObserve()).isFalse();
    assertThat(peer.receivesNothingUntilPing()).as("its own ones stay").isTrue();

    try (UdpPeer other =
        new UdpPeer(server.sockets().getFirst(), InetAddress.getByName("127.0.0.2"))) {
      assertThat(observe(other).getOptions().hasObserve()).isTrue();
      var displaced = (Response) peer.receive();
      assertThat(displaced.getCode()).isEqualTo(ResponseCode.SERVICE_UNAVAILABLE);
    }
  }

  /** RFC 7967: 2 suppresses success, 8 and 16 suppress errors. */
  @ParameterizedTest
  @ValueSource(ints = {2, 8, 16, 26})
  void aClientThatWantsNoResponseDoesNotObserve(int suppressed) throws IOException {
    for (int i = 0; i < 2 * PLACES; i++) {
      var request = peer.observe(Type.CON, "value");
      request.getOptions().setNoResponse(suppressed);
      peer.send(request);
      Message answer = peer.receive();
      assertThat(answer.getType()).isEqualTo(Type.ACK);
      assertThat(answer.getOptions().hasObserve()).isFalse();
    }
    assertThat(server.statistics().observations()).isZero();
    try (UdpPeer other =
        new UdpPeer(server.sockets().getFirst(), InetAddress.getByName("127.0.0.2"))) {
      for (int i = 0; i < PLACES - PLACES / 4; i++) {
        assertThat(observe(other).getOptions().hasObserve()).isTrue();
      }
      value.changeTo(2);
      assertThat(text(other.receive())).isEqualTo("value 2");
      assertThat(peer.receivesNothingUntilPing()).isTrue();
    }
  }

  @Test
  void shedsStrangersWhileMemoryIsScarce() throws IOException {
    observe(peer);
    observe(peer);
    try (UdpPeer other =
        new UdpPeer(server.sockets().getFirst(), InetAddress.getByName("127.0.0.2"))) {
      observe(other);
      memoryIsScarce.set(true);
      server.sweep();
      var dropped = (Response) peer.receive();
      assertThat(dropped.getCode()).isEqualTo(ResponseCode.SERVICE_UNAVAILABLE);
      peer.acknowledge(dropped);

      var refused = observe(other);
      assertThat(refused.getCode()).isEqualTo(ResponseCode.SERVICE_UNAVAILABLE);
      assertThat(refused.getOptions().getMaxAge()).isEqualTo(60);
      assertThat(other.exchange(other.request(Code.GET, Type.CON, "fast", "x")).getCode())
          .as("small answers")
          .isEqualTo(ResponseCode.CONTENT);
      memoryIsScarce.set(false);
      assertThat(observe(other).getOptions().hasObserve()).isTrue();
    }
  }
}
