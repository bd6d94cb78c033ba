package dev.vigil.coap.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.CoAP.ResponseCode;
import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.OptionNumberRegistry;
import org.eclipse.californium.core.coap.option.StandardOptionRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Counts the log lines that a stranger's datagrams cause at the gateway's log levels. */
class LogFloodTest {
  private static final int ECHO = 252;
  private static final int NO_RESPONSE = 258;
  private static final int REQUEST_TAG = 292;
  private static final int[] OPTIONS = {
    OptionNumberRegistry.IF_MATCH,
    OptionNumberRegistry.URI_HOST,
    OptionNumberRegistry.ETAG,
    OptionNumberRegistry.IF_NONE_MATCH,
    OptionNumberRegistry.OBSERVE,
    OptionNumberRegistry.URI_PORT,
    OptionNumberRegistry.OSCORE,
    OptionNumberRegistry.CONTENT_FORMAT,
    OptionNumberRegistry.MAX_AGE,
    OptionNumberRegistry.URI_QUERY,
    OptionNumberRegistry.ACCEPT,
    OptionNumberRegistry.BLOCK1,
    OptionNumberRegistry.BLOCK2,
    OptionNumberRegistry.BLOCK1,
    OptionNumberRegistry.BLOCK2,
    OptionNumberRegistry.SIZE1,
    OptionNumberRegistry.SIZE2,
    OptionNumberRegistry.PROXY_URI,
    OptionNumberRegistry.PROXY_SCHEME,
    ECHO,
    NO_RESPONSE,
    REQUEST_TAG
  };

  /** Number of lines that one event may write at once; see RateLimitedLog. */
  private static final int BURST = 5;

