package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.message.CoapSettings;
import dev.vigil.coap.server.Clocks;
import dev.vigil.coap.server.CoapServer;
import dev.vigil.signed.jose.TestSigner;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.coap.Token;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.eclipse.californium.core.network.serialization.UdpDataParser;
import org.eclipse.californium.core.network.serialization.UdpDataSerializer;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests for history cost little while their sender is unverified, and a bounded amount
 * afterwards.
 */
class HistoryFloodTest {
  private static final int VALUES = 20;

  @TempDir Path folder;

  private final TestSigner mote = new TestSigner();
  private MirrorFixture mirror;
  private String temp;

  @BeforeEach
  void fillHistory() {
    mirror = new MirrorFixture(folder);
    temp = mirror.registered(mote, "mote-1", 1) + "/temp";
    for (int seq = 2; seq < 2 + VALUES; seq++) {
      byte[] senml = "[{\"n\":\"a\",\"v\":%d}]".formatted(seq).getBytes(UTF_8);
      byte[] update = MirrorFixture.update(mote, "temp", seq, senml);
      assertThat(mirror.put(temp, update).code().isSuccess()).isTrue();
    }
  }

  private Code code(Caller caller) {
    return mirror.ask(Method.GET, temp + "?limit=1000", null, new byte[0], caller).code();
  }

  @Test
  void aFloodOfSpoofedRequestsReadsNoHistory() throws IOException {
    try (CoapServer server =
        CoapServer.open(
            new RequestDispatcher(mirror.proxy().routes()),
            mirror.topics,
            new CoapSettings(
                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                source -> false,
                CoapSettings.Limits.standard()),
            List.of(),
            new Clocks(Clock.systemUTC(), System::nanoTime),
            new SecureRandom())) {
      InetSocketAddress address = server.sockets().getFirst();
      for (int i = 0; i < 500; i++) {
        try (DatagramSocket spoofed =
            new DatagramSocket(
                new InetSocketAddress(InetAddress.ofLiteral("127.0.1." + i % 250), 0))) {
          assertThat(exchange(spoofed, address, i, null).getCode())
              .isEqualTo(CoAP.ResponseCode.UNAUTHORIZED);
        }
      }
      assertThat(mirror.store.historyReads()).isZero();

      try (DatagramSocket honest =
          new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
        Response challenge = exchange(honest, address, 1000, null);
        Option echo = challenge.getOptions().getOtherOption(StandardOptionRegistry.ECHO);
        assertThat(exchange(honest, address, 1001, echo).getCode())
            .isEqualTo(CoAP.ResponseCode.CONTENT);
      }
    }
  }

  private Response exchange(
      DatagramSocket from, InetSocketAddress to, int id, @Nullable Option echo) throws IOException {
    Request request = new Request(CoAP.Code.GET, CoAP.Type.CON);
    request.setMID(id);
    request.setToken(new Token(new byte[] {1}));
    for (String segment : temp.substring(1).split("/")) {
      request.getOptions().addUriPath(segment);
    }
    request.getOptions().addUriQuery("limit=1000");
    if (echo != null) {
      request.getOptions().addOtherOption(echo);
    }
    request.setDestinationContext(new AddressEndpointContext(to));
    byte[] octets = new UdpDataSerializer().getByteArray(request);
    from.send(new DatagramPacket(octets, octets.length, to));
    DatagramPacket answer = new DatagramPacket(new byte[2048], 2048);
    from.setSoTimeout(30_000);
    from.receive(answer);
    return (Response)
        new UdpDataParser().parseMessage(Arrays.copyOf(answer.getData(), answer.getLength()));
  }

  @Test
  void historyReadForOneSourceIsLimited() {
    int answered = 0;
    while (answered < 10_000 && code(source("2001:db8:5::1")) == Code.CONTENT) {
      answered++;
    }
    assertThat(answered).isBetween(100, 9_999);
    int read = mirror.store.historyReads();
    for (int i = 0; i < 100; i++) {
      assertThat(code(source("2001:db8:5::1"))).isEqualTo(Code.TOO_MANY_REQUESTS);
    }
    assertThat(mirror.store.historyReads()).isEqualTo(read);
    assertThat(code(source("2001:db8:5::2"))).as("of the same /64").isEqualTo(Code.CONTENT);
    mirror.clock.forward(Duration.ofMinutes(1));
    assertThat(code(source("2001:db8:5::1"))).isEqualTo(Code.CONTENT);
  }

  private static Caller source(String address) {
    return MirrorFixture.caller(address, true);
  }
}
