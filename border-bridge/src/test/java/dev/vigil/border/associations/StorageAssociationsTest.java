package dev.vigil.border.associations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.Vectors;
import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.border.blocks.StoredBlock;
import dev.vigil.border.crypto.XcbcMac;
import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The blocks of the shared vectors. The mote's block store makes the same blocks. */
class StorageAssociationsTest {
  private static final String MOTE = "fd00::202:2:2:2";
  private static final String HOST = "fd00::1";
  private static final String OTHER = "2001:db8::7";
  private static final int ICV = 12;

  private final List<StoredBlock> received = new ArrayList<>();

  static List<Map<String, String>> blocks() {
    return Vectors.storedBlocks();
  }

  private StorageAssociations at(String host) throws WireException {
    StorageAssociations associations = new StorageAssociations();
    install(associations, MOTE, host);
    associations.addListener(received::add);
    return associations;
  }

  private static void install(StorageAssociations associations, String mote, String host)
      throws WireException {
    String line =
        "store esp ctr-xcbc 0x11000009 %s %s 000102030405060708090a0b0c0d0e0fa0a1a2a3 %s"
            .formatted(mote, host, "101112131415161718191a1b1c1d1e1f");
    associations.install(AssociationFile.parse(line, 1).entries(), Map.of());
  }

  private static BlockStoreId unnamed() throws WireException {
    return BlockStoreId.unnamed(Ipv6Address.parse(MOTE));
  }

  private static Ipv6Packet packet(String hex) throws WireException {
    return Ipv6Packet.parse(Hex.parse(hex));
  }

  private static Ipv6Packet packet(Map<String, String> block, String mode) throws WireException {
    return packet(block.getOrDefault(mode, ""));
  }

