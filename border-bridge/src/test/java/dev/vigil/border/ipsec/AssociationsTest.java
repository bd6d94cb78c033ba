package dev.vigil.border.ipsec;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.vigil.border.ipv6.ExtensionHeader;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.RplOption;
import dev.vigil.border.ipv6.SourceRoute;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AssociationsTest {
  private static final Ipv6Address MOTE = address("fd00::202:2:2:2");
  private static final Ipv6Address HOP = address("fd00::203:3:3:3");
  private static final Ipv6Address HOST = address("fd00::1");

  static List<Association> everySuite() {
    List<Association> all = new ArrayList<>();
    for (Encryption encryption : Encryption.values()) {
      for (Integrity integrity : Integrity.values()) {
        boolean twice = encryption.isCombined() && integrity != Integrity.NONE;
        if (!twice) {
          all.add(association(esp(encryption, integrity)));
        }
      }
    }
    for (Integrity integrity : Integrity.values()) {
      if (integrity != Integrity.NONE) {
        all.add(
            association(new Association.AhProtection(integrity, key(integrity.keyLength(), 9))));
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("everySuite")
  void everySuiteRestoresAPacketWithItsHeaders(Association association) throws WireException {
    OutboundAssociation out = outbound(association);
    InboundAssociation in = new InboundAssociation(association, 0);
    for (int length = 0; length < 40; length++) {
      Ipv6Packet packet = udp(length, HOST);
      Ipv6Packet rich =
          packet.withExtensions(
              List.of(
                  new RplOption(0, 0, 128).header(),
                  new ExtensionHeader.DestinationOptions(new byte[6])));
      for (Ipv6Packet sent : List.of(packet, rich)) {
        Ipv6Packet onTheWire = Ipv6Packet.parse(out.protect(sent).encode());
        assertThat(onTheWire).isNotEqualTo(sent);
        assertThat(in.open(onTheWire)).isEqualTo(sent);
        refuses(Drop.SEQUENCE_REPLAYED, () -> in.open(onTheWire));
      }
    }
    assertThat(in.top()).isEqualTo(80);
  }

  @Test
  void theRootMayChangeRplsHeadersUnderAh() throws WireException {
    for (Integrity integrity :
        List.of(Integrity.AES_XCBC_96, Integrity.HMAC_SHA1_96, Integrity.HMAC_SHA256_128)) {
      AhTransform ah = new AhTransform(integrity, key(integrity.keyLength(), 1));
      Ipv6Packet sent = udp(20, HOST);
      Ipv6Packet up =
          ah.protect(sent.withExtensions(List.of(new RplOption(0, 0, 128).header())), 1, 7);
      assertThat(up.extensions().getFirst()).isInstanceOf(ExtensionHeader.HopByHop.class);
      Ipv6Packet stripped = up.withExtensions(up.extensions().subList(1, 2));
      assertThat(ah.verify(stripped)).isEqualTo(sent);
      assertThat(ah.verify(up).payload()).isEqualTo(sent.payload());
      Ipv6Packet down = ah.protect(udp(20, MOTE), 1, 8);
      List<ExtensionHeader> routed = new ArrayList<>();
      routed.add(SourceRoute.through(HOP, List.of(MOTE)).header());
      routed.addAll(down.extensions());
      Ipv6Packet underway = down.withDestination(HOP).withExtensions(routed).withHopLimit(3);
      assertThat(ah.verify(underway).payload()).isEqualTo(udp(20, MOTE).payload());
      Ipv6Packet elsewhere = down.withDestination(HOP);
      refuses(Drop.ICV_WRONG, () -> ah.verify(elsewhere));
    }
  }

  @Test
  void theIcvCoversImmutableOptionsOnly() throws WireException {
    AhTransform ah = new AhTransform(Integrity.AES_XCBC_96, key(16, 1));
    byte[] options = {0x3e, 1, 5, 0x1e, 1, 7};
    Ipv6Packet sent =
        ah.protect(
            udp(4, HOST).withExtensions(List.of(new ExtensionHeader.HopByHop(options))), 1, 1);
    byte[] mutable = options.clone();
    mutable[2] = 99;
    byte[] immutable = options.clone();
    immutable[5] = 99;
    assertThat(ah.verify(with(sent, mutable)).payload()).isEqualTo(udp(4, HOST).payload());
    Ipv6Packet changed = with(sent, immutable);
    refuses(Drop.ICV_WRONG, () -> ah.verify(changed));
  }

  @Test
  void espInsideAhIsProtectedAndOpenedLayerByLayer() throws WireException {
    Association ah = association(new Association.AhProtection(Integrity.AES_XCBC_96, key(16, 2)));
    Association esp = association(esp(Encryption.AES_CTR, Integrity.AES_XCBC_96));
    Ipv6Packet sent = udp(30, HOST);
    Ipv6Packet both = outbound(ah).protect(outbound(esp).protect(sent));
    assertThat(both.protocol()).isEqualTo(Protocol.ESP);
    assertThat(both.extensions()).hasSize(1);
    Ipv6Packet inner = new InboundAssociation(ah, 0).open(both);
    assertThat(new InboundAssociation(esp, 0).open(inner)).isEqualTo(sent);
  }

  @Test
  void theWindowAcceptsEachNumberOnceInAnyOrder() throws WireException {
    for (int size : new int[] {1, 32, 64, 65, 128}) {
      ReplayWindow window = new ReplayWindow(size, 0);
      boolean[] taken = new boolean[3000];
      Random random = new Random(size);
      long top = 0;
      for (int i = 0; i < 20000; i++) {
        int number = Math.clamp(top + random.nextInt(2 * size + 10) - size - 4, 0, 2999);
        boolean expected = number > 0 && number > top - size && !taken[number];
        boolean actual = accepts(window, number);
        assertThat(actual).as("size %d number %d top %d", size, number, top).isEqualTo(expected);
        if (actual) {
          window.commit(number);
          taken[number] = true;
          top = Math.max(top, number);
        }
        assertThat(window.top()).isEqualTo(top);
      }
    }
  }

  @Test
  void afterARestartNumbersUpToTheTopAreRefused() throws WireException {
    ReplayWindow window = new ReplayWindow(64, 1000);
    for (int number = 0; number <= 1000; number++) {
      long old = number;
      refuses(Drop.SEQUENCE_REPLAYED, () -> window.check(old));
    }
    window.check(1001);
    window.check(0xffffffffL);
  }

  @Test
  void aForgedPacketDoesNotChangeTheWindow() throws WireException {
    Association association = association(esp(Encryption.AES_CTR, Integrity.AES_XCBC_96));
    Ipv6Packet real = outbound(association).protect(udp(8, HOST));
    byte[] forged = real.payload().clone();
    forged[4] = 0x7f;
    InboundAssociation in = new InboundAssociation(association, 0);
    refuses(Drop.ICV_WRONG, () -> in.open(real.withPayload(Protocol.ESP, forged)));
    assertThat(in.top()).isZero();
    assertThat(in.open(real)).isEqualTo(udp(8, HOST));
  }

  @ParameterizedTest
  @MethodSource("everySuite")
  void aPacketWithAnotherAddressIsRefused(Association association) throws WireException {
    Ipv6Packet real = outbound(association).protect(udp(8, HOST));
    InboundAssociation in = new InboundAssociation(association, 0);
    Ipv6Packet another =
        new Ipv6Packet(0, 0, 64, HOP, HOST, real.extensions(), real.protocol(), real.payload());
    refuses(Drop.POLICY, () -> in.open(another));
    refuses(Drop.POLICY, () -> in.open(real.withDestination(HOP)));
    assertThat(in.top()).isZero();
    assertThat(in.open(real)).isEqualTo(udp(8, HOST));
  }

  @Test
  void aFragmentIsNotOpened() throws WireException {
    Association association = association(esp(Encryption.AES_CTR, Integrity.AES_XCBC_96));
    Ipv6Packet real = outbound(association).protect(udp(8, HOST));
    InboundAssociation in = new InboundAssociation(association, 0);
    for (int offsetAndFlags : new int[] {1, 8, 9}) {
      Ipv6Packet part =
          real.withExtensions(List.of(new ExtensionHeader.Fragment(0, offsetAndFlags, 7)));
      refuses(Drop.POLICY, () -> in.open(part));
    }
    Ipv6Packet whole = real.withExtensions(List.of(new ExtensionHeader.Fragment(0, 0, 7)));
    assertThat(in.open(whole).payload()).isEqualTo(udp(8, HOST).payload());
  }

  @Test
  void aKeyOfAnotherLengthIsRefusedBeforeAnyPacketComes() {
    for (Encryption encryption : Encryption.values()) {
      if (encryption != Encryption.NULL) {
        Association.EspProtection tooLong =
            new Association.EspProtection(
                encryption, key(21 + encryption.saltLength(), 1), Integrity.NONE, key(0, 1));
        assertThatIllegalArgumentException()
            .isThrownBy(() -> new InboundAssociation(association(tooLong), 0))
            .withMessageContaining("16, 24 or 32 octets");
      }
    }
    Association.EspProtection surplus =
        new Association.EspProtection(
            Encryption.NULL, key(16, 1), Integrity.AES_XCBC_96, key(16, 2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new InboundAssociation(association(surplus), 0));
  }

  @Test
  void keysAreComparedWithoutSaltAcrossAllUses() {
    byte[] shared = key(16, 1);
    Association.EspProtection ctr = with(shared, 4, 7, key(16, 3));
    List<Association.Protection> others =
        List.of(
            with(shared, 4, 8, key(16, 4)),
            new Association.AhProtection(Integrity.AES_XCBC_96, shared),
            new Association.EspProtection(
                Encryption.AES_CCM_8, salted(shared, 3, 9), Integrity.NONE, key(0, 1)),
            with(key(16, 5), 4, 9, shared));
    for (Association.Protection other : others) {
      Association one = new Association("one", MOTE, HOST, 0x11000001, ctr, 64);
      Association two = new Association("two", HOST, MOTE, 0x11000002, other, 64);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> AssociationRules.check(List.of(one, two), false))
          .withMessage("two: one has the same key");
    }
  }

  private static Association.EspProtection with(
      byte[] cipherKey, int salt, int seed, byte[] integrityKey) {
    return new Association.EspProtection(
        Encryption.AES_CTR, salted(cipherKey, salt, seed), Integrity.AES_XCBC_96, integrityKey);
  }

  private static byte[] salted(byte[] key, int salt, int seed) {
    return new WireWriter().bytes(key).bytes(key(salt, seed)).toBytes();
  }

  @Test
  void theCounterIsStoredAheadAndNeverGuessed() throws WireException {
    List<Long> stored = new ArrayList<>();
    SequenceCounter counter = new SequenceCounter(OptionalLong.of(0), 8, stored::add);
    for (long i = 1; i <= 9; i++) {
      assertThat(counter.take()).isEqualTo(i).isLessThanOrEqualTo(stored.getLast());
    }
    assertThat(stored).containsExactly(8L, 16L);
    assertThat(new SequenceCounter(OptionalLong.of(16), 8, stored::add).take()).isEqualTo(17);
    SequenceCounter last = new SequenceCounter(OptionalLong.of(0xfffffffeL), 8, stored::add);
    assertThat(last.take()).isEqualTo(0xffffffffL);
    refuses(Drop.SEQUENCE_EXHAUSTED, last::take);
    SequenceCounter lost = new SequenceCounter(OptionalLong.empty(), 8, stored::add);
    refuses(Drop.SEQUENCE_RECORD_MISSING, lost::take);
  }

  @Test
  void refusesInsecureAssociationsAndWarnsAboutDoubtfulOnes() {
    Association good = named("good", 0x11000001, 1);
    assertThat(AssociationRules.check(List.of(good, named("other", 0x11000002, 2)), false))
        .isEmpty();
    assertThat(AssociationRules.check(List.of(named("one", 1, 3)), false)).hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> AssociationRules.check(List.of(good, named("same key", 0x11000002, 1)), false))
        .withMessage("same key: good has the same key");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> AssociationRules.check(List.of(good, named("twin", 0x11000001, 2)), false))
        .withMessageContaining("same destination, protocol and SPI");
    Association open = association(esp(Encryption.NULL, Integrity.NONE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AssociationRules.check(List.of(open), false));
    assertThat(AssociationRules.check(List.of(open), true)).isNotEmpty();
    assertThat(good.toString()).doesNotContain("key", "[B@").contains("ESP AES_CTR AES_XCBC_96");
  }

  private static boolean accepts(ReplayWindow window, long number) {
    try {
      window.check(number);
      return true;
    } catch (WireException e) {
      assertThat(e.reason()).isEqualTo(Drop.SEQUENCE_REPLAYED);
      return false;
    }
  }

  private static Ipv6Packet with(Ipv6Packet packet, byte[] options) {
    List<ExtensionHeader> headers = new ArrayList<>(packet.extensions());
    headers.set(0, new ExtensionHeader.HopByHop(options));
    return packet.withExtensions(headers);
  }

  private static OutboundAssociation outbound(Association association) {
    return new OutboundAssociation(
        association,
        new SequenceCounter(OptionalLong.of(0), 100, ignored -> {}),
        new Random(association.hashCode()));
  }

  private static Association association(Association.Protection protection) {
    return new Association("sa", MOTE, HOST, 5, protection, 64);
  }

  private static Association named(String name, int spi, int keySeed) {
    return new Association(
        name,
        MOTE,
        HOST,
        spi,
        new Association.EspProtection(
            Encryption.AES_CTR, key(20, keySeed), Integrity.AES_XCBC_96, key(16, keySeed + 100)),
        64);
  }

  private static Association.EspProtection esp(Encryption encryption, Integrity integrity) {
    int length = encryption == Encryption.NULL ? 0 : 16 + encryption.saltLength();
    return new Association.EspProtection(
        encryption, key(length, 1), integrity, key(integrity.keyLength(), 2));
  }

  private static byte[] key(int length, int seed) {
    byte[] key = new byte[length];
    new Random(seed).nextBytes(key);
    return Arrays.copyOf(key, length);
  }

  private static Ipv6Packet udp(int length, Ipv6Address destination) {
    byte[] payload = new byte[length];
    new Random(length).nextBytes(payload);
    return Ipv6Packet.of(
        MOTE,
        destination,
        64,
        Protocol.UDP,
        new Udp(5683, 5683, payload).encode(MOTE, destination));
  }

  private static Ipv6Address address(String text) {
    try {
      return Ipv6Address.parse(text);
    } catch (WireException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
