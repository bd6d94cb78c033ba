package dev.vigil.directory.coap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.EntityTag;
import dev.vigil.directory.exchange.Response;
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

/** Californium's parser and serializer are the reference: the short way must say the same. */
class BriefTest {
  private static final int CASES = 20_000;
  private static final InetSocketAddress PEER =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000);
  private static final Caller CALLER = Caller.anonymous(PEER, true);
  private static final String BASE = "coap://localhost";
  private static final List<String> SEGMENTS = List.of("ms", "rd", "7", "temp", "ä€", "", "a.b");
  private static final List<String> PARAMETERS = List.of("ep=node-7", "lt=60", "x", "y=ö", "z=");

  private final Random random = new Random(7252);

  @Test
  void readsARequestOctetByOctet() {
    // CON PUT, ID 0x1234, token ab, /ms/7, Content-Format 65100, Echo 0102, No-Response 2, "hi".
    byte[] datagram =
        HexFormat.of()
            .parseHex("41031234ab" + "b26d73" + "0137" + "12fe4c" + "d2e30102" + "6102" + "ff6869");

    Brief brief = Objects.requireNonNull(Brief.read(datagram));

    assertThat(brief.confirmable()).isTrue();
    assertThat(brief.id()).isEqualTo(0x1234);
    assertThat(brief.token()).containsExactly(0xab);
    assertThat(brief.path()).containsExactly("ms", "7");
    assertThat(brief.format()).isEqualTo(ContentFormat.JOSE);
    assertThat(brief.echo()).containsExactly(1, 2);
    assertThat(brief.isUnwanted(Code.CHANGED)).isTrue();
    assertThat(brief.isUnwanted(Code.CONFLICT)).isFalse();
    assertThat(brief.payload()).asString(StandardCharsets.US_ASCII).isEqualTo("hi");
    assertThat(brief.acknowledgement()).containsExactly(0x60, 0, 0x12, 0x34);
  }

  @Test
  void writesAnAnswerOctetByOctet() {
    Brief brief = Objects.requireNonNull(Brief.read(HexFormat.of().parseHex("41011234ab")));
    Reply reply =
        new Reply(
            Code.CONTENT,
            new byte[] {5},
            ContentFormat.SENML_JSON,
            300,
            List.of(),
            "[]".getBytes(StandardCharsets.US_ASCII));

    assertThat(HexFormat.of().formatHex(brief.answered(reply, new byte[] {7}, 0)))
        .isEqualTo("61451234ab" + "4105" + "816e" + "22012c" + "d1e107" + "ff5b5d");
  }

  @Test
  void readsWhatItTakesAsCaliforniumDoes() {
    int taken = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] datagram = serialized(request(random));
      assertThat(Brief.read(datagram)).isNotNull();
      assertAgreement(datagram);
      byte[] damaged = damaged(datagram);
      assertAgreement(damaged);
      taken += Brief.read(damaged) == null ? 0 : 1;
    }
    assertThat(taken).isGreaterThan(CASES / 10);
  }

  @Test
  void leavesAloneWhatNeedsMoreThanOneDatagram() {
    List<java.util.function.Consumer<OptionSet>> more =
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
    for (var one : more) {
      Request request = new Request(CoAP.Code.PUT, Type.CON);
      request.getOptions().addUriPath("ms").addUriPath("7");
      one.accept(request.getOptions());
      request.setPayload("x");
      request.setMID(1);
      request.setToken(Token.EMPTY);

      assertThat(Brief.read(serialized(request))).as("%s", request.getOptions()).isNull();
    }
  }

  @Test
  void answersAsCaliforniumDoes() {
    for (int i = 0; i < CASES; i++) {
      Request request = request(random);
      Brief brief = Objects.requireNonNull(Brief.read(serialized(request)));
      Response answer = answer();
      byte[] challenge = random.nextInt(4) == 0 ? octets(1 + random.nextInt(40)) : null;
      List<byte[]> known = request.getOptions().getETags();
      var expected = Messages.response(answer, known);
      expected.setType(brief.confirmable() ? Type.ACK : Type.NON);
      expected.setMID(brief.confirmable() ? brief.id() : 77);
      expected.setToken(request.getToken());
      if (challenge != null) {
        expected.getOptions().addOtherOption(new Option(StandardOptionRegistry.ECHO, challenge));
      }

      assertThat(brief.answered(Reply.of(answer, known), challenge, 77))
          .isEqualTo(new UdpDataSerializer().getByteArray(expected));
    }
  }

  static void assertAgreement(byte[] datagram) {
    Brief brief = Brief.read(datagram);
    if (brief == null) {
      return;
    }
    Request message;
    try {
      message = (Request) new UdpDataParser().parseMessage(datagram);
    } catch (MessageFormatException e) {
      throw new AssertionError("taken: " + HexFormat.of().formatHex(datagram), e);
    }
    message.setSourceContext(new AddressEndpointContext(PEER));
    var expected = Messages.request(message, CALLER, BASE);
    assertThat(brief.request(CALLER, BASE))
        .usingRecursiveComparison()
        .as(HexFormat.of().formatHex(datagram))
        .isEqualTo(expected);
    OptionSet options = message.getOptions();
    assertThat(brief.id()).isEqualTo(message.getMID());
    assertThat(brief.token()).isEqualTo(message.getToken().getBytes());
    // Californium keeps a repeated tag once.
    assertThat(brief.tags()).hasSameElementsAs(options.getETags());
    Option echo = options.getOtherOption(StandardOptionRegistry.ECHO);
    assertThat(brief.echo()).isEqualTo(echo == null ? new byte[0] : echo.getValue());
    for (Code code : Code.values()) {
      assertThat(brief.isUnwanted(code))
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

  /** One that the short way is for. */
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

  private Response answer() {
    Code[] codes = {Code.CONTENT, Code.CHANGED, Code.CREATED, Code.CONFLICT};
    Response answer = Response.of(codes[random.nextInt(codes.length)]);
    if (random.nextBoolean()) {
      answer = answer.withPayload(ContentFormat.JOSE, octets(random.nextInt(Reply.ONE_MESSAGE)));
    }
    if (random.nextBoolean()) {
      long number = random.nextBoolean() ? 5 : random.nextLong(1L << 56);
      answer = answer.withTag(new EntityTag(number, ContentFormat.JOSE));
    }
    if (random.nextBoolean()) {
      answer = answer.withMaxAge(random.nextLong(1L << random.nextInt(1, 40)));
    }
    @Nullable List<String> location =
        answer.code() == Code.CREATED ? List.of("rd", "ü".repeat(1 + random.nextInt(100))) : null;
    return location == null
        ? answer
        : new Response(
            answer.code(),
            answer.format(),
            answer.payload(),
            answer.tag(),
            answer.maxAge(),
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
