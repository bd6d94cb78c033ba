package dev.vigil.directory.coap;

import static dev.vigil.directory.coap.UdpPeer.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Site;
import dev.vigil.directory.exchange.Topics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.californium.core.CoapClient;
import org.eclipse.californium.core.CoapResponse;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.CoAP.Code;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Message;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CoapFrontTest {
  private final ChangingValue value = new ChangingValue();
  private final List<CompletableFuture<Response>> slow =
      Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Resource> resources = new HashMap<>();
  private CoapFront front;
  private UdpPeer peer;

  @BeforeEach
  void open() throws IOException {
    resources.put("/value", value);
    resources.put("/long", this::longText);
    resources.put("/who", CoapFrontTest::who);
    resources.put("/mirror/*", CoapFrontTest::sizeOf);
    resources.put(
        "/rd", r -> CompletableFuture.completedFuture(Response.created(List.of("rd", "7 a/b"))));
    resources.put(
        "/slow",
        r -> {
          CompletableFuture<Response> answer = new CompletableFuture<>();
          slow.add(answer);
          return answer;
        });
    start(true);
  }

  private void start(boolean trusted) throws IOException {
    front = value.serve(resources, trusted, 100);
    peer = new UdpPeer(front.sockets().getFirst());
  }

  @AfterEach
  void close() {
    peer.close();
    front.close();
  }

  private CompletableFuture<Response> longText(Request request) {
    return CompletableFuture.completedFuture(
        Response.content(ContentFormat.TEXT, (value.number() + "....").repeat(1000)));
  }

  private static CompletableFuture<Response> who(Request request) {
    return CompletableFuture.completedFuture(
        Response.content(
            ContentFormat.TEXT, request.base() + " " + request.query().parameters().size()));
  }

  private static CompletableFuture<Response> sizeOf(Request request) {
    return CompletableFuture.completedFuture(
        Response.content(
            ContentFormat.TEXT,
            request.path().getLast() + " " + request.payload().length + " " + request.format()));
  }

  private String uri(String path) {
    return front.addresses().getFirst() + path;
  }

  @Test
  void answersWithFormatTagAndAge() throws IOException {
    var answer = peer.ask(peer.request(Code.GET, Type.CON, "value"));

    assertThat(answer.getCode()).isEqualTo(ResponseCode.CONTENT);
    assertThat(answer.getType()).isEqualTo(Type.ACK);
    assertThat(text(answer)).isEqualTo("value 1");
    assertThat(answer.getOptions().getContentFormat()).isZero();
    assertThat(answer.getOptions().getMaxAge()).isEqualTo(30);
    assertThat(answer.getOptions().getETags()).containsExactly(new byte[] {0, 1});
  }

  @Test
  void confirmsAKnownTagWithoutRepeatingThePayload() throws IOException {
    var request = peer.request(Code.GET, Type.CON, "value");
    request.getOptions().addETag(new byte[] {9}).addETag(new byte[] {0, 1});

    var answer = peer.ask(request);

    assertThat(answer.getCode()).isEqualTo(ResponseCode.VALID);
    assertThat(answer.getPayload()).isEmpty();
    assertThat(answer.getOptions().getETags()).containsExactly(new byte[] {0, 1});
    assertThat(answer.getOptions().getMaxAge()).isEqualTo(30);
  }

  @Test
  void tellsWhereWhatWasCreatedIs() throws IOException {
    var answer = peer.ask(peer.request(Code.POST, Type.CON, "rd"));

    assertThat(answer.getCode()).isEqualTo(ResponseCode.CREATED);
    assertThat(answer.getOptions().getLocationPath()).containsExactly("rd", "7 a/b");
  }

  @Test
  void refusesWhatItDoesNotKnow() throws IOException {
    var format = peer.request(Code.PUT, Type.CON, "mirror", "a");
    format.getOptions().setContentFormat(9999);
    format.setPayload("x");
    assertThat(peer.ask(format).getCode()).isEqualTo(ResponseCode.UNSUPPORTED_CONTENT_FORMAT);

    var accept = peer.request(Code.GET, Type.CON, "value");
    accept.getOptions().setAccept(9999);
    assertThat(peer.ask(accept).getCode()).isEqualTo(ResponseCode.NOT_ACCEPTABLE);

    var ifMatch = peer.request(Code.GET, Type.CON, "value");
    ifMatch.getOptions().addIfMatch(new byte[] {1});
    assertThat(peer.ask(ifMatch).getCode()).isEqualTo(ResponseCode.BAD_OPTION);

    var qBlock = peer.request(Code.GET, Type.CON, "value");
    qBlock.getOptions().addOtherOption(new Option(StandardOptionRegistry.Q_BLOCK_1, 0));
    assertThat(peer.ask(qBlock).getCode()).isEqualTo(ResponseCode.BAD_OPTION);

    var patch = peer.request(Code.PATCH, Type.CON, "value");
    assertThat(peer.ask(patch).getCode()).isEqualTo(ResponseCode.METHOD_NOT_ALLOWED);

    var nothing = peer.ask(peer.request(Code.GET, Type.CON, "nowhere"));
    assertThat(nothing.getCode()).isEqualTo(ResponseCode.NOT_FOUND);
    assertThat(text(nothing)).isEqualTo("nothing is at /nowhere");
    assertThat(nothing.getOptions().hasContentFormat()).isFalse();
  }

  @Test
  void refusesAnUnnamedCriticalOptionAndIgnoresAnElectiveOne() throws IOException {
    // Option 65001 is critical, 65000 is not (RFC 7252 section 5.4.6); delta 65000 - 11 after
    // Uri-Path "who".
    byte[] critical = {
      0x40, 0x01, 0x70, 0x01, (byte) 0xb3, 'w', 'h', 'o', (byte) 0xe0, (byte) 0xfc, (byte) 0xd1
    };
    assertThat((critical[9] & 0xff) * 256 + (critical[10] & 0xff) + 269 + 11).isEqualTo(65001);
    peer.sendBytes(critical);
    assertThat(((org.eclipse.californium.core.coap.Response) peer.receive()).getCode())
        .isEqualTo(ResponseCode.BAD_OPTION);

    byte[] elective = critical.clone();
    elective[3] = 2;
    elective[10] = (byte) 0xd0;
    peer.sendBytes(elective);
    assertThat(((org.eclipse.californium.core.coap.Response) peer.receive()).getCode())
        .isEqualTo(ResponseCode.CONTENT);
  }

  @Test
  void refusesAMalformedQueryOrPath() throws IOException {
    byte[] notUtf8 = {
      0x40, 0x01, 0x71, 0x01, (byte) 0xb3, 'w', 'h', 'o', 0x42, (byte) 0xc3, (byte) 0x28
    };
    peer.sendBytes(notUtf8);
    assertThat(((org.eclipse.californium.core.coap.Response) peer.receive()).getCode())
        .isEqualTo(ResponseCode.BAD_REQUEST);

    var nameless = peer.request(Code.GET, Type.CON, "who");
    nameless.getOptions().addUriQuery("=x");
    assertThat(peer.ask(nameless).getCode()).isEqualTo(ResponseCode.BAD_REQUEST);

    var dots = peer.request(Code.GET, Type.CON, "mirror", "..");
    assertThat(peer.ask(dots).getCode()).isEqualTo(ResponseCode.BAD_REQUEST);
  }

  @Test
  void tellsResourcesHowTheClientReachedThem() throws IOException {
    int port = front.sockets().getFirst().getPort();
    assertThat(text(peer.ask(peer.request(Code.GET, Type.CON, "who"))))
        .isEqualTo("coap://127.0.0.1:" + port + " 0");

    var named = peer.request(Code.GET, Type.CON, "who");
    named.getOptions().setUriHost("gw.example").setUriPort(5683).addUriQuery("a=1");
    assertThat(text(peer.ask(named))).isEqualTo("coap://gw.example 1");
  }

  @Test
  void acknowledgesFirstWhenTheAnswerTakesLong() throws IOException {
    peer.send(peer.request(Code.GET, Type.CON, "slow"));

    Message ack = peer.receive();
    assertThat(ack.getType()).isEqualTo(Type.ACK);
    assertThat(ack.getRawCode()).isZero();

    slow.getFirst().complete(Response.content(ContentFormat.TEXT, "at last"));
    Message answer = peer.receive();
    assertThat(answer.getType()).isEqualTo(Type.CON);
    assertThat(text(answer)).isEqualTo("at last");
    peer.acknowledge(answer);
  }

  @Test
  void noThreadWaitsForAnswersThatTakeLong() throws IOException {
    for (int i = 0; i < 20; i++) {
      peer.send(peer.request(Code.GET, Type.NON, "slow"));
    }
    assertThat(text(peer.ask(peer.request(Code.GET, Type.NON, "value")))).isEqualTo("value 1");
  }

  @Test
  void keepsQuietWhereNoResponseIsWanted() throws IOException {
    var unconfirmed = peer.request(Code.PUT, Type.NON, "mirror", "a");
    unconfirmed.getOptions().setNoResponse(26);
    peer.send(unconfirmed);
    assertThat(peer.isSilentUntilPing()).isTrue();

    var confirmable = peer.request(Code.PUT, Type.CON, "mirror", "a");
    confirmable.getOptions().setNoResponse(2);
    peer.send(confirmable);
    Message ack = peer.receive();
    assertThat(ack.getType()).isEqualTo(Type.ACK);
    assertThat(ack.getRawCode()).isZero();
    assertThat(peer.isSilentUntilPing()).isTrue();

    var onlyErrors = peer.request(Code.PUT, Type.NON, "nowhere");
    onlyErrors.getOptions().setNoResponse(2);
    assertThat(peer.ask(onlyErrors).getCode()).isEqualTo(ResponseCode.NOT_FOUND);
  }

  @Test
  void takesBodiesInBlocksUpToTheLimit() throws Exception {
    CoapClient client = new CoapClient(uri("/mirror/big"));
    CoapResponse fits = client.put(new byte[65_536], 0);
    assertThat(fits.getResponseText()).isEqualTo("big 65536 TEXT");

    CoapResponse beyond = client.put(new byte[65_537], 0);
    assertThat(beyond.getCode()).isEqualTo(ResponseCode.REQUEST_ENTITY_TOO_LARGE);
    client.shutdown();
  }

  @Test
  void oneTransferInBlocksSeesOneState() throws IOException {
    var first = peer.request(Code.GET, Type.CON, "long");
    var answer = peer.ask(first);
    StringBuilder body = new StringBuilder(text(answer));
    byte[] tag = answer.getOptions().getETags().getFirst();
    value.changeTo(2);
    while (answer.getOptions().getBlock2().isM()) {
      BlockOption block = answer.getOptions().getBlock2();
      var next = peer.request(Code.GET, Type.CON, "long");
      next.getOptions().setBlock2(block.getSzx(), false, block.getNum() + 1);
      answer = peer.ask(next);
      assertThat(answer.getOptions().getETags()).containsExactly(tag);
      body.append(text(answer));
    }
    assertThat(body.toString()).isEqualTo("1....".repeat(1000));
  }

  @Test
  void challengesAStrangerBeforeItSaysMuch() throws IOException {
    close();
    start(false);
    var request = peer.request(Code.GET, Type.NON, "long");
    var challenge = peer.ask(request);
    assertThat(challenge.getCode()).isEqualTo(ResponseCode.UNAUTHORIZED);
    assertThat(challenge.getPayload().length).isLessThan(50);
    Option echo = challenge.getOptions().getOtherOption(StandardOptionRegistry.ECHO);

    var repeated = peer.request(Code.GET, Type.NON, "long");
    repeated.getOptions().addOtherOption(echo);
    assertThat(peer.ask(repeated).getCode()).isEqualTo(ResponseCode.CONTENT);

    try (UdpPeer other = new UdpPeer(front.sockets().getFirst())) {
      var stolen = other.request(Code.GET, Type.NON, "long");
      stolen.getOptions().addOtherOption(echo);
      assertThat(other.ask(stolen).getCode()).isEqualTo(ResponseCode.UNAUTHORIZED);
    }
    assertThat(peer.ask(peer.request(Code.GET, Type.NON, "value")).getCode())
        .isEqualTo(ResponseCode.CONTENT);
  }

  @Test
  void strangersLeaveHalfOfAllObservationsToThoseWhoShowTheirAddress() throws IOException {
    close();
    start(false);
    for (int i = 0; i < 50; i++) {
      assertThat(peer.ask(peer.observe(Type.CON, "value")).getOptions().hasObserve()).isTrue();
    }
    var challenge = peer.ask(peer.observe(Type.CON, "value"));
    assertThat(challenge.getCode()).isEqualTo(ResponseCode.UNAUTHORIZED);
    var proven = peer.observe(Type.CON, "value");
    proven.getOptions().addOtherOption(echo(challenge));
    assertThat(peer.ask(proven).getOptions().hasObserve()).isTrue();
  }

  private static Option echo(Message challenge) {
    return challenge.getOptions().getOtherOption(StandardOptionRegistry.ECHO);
  }

  @Test
  void strangersLeaveRoomForBodiesInBlocksToThoseWhoShowTheirAddress() throws IOException {
    close();
    start(false);
    for (int i = 0; i < 25; i++) {
      assertThat(peer.ask(firstBlock("body-" + i)).getCode()).isEqualTo(ResponseCode.CONTINUE);
    }
    var challenge = peer.ask(firstBlock("body"));
    assertThat(challenge.getCode()).isEqualTo(ResponseCode.UNAUTHORIZED);
    var proven = firstBlock("body");
    proven.getOptions().addOtherOption(echo(challenge));
    assertThat(peer.ask(proven).getCode()).isEqualTo(ResponseCode.CONTINUE);
    var last = peer.request(Code.PUT, Type.CON, "mirror", "body");
    last.getOptions().setBlock1(BlockOption.size2Szx(64), false, 1);
    last.setPayload(new byte[10]);
    assertThat(text(peer.ask(last))).startsWith("body 74 ");
  }

  private org.eclipse.californium.core.coap.Request firstBlock(String name) {
    var request = peer.request(Code.PUT, Type.CON, "mirror", name);
    request.getOptions().setBlock1(BlockOption.size2Szx(64), true, 0);
    request.setPayload(new byte[64]);
    return request;
  }

  @Test
  void aSourceThatOneAddressVouchesForIsAStrangerAtAnother() throws IOException {
    AtomicReference<InetSocketAddress> vouching = new AtomicReference<>();
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    CoapSettings settings =
        new CoapSettings(
            List.of(loopback, loopback),
            (at, source) -> at.equals(vouching.get()),
            CoapSettings.Limits.standard(),
            CoapSettings.Multicast.NONE);
    Map<String, Resource> verified =
        Map.of("/ms/*", CoapFrontTest::isVerified, "/other", CoapFrontTest::isVerified);
    try (CoapFront two =
            CoapFront.open(
                new Site(verified),
                new Topics(),
                settings,
                List.of(),
                Clock.systemUTC(),
                new SecureRandom());
        UdpPeer known = new UdpPeer(two.sockets().getFirst());
        UdpPeer stranger = new UdpPeer(two.sockets().getLast())) {
      vouching.set(two.sockets().getFirst());
      for (String[] path : List.of(new String[] {"ms", "7", "a"}, new String[] {"other"})) {
        assertThat(text(known.ask(known.request(Code.GET, Type.CON, path)))).isEqualTo("true");
        assertThat(text(stranger.ask(stranger.request(Code.GET, Type.CON, path))))
            .isEqualTo("false");
      }
    }
  }

  private static CompletableFuture<Response> isVerified(Request request) {
    return CompletableFuture.completedFuture(
        Response.content(ContentFormat.TEXT, Boolean.toString(request.caller().verified())));
  }

  @Test
  void saysWhichAddressItCouldNotHave() {
    InetSocketAddress taken = front.sockets().getFirst();
    assertThatThrownBy(
            () ->
                CoapFront.open(
                    new Site(resources),
                    new Topics(),
                    new CoapSettings(List.of(taken), a -> true, CoapSettings.Limits.standard()),
                    List.of(),
                    Clock.systemUTC(),
                    new SecureRandom()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("coap://127.0.0.1:" + taken.getPort())
        .hasMessageContaining("vigil.coap.addresses");
  }
}