  private final Queue<ILoggingEvent> lines = new ConcurrentLinkedQueue<>();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event);
        }
      };
  private static final AtomicInteger served = new AtomicInteger();
  private CoapServer server;
  private UdpPeer peer;

  @BeforeEach
  void open() throws IOException {
    served.set(0);
    appender.start();
    root.addAppender(appender);
    start(false);
  }

  private void start(boolean trusted) throws IOException {
    server =
        new ObservableValue()
            .serve(
                List.of(
                    Route.of("/broken", LogFloodTest::broken),
                    Route.of("/fast/*", LogFloodTest::answer).withFastPath().withKeySegment(1),
                    Route.of("/slow/*", LogFloodTest::answer)),
                trusted,
                100);
    peer = new UdpPeer(server.sockets().getFirst());
  }

  @AfterEach
  void close() {
    peer.close();
    server.close();
    root.detachAppender(appender);
  }

  private static CompletableFuture<Response> broken(Request request) {
    throw new IllegalStateException("a defect");
  }

  private static CompletableFuture<Response> answer(Request request) {
    served.incrementAndGet();
    return CompletableFuture.completedFuture(
        request.path().getLast().equals("long")
            ? Response.content(ContentFormat.TEXT, "x".repeat(3_000))
            : Response.of(Code.CHANGED));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fast", "slow", "nowhere"})
  void aBlockSmallerThanItsPayloadIsABadRequest(String route) throws IOException {
    for (int szx = 0; szx <= 7; szx++) {
      for (boolean more : new boolean[] {false, true}) {
        for (int number = 0; number <= 1; number++) {
          var request = peer.request(CoAP.Code.POST, Type.CON, route, "a");
          request.getOptions().addOtherOption(block1(szx, more, number));
          request.setPayload("x".repeat(szx == 7 ? 16 : BlockOption.szx2Size(szx) + 1));
          ResponseCode code = peer.exchange(request).getCode();
          assertThat(code)
              .as("szx %d, more %s, number %d", szx, more, number)
              .isIn(ResponseCode.BAD_REQUEST, ResponseCode.REQUEST_ENTITY_INCOMPLETE);
          if (number == 0) {
            assertThat(code).isEqualTo(ResponseCode.BAD_REQUEST);
          }
        }
      }
    }
    assertThat(lines).isEmpty();
  }

  private static Option block1(int szx, boolean more, int number) {
    return new Option(
        StandardOptionRegistry.BLOCK1, new byte[] {(byte) (number << 4 | (more ? 8 : 0) | szx)});
  }

  @ParameterizedTest
  @EnumSource(names = {"ACK", "RST"})
  void aRequestOfTypeAckOrRstIsIgnored(Type type) throws IOException {
    for (String route : List.of("fast", "slow", "nowhere")) {
      for (CoAP.Code code : CoAP.Code.values()) {
        int mid = 256 * type.value + code.value;
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(new byte[] {(byte) (0x40 | type.value << 4), (byte) code.value});
        message.writeBytes(new byte[] {(byte) (mid >> 8), (byte) mid});
        write(message, OptionNumberRegistry.URI_PATH, route.getBytes(US_ASCII));
        write(message, 0, new byte[] {'a'});
        peer.sendBytes(message.toByteArray());
      }
      assertThat(peer.receivesNothingUntilPing()).isTrue();
    }
    assertThat(served).hasValue(0);
    assertThat(lines).isEmpty();
  }

  @Test
  void requestsThatFailWriteABoundedNumberOfLines() throws IOException {
    for (int i = 0; i < 100; i++) {
      assertThat(peer.exchange(peer.request(CoAP.Code.GET, Type.CON, "broken")).getCode())
          .isEqualTo(ResponseCode.INTERNAL_SERVER_ERROR);
    }
    // Earlier tests of this process may have used up the burst.
    assertThat(lines).hasSizeLessThanOrEqualTo(BURST);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void randomMessagesWriteNothing(boolean trusted) throws IOException {
    peer.close();
    server.close();
    start(trusted);
    Random random = new Random(7252);
    for (int i = 0; i < 20_000; i++) {
      peer.sendBytes(random.nextInt(4) == 0 ? octets(random, 40) : message(random));
      if (i % 50 == 0) {
        peer.skipUntilPing();
      }
    }
    peer.skipUntilPing();
    assertThat(lines).isEmpty();
    assertThat(served.get()).isGreaterThan(300);
  }

  private static byte[] octets(Random random, int most) {
    byte[] octets = new byte[random.nextInt(most)];
    random.nextBytes(octets);
    return octets;
  }

  /** A message whose header and options are well-formed, with any values. */
  private static byte[] message(Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] token = octets(random, 9);
    out.write(0x40 | random.nextInt(4) << 4 | token.length);
    out.write(random.nextInt(8) > 0 ? random.nextInt(8) : random.nextInt(256));
    out.writeBytes(new byte[] {(byte) random.nextInt(), (byte) random.nextInt()});
    out.writeBytes(token);
    SortedMap<Integer, byte[]> options = new TreeMap<>();
    options.put(
        OptionNumberRegistry.URI_PATH, pick(random, "fast", "slow", "nowhere").getBytes(US_ASCII));
    for (int left = random.nextInt(5); left > 0; left--) {
      int number = OPTIONS[random.nextInt(OPTIONS.length)];
      options.put(
          number,
          number == OptionNumberRegistry.URI_QUERY ? octets(random, 20) : octets(random, 4));
    }
    int last = 0;
    for (Map.Entry<Integer, byte[]> option : options.entrySet()) {
      write(out, option.getKey() - last, option.getValue());
      last = option.getKey();
      if (last == OptionNumberRegistry.URI_PATH) {
        write(out, 0, pick(random, "a", "long").getBytes(US_ASCII));
      }
    }
    byte[] payload = octets(random, 40);
    if (payload.length > 0) {
      out.write(0xff);
      out.writeBytes(payload);
    }
    return out.toByteArray();
  }

  private static String pick(Random random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** An option of at most 12 octets, or a query of fewer than 269. */
  private static void write(ByteArrayOutputStream out, int delta, byte[] value) {
    int length = Math.min(value.length, 13);
    if (delta < 13) {
      out.write(delta << 4 | length);
    } else {
      out.write((delta < 269 ? 13 : 14) << 4 | length);
      if (delta >= 269) {
        out.write(delta - 269 >> 8);
      }
      out.write(delta < 269 ? delta - 13 : delta - 269);
    }
    if (length == 13) {
      out.write(value.length - 13);
    }
    out.writeBytes(value);
  }
}
