package dev.vigil.border.bridge;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.config.LinkSecurityConfig;
import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.config.RadioConfig;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.FrameSecurity;
import dev.vigil.border.ieee802154.KeyId;
import dev.vigil.border.ieee802154.LinkKey;
import dev.vigil.border.ieee802154.SecurityHeader;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.link.Neighbour;
import dev.vigil.border.storage.CounterFile;
import dev.vigil.border.wire.Drop;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A network with a link-layer key, before and after a restart of the bridge. */
class SecuredBridgeTest {
  private static final byte[] KEY =
      "sixteen octets..".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  private static final LinkSecurityConfig LINK_SECURITY =
      new LinkSecurityConfig(KEY, SecurityLevel.ENC_MIC_32, KeyId.IMPLICIT);

  @TempDir Path folder;
  private final AtomicLong counter = new AtomicLong();
  private Bridge bridge;
  private TestMote mote;

  @BeforeEach
  void start() throws IOException {
    BridgeConfig config =
        BridgeConfig.of(new RadioConfig.Virtual(0, null, 640)).withLinkSecurity(LINK_SECURITY);
    CounterFile counters = new CounterFile(folder.resolve("bridge.counters"));
    bridge = new Bridge(config, counters, Clock.systemUTC(), System::nanoTime, new Random(5));
    bridge.start();
    mote = new TestMote(bridge.etherPort().orElseThrow(), 0x0002000200020002L);
    mote.seal = frame -> seal(frame, counter.getAndIncrement());
  }

  @AfterEach
  void stop() {
    mote.close();
    bridge.close();
  }

  private Frame seal(Frame frame, long number) {
    SecurityHeader header = new SecurityHeader(SecurityLevel.ENC_MIC_32, KeyId.IMPLICIT, number);
    return FrameSecurity.seal(frame.withSecurity(header), new LinkKey(KEY), mote.eui64);
  }

  /** Opens the bridge's next secured frame to this mote and returns its security header. */
  private SecurityHeader nextAnswer() throws Exception {
    while (true) {
      byte[] psdu = requireNonNull(mote.node.receive(), "no answer within 30 seconds");
      Frame frame = Frame.parse(psdu);
      if (!frame.destination().isBroadcast()) {
        byte[] payload = FrameSecurity.open(frame, new LinkKey(KEY), MeshConfig.DEFAULT_EUI64);
        assertThat(payload.length).isGreaterThan(10);
        return requireNonNull(frame.security());
      }
    }
  }

  private long dropped(Drop reason) {
    return bridge.drops().getOrDefault(reason.label(), 0L);
  }

  @Test
  void sendsEachFrameUnderAHigherCounter() throws Exception {
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    long first = nextAnswer().frameCounter();
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    assertThat(nextAnswer().frameCounter()).isGreaterThan(first);
  }

  @Test
  void dropsUnsecuredAndTamperedAndReplayedFrames() throws Exception {
    mote.seal = frame -> frame;
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    BridgeTest.await(() -> dropped(Drop.SECURITY_MISSING) == 1);

    mote.seal =
        frame -> {
          Frame sealed = seal(frame, counter.getAndIncrement());
          byte[] payload = sealed.payload().clone();
          payload[payload.length - 1] ^= 1;
          return sealed.withPayload(payload);
        };
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    BridgeTest.await(() -> dropped(Drop.MIC_WRONG) == 1);

    mote.seal = frame -> seal(frame, 7);
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    nextAnswer();
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    BridgeTest.await(() -> dropped(Drop.FRAME_COUNTER_REPLAYED) == 1);
  }

  @Test
  void keepsBothCountersAcrossARestart() throws Exception {
    mote.seal = frame -> seal(frame, 100);
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    long before = nextAnswer().frameCounter();
    stop();
    start();
    mote.seal = frame -> seal(frame, 100);
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    BridgeTest.await(() -> dropped(Drop.FRAME_COUNTER_REPLAYED) == 1);
    mote.seal = frame -> seal(frame, 101);
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    assertThat(nextAnswer().frameCounter()).isGreaterThan(before);
  }

  @Test
  void aRestartedNeighbourIsRefusedUntilItIsForgiven() throws Exception {
    mote.seal = frame -> seal(frame, 5_000);
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    nextAnswer();
    mote.seal = frame -> seal(frame, counter.getAndIncrement());
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    BridgeTest.await(() -> dropped(Drop.FRAME_COUNTER_REPLAYED) == 1);
    assertThat(bridge.neighbours().getFirst().statistics().drops())
        .containsEntry("frame_counter_replayed", 1L);

    assertThat(bridge.forgive(mote.eui64).get()).isTrue();
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    long heard = counter.get() - 1;
    nextAnswer();
    // Forgiving applies to one frame. From here on the counter can only increase, as before.
    mote.seal = frame -> seal(frame, heard);
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    BridgeTest.await(() -> dropped(Drop.FRAME_COUNTER_REPLAYED) == 2);
  }

  @Test
  void forgivingSurvivesARestartOfTheBridge() throws Exception {
    mote.seal = frame -> seal(frame, 5_000);
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    nextAnswer();
    assertThat(bridge.forgive(mote.eui64).get()).isTrue();
    stop();
    start();
    mote.seal = frame -> seal(frame, 0);
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    nextAnswer();
  }

  @Test
  void anUnknownNeighbourCannotBeForgiven() throws Exception {
    assertThat(bridge.forgive(new dev.vigil.border.ieee802154.Eui64(9)).get()).isFalse();
    assertThat(folder.resolve("bridge.counters")).content().doesNotContain("heard");
  }

  @Test
  void anotherLevelIsRefusedEvenWithAValidMic() throws Exception {
    mote.seal =
        frame ->
            FrameSecurity.seal(
                frame.withSecurity(new SecurityHeader(SecurityLevel.ENC, KeyId.IMPLICIT, 1)),
                new LinkKey(KEY),
                mote.eui64);
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    BridgeTest.await(() -> dropped(Drop.SECURITY_LEVEL_REFUSED) == 1);
    mote.seal =
        frame ->
            FrameSecurity.seal(
                frame.withSecurity(
                    new SecurityHeader(SecurityLevel.ENC_MIC_32, new KeyId.Index(3), 1)),
                new LinkKey(KEY),
                mote.eui64);
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    BridgeTest.await(() -> dropped(Drop.SECURITY_KEY_UNKNOWN) == 1);
  }

  @Test
  void neighboursAreListedWithTheirSecurityLevel() throws Exception {
    mote.send(mote.echoRequest(TestMote.gateway(), 8));
    nextAnswer();
    assertThat(bridge.neighbours())
        .singleElement()
        .returns(SecurityLevel.ENC_MIC_32, Neighbour::level);
  }
}
