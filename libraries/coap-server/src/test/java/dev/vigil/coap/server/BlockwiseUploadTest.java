package dev.vigil.coap.server;

import static dev.vigil.coap.server.UdpPeer.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.blockwise.BlockwiseUpload;
import dev.vigil.coap.blockwise.BlockwiseUploads;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.CoAP.Code;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.core.network.stack.KeyUri;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BlockwiseUploadTest {
  private static final int BLOCK = 64;

  /**
   * Upload places of the server; 75 for unauthenticated clients, 25 of these for unverified
   * addresses.
   */
  private static final int PLACES = 100;

  private CoapServer server;
  private UdpPeer peer;

  @BeforeEach
  void open() throws IOException {
    start(true);
  }

  private void start(boolean trusted) throws IOException {
    server =
        new ObservableValue()
            .serve(List.of(Route.of("/upload/*", BlockwiseUploadTest::uploaded)), trusted, PLACES);
    peer = new UdpPeer(server.sockets().getFirst());
  }

  @AfterEach
  void close() {
    peer.close();
    server.close();
  }

  private static CompletableFuture<Response> uploaded(Request request) {
    return CompletableFuture.completedFuture(
        Response.content(
            ContentFormat.TEXT,
            request.path().getLast()
                + " "
                + new String(request.payload(), StandardCharsets.UTF_8).replaceAll("(.)\\1+", "$1")
                + " "
                + request.payload().length));
  }

  private UdpPeer peerAt(String address) throws IOException {
    return new UdpPeer(server.sockets().getFirst(), InetAddress.getByName(address));
  }

  private static org.eclipse.californium.core.coap.Request block(
      UdpPeer from, String name, int number, boolean more, String content) {
    var request = from.request(Code.PUT, Type.CON, "upload", name);
    request.getOptions().setBlock1(BlockOption.size2Szx(BLOCK), more, number);
    request.setPayload(content);
    return request;
  }

  private static String full(String letter) {
    return letter.repeat(BLOCK);
  }

  private static ResponseCode begin(UdpPeer from, String name) throws IOException {
    return from.exchange(block(from, name, 0, true, full("a"))).getCode();
  }

  @Test
  void assemblesTheBlocksAndConfirmsEach() throws IOException {
    var first = peer.exchange(block(peer, "x", 0, true, full("a")));
    assertThat(first.getCode()).isEqualTo(ResponseCode.CONTINUE);
    assertThat(first.getOptions().getBlock1().getNum()).isZero();
    assertThat(first.getOptions().getBlock1().isM()).isTrue();
    assertThat(begin(peer, "y")).isEqualTo(ResponseCode.CONTINUE);
    peer.exchange(block(peer, "x", 1, true, full("b")));
    var last = peer.exchange(block(peer, "x", 2, false, "cc"));

    assertThat(text(last)).isEqualTo("x abc 130");
    assertThat(last.getOptions().getBlock1().getNum()).isEqualTo(2);
    assertThat(last.getOptions().getBlock1().isM()).isFalse();
    assertThat(text(peer.exchange(block(peer, "y", 1, false, "d")))).isEqualTo("y ad 65");
    assertThat(text(peer.exchange(block(peer, "z", 0, false, "e")))).isEqualTo("z e 1");
  }

  /** RFC 7252 section 4.2: the acknowledgement, and with it the response, may have been lost. */
  @Test
  void answersARepeatedBlockAgain() throws IOException {
    begin(peer, "x");
    var last = block(peer, "x", 1, false, "b");
    var first = peer.exchange(last);
    var second = peer.exchange(last);

    assertThat(text(first)).isEqualTo("x ab 65");
    assertThat(second.getMID()).isEqualTo(first.getMID());
    assertThat(text(second)).isEqualTo("x ab 65");
  }

  @Test
  void startsAgainWithBlockZero() throws IOException {
    begin(peer, "x");
    peer.exchange(block(peer, "x", 1, true, full("b")));
    peer.exchange(block(peer, "x", 0, true, full("c")));
    assertThat(text(peer.exchange(block(peer, "x", 1, false, "d")))).isEqualTo("x cd 65");
  }

  @Test
  void refusesMissingBlocksAndBlocksOfAWrongSize() throws IOException {
    assertThat(peer.exchange(block(peer, "x", 1, true, full("b"))).getCode())
        .isEqualTo(ResponseCode.REQUEST_ENTITY_INCOMPLETE);
    begin(peer, "x");
    assertThat(peer.exchange(block(peer, "x", 2, true, full("b"))).getCode())
        .isEqualTo(ResponseCode.REQUEST_ENTITY_INCOMPLETE);
    assertThat(peer.exchange(block(peer, "x", 0, true, "short")).getCode())
        .isEqualTo(ResponseCode.BAD_REQUEST);
    begin(peer, "x");
    var otherFormat = block(peer, "x", 1, false, "b");
    otherFormat.getOptions().setContentFormat(0);
    assertThat(peer.exchange(otherFormat).getCode())
        .isEqualTo(ResponseCode.REQUEST_ENTITY_INCOMPLETE);
  }

  @Test
  void namesTheLargestSizeToAClientThatAnnouncesMore() throws IOException {
    var first = block(peer, "x", 0, true, full("a"));
    first.getOptions().setSize1(65_537);
    var response = peer.exchange(first);
    assertThat(response.getCode()).isEqualTo(ResponseCode.REQUEST_ENTITY_TOO_LARGE);
    assertThat(response.getOptions().getSize1()).isEqualTo(65_536);
  }

  @Test
  void keepsUploadsWithDifferentRequestTagsApart() throws IOException {
    for (byte tag = 1; tag <= 2; tag++) {
      peer.exchange(tagged(tag, block(peer, "x", 0, true, full("a" + tag).substring(BLOCK))));
    }
    assertThat(text(peer.exchange(tagged((byte) 1, block(peer, "x", 1, false, "c")))))
        .startsWith("x a1");
    assertThat(text(peer.exchange(tagged((byte) 2, block(peer, "x", 1, false, "c")))))
        .startsWith("x a2");
  }

  private static org.eclipse.californium.core.coap.Request tagged(
      byte tag, org.eclipse.californium.core.coap.Request request) {
    request
        .getOptions()
        .addOtherOption(new Option(StandardOptionRegistry.REQUEST_TAG, new byte[] {tag}));
    return request;
  }

  @Test
  void oneSourceLeavesUploadsToOthers() throws IOException {
    try (UdpPeer other = peerAt("127.0.0.2")) {
      begin(other, "honest");
      for (int i = 0; i < 3 * PLACES; i++) {
        assertThat(begin(peer, "flood-" + i)).isEqualTo(ResponseCode.CONTINUE);
      }
      assertThat(text(other.exchange(block(other, "honest", 1, false, "b"))))
          .isEqualTo("honest ab 65");
      for (int i = 0; i < PLACES / 3; i++) {
        assertThat(begin(other, "later-" + i)).isEqualTo(ResponseCode.CONTINUE);
      }
      assertThat(text(other.exchange(block(other, "later-0", 1, false, "b"))))
          .isEqualTo("later-0 ab 65");
    }
    // The flood's own oldest upload has given way.
    assertThat(peer.exchange(block(peer, "flood-0", 1, false, "b")).getCode())
        .isEqualTo(ResponseCode.REQUEST_ENTITY_INCOMPLETE);
  }

  @Test
  void anUploadThatContinuesOutlivesIdleOnesOfItsAddress() throws IOException {
    begin(peer, "honest");
    try (UdpPeer sameAddress = peerAt("127.0.0.1")) {
      for (int number = 1; number <= 5; number++) {
        for (int i = 0; i < PLACES / 2; i++) {
          begin(sameAddress, "flood-" + number + "-" + i);
        }
        assertThat(peer.exchange(block(peer, "honest", number, true, full("a"))).getCode())
            .isEqualTo(ResponseCode.CONTINUE);
      }
    }
    assertThat(text(peer.exchange(block(peer, "honest", 6, false, "b"))))
        .isEqualTo("honest ab 385");
  }

  @Test
  void unverifiedSourcesLeaveUploadsToVerifiedOnes() throws IOException {
    close();
    start(false);
    List<UdpPeer> forged = new ArrayList<>();
    try {
      for (int i = 0; i < PLACES / 4; i++) {
        forged.add(peerAt("127.0.1." + (i + 1)));
        assertThat(begin(forged.getLast(), "forged")).isEqualTo(ResponseCode.CONTINUE);
      }
      var challenge = peer.exchange(block(peer, "honest", 0, true, full("a")));
      assertThat(challenge.getCode()).isEqualTo(ResponseCode.UNAUTHORIZED);
      Option echo = challenge.getOptions().getOtherOption(StandardOptionRegistry.ECHO);
      var verified = block(peer, "honest", 0, true, full("a"));
      verified.getOptions().addOtherOption(echo);
      assertThat(peer.exchange(verified).getCode()).isEqualTo(ResponseCode.CONTINUE);
      assertThat(text(peer.exchange(block(peer, "honest", 1, false, "b"))))
          .isEqualTo("honest ab 65");
      assertThat(
              text(forged.getFirst().exchange(block(forged.getFirst(), "forged", 1, false, "b"))))
          .isEqualTo("forged ab 65");
    } finally {
      forged.forEach(UdpPeer::close);
    }
  }

  @Test
  void dropsUploadsAfterFiveMinutesOfSilenceAndWhenMemoryIsScarce() {
    AtomicLong nanos = new AtomicLong();
    AtomicBoolean memoryIsScarce = new AtomicBoolean();
    BlockwiseUploads uploads = new BlockwiseUploads(4, 1000, memoryIsScarce::get, nanos::get);
    InetSocketAddress client = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    Caller caller = Caller.anonymous(client, true);
    CoapEndpoint endpoint = CoapEndpoint.builder().build();
    BlockwiseUpload.Key key =
        BlockwiseUpload.Key.of(
            endpoint,
            new KeyUri("coap:/upload/x", client, Code.PUT),
            block(peer, "x", 0, true, full("a")));
    assertThat(uploads.add(key, block(peer, "x", 0, true, full("a")), caller)).isNull();

    nanos.addAndGet(Duration.ofSeconds(299).toNanos());
    uploads.sweep();
    assertThat(uploads.add(key, block(peer, "x", 1, true, full("b")), caller)).isNull();
    nanos.addAndGet(Duration.ofSeconds(301).toNanos());
    uploads.sweep();

    assertThatThrownBy(() -> uploads.add(key, block(peer, "x", 2, true, full("c")), caller))
        .isInstanceOf(ErrorResponseException.class)
        .hasMessageContaining("begin with block 0");

    assertThat(uploads.add(key, block(peer, "x", 0, true, full("a")), caller)).isNull();
    memoryIsScarce.set(true);
    uploads.sweep();
    assertThatThrownBy(() -> uploads.add(key, block(peer, "x", 1, true, full("b")), caller))
        .hasMessageContaining("begin with block 0");
    assertThatThrownBy(() -> uploads.add(key, block(peer, "x", 0, true, full("a")), caller))
        .hasMessageContaining("short of memory");
  }
}
