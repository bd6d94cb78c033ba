package dev.vigil.coap.fastpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.EntityTag;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.message.CaliforniumMessages;
import dev.vigil.coap.message.RenderedResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.MessageFormatException;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.OptionSet;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Token;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.eclipse.californium.core.network.serialization.UdpDataParser;
import org.eclipse.californium.core.network.serialization.UdpDataSerializer;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares the codec with its reference, Californium's parser and serializer. */
class SimpleRequestCodecTest {
  private static final int CASES = "1".equals(System.getenv("VIGIL_TEST_ALL")) ? 10_000 : 1_000;
  private static final InetSocketAddress PEER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000);
  private static final Caller CALLER = Caller.anonymous(PEER, true);
  private static final String BASE = "coap://localhost";
  private static final List<String> SEGMENTS = List.of("things", "x", "7", "temp", "ä€", "", "a.b");
  private static final List<String> PARAMETERS = List.of("ep=node-7", "lt=60", "x", "y=ö", "z=");

  private final Random random = new Random(7252);

  @Test
  void decodesForAChallengeWhateverOptionsARequestHas() {
    // NON POST, ID 0x1234, token ab, Observe 0, /ab, Block1 0/1/64, Echo 0102, option 2049, "hi".
    byte[] datagram =
        HexFormat.of()
            .parseHex("51021234ab" + "60" + "526162" + "d1030a" + "d2d40102" + "e005f8" + "ff6869");

    SimpleRequest request = Objects.requireNonNull(SimpleRequestCodec.decodeForChallenge(datagram));

    assertThat(SimpleRequestCodec.decode(datagram)).isNull();
    assertThat(request.confirmable()).isFalse();
    assertThat(request.method()).isEqualTo(Method.POST);
    assertThat(request.id()).isEqualTo(0x1234);
    assertThat(request.token()).containsExactly(0xab);
    assertThat(request.echo()).containsExactly(1, 2);
  }

  @Test
  void decodesNoResponseAndNothingMalformedForAChallenge() {
    // An ACK with 2.05, an empty message, a reserved option length, two Echo options.
    for (String octets : List.of("60450001", "40000001", "400100016f", "40010001d0ef00")) {
      byte[] datagram = HexFormat.of().parseHex(octets);
      assertThat(SimpleRequestCodec.decodeForChallenge(datagram)).as(octets).isNull();
    }
  }

  @Test
  void decodesARequestOctetByOctet() {
    // CON PUT, ID 0x1234, token ab, /ab/7, Content-Format 65100, Echo 0102, No-Response 2, "hi".
    byte[] datagram =
        HexFormat.of()
            .parseHex("41031234ab" + "b26162" + "0137" + "12fe4c" + "d2e30102" + "6102" + "ff6869");

    SimpleRequest request = Objects.requireNonNull(SimpleRequestCodec.decode(datagram));

    assertThat(request.confirmable()).isTrue();
    assertThat(request.id()).isEqualTo(0x1234);
    assertThat(request.token()).containsExactly(0xab);
    assertThat(request.path()).containsExactly("ab", "7");
    assertThat(request.format()).isEqualTo(ContentFormat.JOSE);
    assertThat(request.echo()).containsExactly(1, 2);
    assertThat(request.suppresses(Code.CHANGED)).isTrue();
    assertThat(request.suppresses(Code.CONFLICT)).isFalse();
    assertThat(request.payload()).asString(StandardCharsets.US_ASCII).isEqualTo("hi");
    assertThat(SimpleRequestCodec.encodeEmptyAck(request)).containsExactly(0x60, 0, 0x12, 0x34);
  }

  @Test
  void encodesAResponseOctetByOctet() {
    SimpleRequest request =
        Objects.requireNonNull(SimpleRequestCodec.decode(HexFormat.of().parseHex("41011234ab")));
    RenderedResponse response =
        new RenderedResponse(
            Code.CONTENT,
            new byte[] {5},
            ContentFormat.SENML_JSON,
            300,
            List.of(),
            "[]".getBytes(StandardCharsets.US_ASCII));

    assertThat(
            HexFormat.of()
                .formatHex(SimpleRequestCodec.encodeResponse(request, response, new byte[] {7}, 0)))
        .isEqualTo("61451234ab" + "4105" + "816e" + "22012c" + "d1e107" + "ff5b5d");
  }

  @Test
  void decodesRequestsLikeCalifornium() {
    int decoded = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] datagram = serialized(request(random));
      assertThat(SimpleRequestCodec.decode(datagram)).isNotNull();
      assertDecodesLikeCalifornium(datagram);
      byte[] damaged = damaged(datagram);
      assertDecodesLikeCalifornium(damaged);
      decoded += SimpleRequestCodec.decode(damaged) == null ? 0 : 1;
    }
    assertThat(decoded).isGreaterThan(CASES / 10);
  }

  @Test
  void decodesNoRequestThatNeedsMoreThanOneDatagram() {
    List<java.util.function.Consumer<OptionSet>> unsupported =
        List.of(
            o -> o.setObserve(0),
            o -> o.setObserve(1),
            o -> o.setBlock1(2, true, 0),
            o -> o.setBlock2(2, false, 0),
            o -> o.setSize1(1),
            o -> o.setSize2(0),
            o -> o.setUriHost("h"),
            o -> o.setUriPort(1),
            o -> o.setIfNoneMatch(true),
            o -> o.addIfMatch(new byte[] {1}),
            o -> o.setProxyUri("coap://h"),
            o -> o.setProxyScheme("coap"),
            o -> o.setContentFormat(9999),
            o -> o.setAccept(9999),
            o -> o.addUriPath(".."),
            o -> o.addUriQuery("=x"));
    for (var option : unsupported) {
      Request request = new Request(CoAP.Code.PUT, Type.CON);
      request.getOptions().addUriPath("things").addUriPath("7");
      option.accept(request.getOptions());
      request.setPayload("x");
      request.setMID(1);
      request.setToken(Token.EMPTY);

      assertThat(SimpleRequestCodec.decode(serialized(request)))
          .as("%s", request.getOptions())
          .isNull();
    }
  }

  @Test
  void encodesResponsesLikeCalifornium() {
    for (int i = 0; i < CASES; i++) {
      Request request = request(random);
      SimpleRequest decoded =
          Objects.requireNonNull(SimpleRequestCodec.decode(serialized(request)));
      Response response = response();
      byte[] echo = random.nextInt(4) == 0 ? octets(1 + random.nextInt(40)) : null;
      List<byte[]> known = request.getOptions().getETags();
      var expected = CaliforniumMessages.response(response, known);
      expected.setType(decoded.confirmable() ? Type.ACK : Type.NON);
      expected.setMID(decoded.confirmable() ? decoded.id() : 77);
      expected.setToken(request.getToken());
      if (echo != null) {
        expected.getOptions().addOtherOption(new Option(StandardOptionRegistry.ECHO, echo));
      }

      assertThat(
              SimpleRequestCodec.encodeResponse(
                  decoded, RenderedResponse.of(response, known), echo, 77))
          .isEqualTo(new UdpDataSerializer().getByteArray(expected));
    }
  }

  static void assertDecodesLikeCalifornium(byte[] datagram) {
    SimpleRequest decoded = SimpleRequestCodec.decode(datagram);
    if (decoded == null) {
      return;
    }
    Request message;
    try {
      message = (Request) new UdpDataParser().parseMessage(datagram);
    } catch (MessageFormatException e) {
      throw new AssertionError("decoded: " + HexFormat.of().formatHex(datagram), e);
    }
    message.setSourceContext(new AddressEndpointContext(PEER));
    var expected = CaliforniumMessages.request(message, CALLER, BASE);
    assertThat(decoded.request(CALLER, BASE))
        .usingRecursiveComparison()
        .as(HexFormat.of().formatHex(datagram))
        .isEqualTo(expected);
    OptionSet options = message.getOptions();
    assertThat(decoded.id()).isEqualTo(message.getMID());
    assertThat(decoded.token()).isEqualTo(message.getToken().getBytes());
    // Californium keeps a repeated tag once.
    assertThat(decoded.tags()).hasSameElementsAs(options.getETags());
    Option echo = options.getOtherOption(StandardOptionRegistry.ECHO);
    assertThat(decoded.echo()).isEqualTo(echo == null ? new byte[0] : echo.getValue());
    for (Code code : Code.values()) {
      assertThat(decoded.suppresses(code))
          .isEqualTo(
              options.hasNoResponse()
                  && options.getNoResponse().suppress(CoAP.ResponseCode.valueOf(code.octet())));
    }
    assertThat(options.hasObserve() || options.hasBlock1() || options.hasBlock2()).isFalse();
  }

  private static byte[] serialized(Request request) {
    request.setDestinationContext(new AddressEndpointContext(PEER));
    return new UdpDataSerializer().getByteArray(request);
  }

  /** A random request that the codec decodes. */
  private Request request(Random with) {
    CoAP.Code[] codes = {CoAP.Code.GET, CoAP.Code.POST, CoAP.Code.PUT, CoAP.Code.DELETE};
    Request request = new Request(codes[with.nextInt(4)], with.nextBoolean() ? Type.CON : Type.NON);
    request.setMID(with.nextInt(0x10000));
    request.setToken(new Token(octets(with.nextInt(9))));
    OptionSet options = request.getOptions();
    for (int i = with.nextInt(4); i > 0; i--) {
      options.addUriPath(SEGMENTS.get(with.nextInt(SEGMENTS.size())));
    }
    for (int i = with.nextInt(3); i > 0; i--) {
      options.addUriQuery(PARAMETERS.get(with.nextInt(PARAMETERS.size())));
    }
    for (int i = with.nextInt(3); i > 0; i--) {
      options.addETag(octets(1 + with.nextInt(8)));
    }
    if (with.nextInt(4) == 0) {
      options.addETag(new EntityTag(5, ContentFormat.JOSE).octets());
    }
    ContentFormat[] formats = ContentFormat.values();
    if (with.nextBoolean()) {
      options.setContentFormat(formats[with.nextInt(formats.length)].number());
    }
    if (with.nextBoolean()) {
      options.setAccept(formats[with.nextInt(formats.length)].number());
    }
    if (with.nextInt(4) == 0) {
      options.addOtherOption(new Option(StandardOptionRegistry.ECHO, octets(1 + with.nextInt(40))));
    }
    if (with.nextInt(4) == 0) {
      options.setNoResponse(List.of(0, 2, 8, 16, 26).get(with.nextInt(5)));
    }
    if (request.isIntendedPayload() && with.nextBoolean()) {
      request.setPayload(octets(1 + with.nextInt(300)));
    }
    return request;
  }

  private Response response() {
    Code[] codes = {Code.CONTENT, Code.CHANGED, Code.CREATED, Code.CONFLICT};
    Response response = Response.of(codes[random.nextInt(codes.length)]);
    if (random.nextBoolean()) {
      response =
          response.withPayload(
              ContentFormat.JOSE, octets(random.nextInt(RenderedResponse.MAX_PAYLOAD)));
    }
    if (random.nextBoolean()) {
      long number = random.nextBoolean() ? 5 : random.nextLong(1L << 56);
      response = response.withTag(new EntityTag(number, ContentFormat.JOSE));
    }
    if (random.nextBoolean()) {
      response = response.withMaxAge(random.nextLong(1L << random.nextInt(1, 40)));
    }
    @Nullable List<String> location =
        response.code() == Code.CREATED
            ? List.of("things", "ü".repeat(1 + random.nextInt(100)))
            : null;
    return location == null
        ? response
        : new Response(
            response.code(),
            response.format(),
            response.payload(),
            response.tag(),
            response.maxAge(),
            location,
            null);
  }

  private byte[] octets(int length) {
    byte[] octets = new byte[length];
    random.nextBytes(octets);
    return octets;
  }

  private byte[] damaged(byte[] datagram) {
    byte[] damaged =
        random.nextInt(4) == 0
            ? Arrays.copyOf(datagram, random.nextInt(datagram.length + 1))
            : datagram.clone();
    for (int i = random.nextInt(3); i > 0 && damaged.length > 0; i--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
    }
    return damaged;
  }
}