  private void assertReceived(Map<String, String> block) throws WireException {
    StoredBlock last = received.getLast();
    assertThat(last.store()).isEqualTo(unnamed());
    assertThat(last.number()).isEqualTo(Long.parseLong(block.getOrDefault("number", "")));
    assertThat(last.state()).isEqualTo(StoredBlock.State.INTACT);
    assertThat(Hex.format(last.payload())).isEqualTo(block.get("payload"));
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void blocksOfEveryModeAreOpened(Map<String, String> block) throws Exception {
    assertThat(at(HOST).take(packet(block, "b"))).isTrue();
    assertReceived(block);
    assertThat(at(OTHER).take(packet(block, "c"))).isTrue();
    assertReceived(block);
    assertThat(at(HOST).take(packet(block, "d"))).isTrue();
    assertReceived(block);
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void aReplayIsRefusedUntilTheBlockStoreIsReopened(Map<String, String> block) throws Exception {
    StorageAssociations associations = at(HOST);
    associations.take(packet(block, "d"));
    assertThatThrownBy(() -> associations.take(packet(block, "d")))
        .isInstanceOfSatisfying(
            WireException.class, e -> assertThat(e.reason()).isEqualTo(Drop.SEQUENCE_REPLAYED));
    associations.reset(unnamed());
    associations.take(packet(block, "d"));
    assertThat(received).hasSize(2);
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void aChangedSourceAppliesAndTheReplayWindowStays(Map<String, String> block) throws Exception {
    StorageAssociations associations = new StorageAssociations();
    associations.addListener(received::add);
    install(associations, OTHER, HOST);
    install(associations, MOTE, HOST);
    associations.take(packet(block, "d"));
    assertReceived(block);
    install(associations, OTHER, HOST);
    install(associations, MOTE, HOST);
    assertThatThrownBy(() -> associations.take(packet(block, "d")))
        .isInstanceOfSatisfying(
            WireException.class, e -> assertThat(e.reason()).isEqualTo(Drop.SEQUENCE_REPLAYED));
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void aWrongIcvIsReportedWithTheNumberAsUnverified(Map<String, String> block) throws Exception {
    Ipv6Packet good = packet(block, "b");
    byte[] esp = good.payload().clone();
    esp[esp.length - 20] ^= 1;
    at(HOST).take(good.withPayload(Protocol.ESP, esp));
    assertThat(received.getLast().state()).isEqualTo(StoredBlock.State.UNVERIFIED);
    assertThat(received.getLast().payload()).isEmpty();
    assertThat(received.getLast().number())
        .isEqualTo(Long.parseLong(block.getOrDefault("number", "")));
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void aRightIcvOverDamagedContentIsReportedAsCorrupted(Map<String, String> block)
      throws Exception {
    Ipv6Packet sealed = packet(block, "b");
    Ipv6Packet wrong =
        Ipv6Packet.of(sealed.source(), sealed.destination(), 64, Protocol.UDP, new byte[30]);
    assertThat(StoredBlock.verified("", sealed, wrong).state())
        .isEqualTo(StoredBlock.State.CORRUPTED);
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void otherPacketsAreLeftToThePolicy(Map<String, String> block) throws Exception {
    Ipv6Packet clear =
        Ipv6Packet.of(
            Ipv6Address.parse(MOTE), Ipv6Address.parse(HOST), 64, Protocol.UDP, new byte[8]);
    assertThat(at(HOST).take(clear)).isFalse();
    assertThat(at(HOST).take(packet(block, "c"))).isFalse();
    assertThat(received).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void duringAChangeOfKeysTheSpiNamesTheKey(Map<String, String> block) throws Exception {
    String line = "store esp ctr-xcbc 0x%08x %s %s %s %s%n";
    String file =
        line.formatted(
                0x11000008,
                MOTE,
                HOST,
                "202122232425262728292a2b2c2d2e2fa0a1a2a3",
                "303132333435363738393a3b3c3d3e3f")
            + line.formatted(
                0x11000009,
                MOTE,
                HOST,
                "000102030405060708090a0b0c0d0e0fa0a1a2a3",
                "101112131415161718191a1b1c1d1e1f");
    StorageAssociations associations = new StorageAssociations();
    associations.install(AssociationFile.parse(file, 2).entries(), Map.of());
    associations.addListener(received::add);
    associations.take(packet(block, "d"));
    assertReceived(block);
    associations.reset(unnamed());
    associations.take(packet(block, "d"));
    assertThat(received).hasSize(2);
    byte[] esp = packet(block, "d").payload().clone();
    esp[3] = 8;
    assertThat(associations.take(packet(block, "d").withPayload(Protocol.ESP, esp))).isTrue();
    assertThat(received.getLast().state()).isEqualTo(StoredBlock.State.UNVERIFIED);
  }

  private static final String UNNAMED_KEYS =
      "000102030405060708090a0b0c0d0e0fa0a1a2a3 101112131415161718191a1b1c1d1e1f";
  private static final String ALARM_KEYS =
      "202122232425262728292a2b2c2d2e2fa4a5a6a7 303132333435363738393a3b3c3d3e3f";

  /** The unnamed file of the vectors, and a file with associations of its own. */
  private StorageAssociations twoFiles() throws WireException {
    String ends = MOTE + " " + HOST + " ";
    String text =
        "store esp ctr-xcbc 0x11000009 "
            + (ends + UNNAMED_KEYS)
            + "\nstore=alarms esp ctr-xcbc 0x1100000a "
            + (ends + ALARM_KEYS);
    StorageAssociations associations = new StorageAssociations();
    associations.install(AssociationFile.parse(text, 2).entries(), Map.of());
    associations.addListener(received::add);
    return associations;
  }

  /** The packet with another SPI, as a mote sends a block that was copied with its ICV. */
  private static Ipv6Packet under(Ipv6Packet packet, int spi) throws WireException {
    byte[] esp = packet.payload().clone();
    esp[3] = (byte) spi;
    return packet.withPayload(Protocol.ESP, esp);
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void aBlockWithItsIcvNeverOpensUnderTheAssociationOfAnotherFile(Map<String, String> block)
      throws Exception {
    StorageAssociations files = twoFiles();
    assertThat(files.take(under(packet(block, "d"), 0x0a))).isTrue();
    assertThat(received.getLast().state()).isEqualTo(StoredBlock.State.UNVERIFIED);
    assertThat(received.getLast().store().name()).isEqualTo("alarms");
    files.take(packet(block, "d"));
    assertReceived(block);
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void aBlockThatTheMoteSealsForAnotherFileIsCorrupted(Map<String, String> block) throws Exception {
    byte[] sealed = under(packet(block, "b"), 0x0a).payload();
    byte[] content = Arrays.copyOf(sealed, sealed.length - ICV);
    byte[] icv = new XcbcMac(Hex.parse(ALARM_KEYS.split(" ")[1])).mac(content);
    System.arraycopy(icv, 0, sealed, content.length, ICV);
    twoFiles().take(packet(block, "b").withPayload(Protocol.ESP, sealed));
    assertThat(received.getLast().state()).isEqualTo(StoredBlock.State.CORRUPTED);
    assertThat(received.getLast().store().name()).isEqualTo("alarms");
    assertThat(received.getLast().payload()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void aResetOfOneFileKeepsTheReplayWindowOfAnother(Map<String, String> block) throws Exception {
    StorageAssociations files = twoFiles();
    files.take(packet(block, "d"));
    files.reset(new BlockStoreId(Ipv6Address.parse(MOTE), "alarms"));
    assertThatThrownBy(() -> files.take(packet(block, "d")))
        .isInstanceOfSatisfying(
            WireException.class, e -> assertThat(e.reason()).isEqualTo(Drop.SEQUENCE_REPLAYED));
  }
}
