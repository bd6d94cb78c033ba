package dev.vigil.border.ieee802154;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.vigil.border.Vectors;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class FrameSecurityTest {
  private static final byte[] WRONG_KEY = new byte[16];

  static List<String> securedRecordings() {
    return Vectors.contikiFiles().stream()
        .filter(file -> file.startsWith("llsec") && !file.contains("level4"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("securedRecordings")
  void opensAndSealsRecordedFramesIdentically(String file) throws WireException {
    LinkKey key = new LinkKey(Vectors.linkKey(file));
    int seen = 0;
    for (Vectors.RecordedFrame recorded : Vectors.contiki(file)) {
      byte[] plain = recorded.plain();
      Frame frame = Frame.parse(recorded.psdu());
      if (plain == null) {
        assertThat(frame.security()).as(recorded.toString()).isNull();
        continue;
      }
      byte[] payload = FrameSecurity.open(frame, key, sender(frame));
      Frame open = frame.withPayload(payload);
      assertThat(open.encode()).as(recorded.toString()).isEqualTo(plain);
      assertThat(FrameSecurity.seal(open, key, sender(frame)).encode())
          .as(recorded.toString())
          .isEqualTo(recorded.psdu());
      seen++;
    }
    assertThat(seen).isGreaterThanOrEqualTo(53);
  }

  @ParameterizedTest
  @MethodSource("securedRecordings")
  void refusesATamperedPayloadATamperedMicAndAWrongKey(String file) throws WireException {
    LinkKey key = new LinkKey(Vectors.linkKey(file));
    for (Vectors.RecordedFrame recorded : Vectors.contiki(file)) {
      Frame frame = Frame.parse(recorded.psdu());
      if (frame.security() == null) {
        continue;
      }
      int headerLength = frame.headerLength();
      refuses(Drop.MIC_WRONG, () -> open(flip(recorded.psdu(), headerLength), key));
      refuses(Drop.MIC_WRONG, () -> open(flip(recorded.psdu(), recorded.psdu().length - 1), key));
      refuses(Drop.MIC_WRONG, () -> open(flip(recorded.psdu(), 2), key));
      refuses(Drop.MIC_WRONG, () -> open(recorded.psdu(), new LinkKey(WRONG_KEY)));
    }
  }

  @Test
  void contikisBrokenLevel4DoesNotOpenToItsPlaintext() throws WireException {
    LinkKey key = new LinkKey(Vectors.linkKey("llsec-level4.txt"));
    int seen = 0;
    for (Vectors.RecordedFrame recorded : Vectors.contiki("llsec-level4.txt")) {
      Frame frame = Frame.parse(recorded.psdu());
      if (frame.security() != null) {
        byte[] opened = FrameSecurity.open(frame, key, sender(frame));
        assertThat(opened).hasSameSizeAs(frame.payload()).isNotEqualTo(frame.payload());
        seen++;
      }
    }
    assertThat(seen).isEqualTo(28);
  }

  @ParameterizedTest
  @EnumSource(SecurityLevel.class)
  void everyLevelAndKeyIdModeSurvivesSealingAndOpening(SecurityLevel level) throws WireException {
    LinkKey key = new LinkKey(Hex.parse("4a61766120627269646765206b657931"));
    Eui64 self = new Eui64(0x0001000100010001L);
    for (KeyId keyId :
        List.of(
            KeyId.IMPLICIT,
            new KeyId.Index(7),
            new KeyId.Source4(0xdeadbeef, 1),
            new KeyId.Source8(0x0123456789abcdefL, 255))) {
      Frame clear =
          Frame.data(9, 0xabcd, LinkAddress.BROADCAST, LinkAddress.of(self), false, new byte[] {1})
              .withSecurity(new SecurityHeader(level, keyId, 0xfffffffeL));
      Frame sealed = Frame.parse(FrameSecurity.seal(clear, key, self).encode());
      assertThat(sealed.security()).isEqualTo(clear.security());
      assertThat(sealed.payload()).hasSize(1 + level.micLength());
      assertThat(FrameSecurity.open(sealed, key, self)).isEqualTo(clear.payload());
    }
  }

  @Test
  void sealsAndOpensTheExampleOfTheStandard() throws WireException {
    // 802.15.4-2006, annex C.2.2 (data frame, ENC only: level 4, implicit key)
    LinkKey key = new LinkKey(Hex.parse("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"));
    Eui64 sender = new Eui64(0xacde480000000001L);
    Frame frame =
        Frame.parse(
            Hex.parse(
                "69dc842143020000000048deac010000000048deac0405000000d4 3e022b".replace(" ", "")));
    assertThat(FrameSecurity.open(frame, key, sender)).isEqualTo(Hex.parse("61626364"));
  }

  @Test
  void acceptsEachCounterOnceAndOnlyWithAValidMic() throws WireException {
    String file = "llsec-level5.txt";
    LinkSecurity security = security(file, EnumSet.of(SecurityLevel.ENC_MIC_32));
    List<Frame> frames = secured(file);
    Frame first = frames.getFirst();
    byte[] forged = flip(first.encode(), first.headerLength());
    refuses(Drop.MIC_WRONG, () -> security.open(Frame.parse(forged)));
    for (Frame frame : frames) {
      security.open(frame);
      refuses(Drop.FRAME_COUNTER_REPLAYED, () -> security.open(frame));
    }
  }

  @Test
  void aRestoredTableStillRefusesReceivedCounters() throws WireException {
    String file = "llsec-level6.txt";
    LinkKey key = new LinkKey(Vectors.linkKey(file));
    ReplayTable before = new ReplayTable(10);
    LinkSecurity first = security(key, before, Set.of(SecurityLevel.ENC_MIC_64));
    List<Frame> frames = secured(file);
    for (Frame frame : frames) {
      first.open(frame);
    }
    ReplayTable after = new ReplayTable(10);
    before.takeChanged().forEach(after::restore);
    assertThat(before.takeChanged()).isEmpty();
    LinkSecurity second = security(key, after, Set.of(SecurityLevel.ENC_MIC_64));
    for (Frame frame : frames) {
      refuses(Drop.FRAME_COUNTER_REPLAYED, () -> second.open(frame));
    }
  }

  @Test
  void aFullTableRefusesNewSendersAndKeepsTheOldOnes() throws WireException {
    ReplayTable table = new ReplayTable(10);
    for (int i = 0; i < 10; i++) {
      ReplayTable.Entry entry = new ReplayTable.Entry(new Eui64(i), KeyId.IMPLICIT);
      table.check(entry, 1);
      table.commit(entry, 1);
    }
    ReplayTable.Entry another = new ReplayTable.Entry(new Eui64(10), KeyId.IMPLICIT);
    refuses(Drop.SECURITY_SOURCE_UNKNOWN, () -> table.check(another, 1));
    table.check(new ReplayTable.Entry(new Eui64(0), KeyId.IMPLICIT), 2);
    table.forgive(new ReplayTable.Entry(new Eui64(3), KeyId.IMPLICIT));
    assertThat(table.knows(new Eui64(3))).isFalse();
    table.check(another, 1);
  }

  @Test
  void aLevelWithoutMicNeverCommitsTheCounter() throws WireException {
    LinkKey key = new LinkKey(new byte[16]);
    Eui64 node = new Eui64(2);
    ReplayTable replay = new ReplayTable(10);
    LinkSecurity security =
        security(key, replay, Set.of(SecurityLevel.ENC, SecurityLevel.ENC_MIC_32));
    Frame clear =
        Frame.data(1, 1, LinkAddress.BROADCAST, LinkAddress.of(node), false, new byte[] {5});
    Frame unprotected = security.seal(clear, SecurityLevel.ENC, KeyId.IMPLICIT, node, 1000);
    assertThat(security.open(unprotected)).isEqualTo(clear.payload());
    assertThat(security.open(unprotected)).isEqualTo(clear.payload());
    assertThat(replay.takeChanged()).isEmpty();
    assertThat(
            security.open(security.seal(clear, SecurityLevel.ENC_MIC_32, KeyId.IMPLICIT, node, 1)))
        .isEqualTo(clear.payload());
  }

  @Test
  void refusesOtherLevelsAndUnknownKeys() throws WireException {
    String file = "llsec-level5.txt";
    LinkSecurity strict = security(file, EnumSet.of(SecurityLevel.ENC_MIC_128));
    Frame secured = secured(file).getFirst();
    Frame unsecured = Frame.parse(Vectors.contiki(file).getFirst().psdu());
    refuses(Drop.SECURITY_LEVEL_REFUSED, () -> strict.open(secured));
    refuses(Drop.SECURITY_MISSING, () -> strict.open(unsecured));
    assertThat(strict.open(Frame.acknowledgement(1))).isEmpty();
    LinkSecurity keyless =
        new LinkSecurity(
            (keyId, peer) -> Optional.empty(),
            EnumSet.of(SecurityLevel.ENC_MIC_32),
            new ReplayTable(1),
            address -> null);
    refuses(Drop.SECURITY_KEY_UNKNOWN, () -> keyless.open(secured));
  }

  @Test
  void aShortSourceNeedsItsExtendedAddress() throws WireException {
    LinkKey key = new LinkKey(new byte[16]);
    Eui64 node = new Eui64(42);
    Frame clear =
        Frame.data(1, 1, LinkAddress.BROADCAST, new LinkAddress.Short(7), false, new byte[] {5});
    LinkSecurity knows =
        new LinkSecurity(
            LinkKeys.network(key),
            Set.of(SecurityLevel.ENC_MIC_32),
            new ReplayTable(1),
            address -> address == 7 ? node : null);
    Frame sealed = knows.seal(clear, SecurityLevel.ENC_MIC_32, KeyId.IMPLICIT, node, 1);
    assertThat(knows.open(sealed)).isEqualTo(clear.payload());
    LinkSecurity ignorant = security(key, new ReplayTable(1), Set.of(SecurityLevel.ENC_MIC_32));
    refuses(Drop.SECURITY_SOURCE_UNKNOWN, () -> ignorant.open(sealed));
  }

  @Test
  void theSentCounterIsStoredAheadAndEndsWithTheKey() throws WireException {
    long[] stored = {0};
    FrameCounter counter = new FrameCounter(0, 10, value -> stored[0] = value);
    for (int i = 0; i < 25; i++) {
      assertThat(counter.take()).isEqualTo(i).isLessThan(stored[0]);
    }
    FrameCounter restarted = new FrameCounter(stored[0], 10, value -> stored[0] = value);
    assertThat(restarted.take()).isEqualTo(30);
    FrameCounter old = new FrameCounter(0xfffffffeL, 10, value -> stored[0] = value);
    assertThat(old.take()).isEqualTo(0xfffffffeL);
    refuses(Drop.FRAME_COUNTER_EXHAUSTED, old::take);
  }

  private static List<Frame> secured(String file) {
    return Vectors.contiki(file).stream()
        .map(recorded -> parsed(recorded.psdu()))
        .filter(frame -> frame.security() != null)
        .toList();
  }

  private static LinkSecurity security(String file, Set<SecurityLevel> levels) {
    return security(new LinkKey(Vectors.linkKey(file)), new ReplayTable(100), levels);
  }

  private static LinkSecurity security(LinkKey key, ReplayTable replay, Set<SecurityLevel> levels) {
    return new LinkSecurity(LinkKeys.network(key), levels, replay, address -> null);
  }

  private static byte[] open(byte[] psdu, LinkKey key) throws WireException {
    Frame frame = Frame.parse(psdu);
    return FrameSecurity.open(frame, key, sender(frame));
  }

  private static Frame parsed(byte[] psdu) {
    try {
      return Frame.parse(psdu);
    } catch (WireException e) {
      return fail(e);
    }
  }

  private static byte[] flip(byte[] octets, int at) {
    byte[] changed = Arrays.copyOf(octets, octets.length);
    changed[at] ^= 1;
    return changed;
  }

  private static Eui64 sender(Frame frame) {
    return frame.source() instanceof LinkAddress.Extended(Eui64 eui64) ? eui64 : fail("short");
  }
}
