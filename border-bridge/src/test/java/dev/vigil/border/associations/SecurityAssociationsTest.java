package dev.vigil.border.associations;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.storage.CounterFile;
import dev.vigil.border.storage.DurableCounters;
import dev.vigil.border.storage.RestoredCounters;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Two ends, each with its file of associations and its file of counters. */
class SecurityAssociationsTest {
  private static final String MOTE = "fd00::202:2:2:2";
  private static final String HOST = "fd00::1";
  private static final String STRANGER = "fd00::99";
  private static final String UP = " esp ctr-xcbc 0x11000001 %s %s %s %s\n";
  private static final String UP_ESP = UP.formatted(MOTE, HOST, "a".repeat(40), "b".repeat(32));
  private static final String DOWN_ESP = UP.formatted(HOST, MOTE, "c".repeat(40), "d".repeat(32));
  private static final String UP_AH =
      " ah ah-xcbc 0x11000002 %s %s %s\n".formatted(MOTE, HOST, "e".repeat(32));

  @TempDir Path folder;
  private SecurityAssociations mote;
  private SecurityAssociations host;

  @BeforeEach
  void start() throws Exception {
    mote = end("mote", "out" + UP_ESP + "in" + DOWN_ESP);
    host = end("host", "in" + UP_ESP + "out" + DOWN_ESP);
  }

  private SecurityAssociations end(String name, String file) throws Exception {
    SecurityAssociations end = reopened(name);
    end.install(parse(file), false, true);
    return end;
  }

  private SecurityAssociations reopened(String name) throws IOException {
    return new SecurityAssociations(new CounterFile(folder.resolve(name)), new Random(4301));
  }

  private static AssociationFile parse(String text) throws WireException {
    return AssociationFile.parse(text, 100);
  }

  private static Ipv6Packet udp(String from, String to) throws WireException {
    Ipv6Address source = Ipv6Address.parse(from);
    Ipv6Address destination = Ipv6Address.parse(to);
    byte[] message = new Udp(5683, 5683, new byte[24]).encode(source, destination);
    return Ipv6Packet.of(source, destination, 64, Protocol.UDP, message);
  }

  private static AssociationStatus.Figures figures(SecurityAssociations end, int index) {
    return end.statuses().get(index).figures().get();
  }

  @Test
  void oneEndOpensPacketsThatTheOtherProtects() throws WireException {
    Ipv6Packet sent = udp(MOTE, HOST);
    Ipv6Packet onTheWire = mote.protect(sent);
    assertThat(onTheWire.protocol()).isEqualTo(Protocol.ESP);
    assertThat(host.open(onTheWire)).isEqualTo(sent);
    Ipv6Packet answer = udp(HOST, MOTE);
    assertThat(mote.open(host.protect(answer))).isEqualTo(answer);
    assertThat(figures(host, 0))
        .isEqualTo(new AssociationStatus.Figures(1, 40 + 8 + 24, 0, 0, 0, 0, 0));
    assertThat(figures(host, 1).packets()).isEqualTo(1);
  }

  @Test
  void everyFailureIsCountedUnderItsName() throws WireException {
    Ipv6Packet sent = mote.protect(udp(MOTE, HOST));
    byte[] changed = sent.payload().clone();
    changed[changed.length - 1] ^= 1;
    refuses(Drop.ICV_WRONG, () -> host.open(sent.withPayload(Protocol.ESP, changed)));
    host.open(sent);
    refuses(Drop.SEQUENCE_REPLAYED, () -> host.open(sent));
    refuses(Drop.POLICY, () -> host.open(udp(MOTE, HOST)));
    byte[] otherSpi = sent.payload().clone();
    otherSpi[3] ^= 1;
    refuses(Drop.SA_UNKNOWN, () -> host.open(sent.withPayload(Protocol.ESP, otherSpi)));
    assertThat(figures(host, 0))
        .isEqualTo(new AssociationStatus.Figures(1, 40 + 8 + 24, 1, 1, 1, 0, 0));
  }

  @Test
  void peersWithoutAssociationsBypassOrAreDiscarded() throws Exception {
    Ipv6Packet packet = udp(STRANGER, HOST);
    Ipv6Packet answer = udp(HOST, STRANGER);
    assertThat(host.open(packet)).isSameAs(packet);
    assertThat(host.protect(answer)).isSameAs(answer);
    host.install(parse("in" + UP_ESP), true, false);
    refuses(Drop.POLICY, () -> host.open(packet));
    refuses(Drop.POLICY, () -> host.protect(answer));
  }

  @Test
  void anAgreedAhAroundEspIsNotAcceptedWithOneLayer() throws Exception {
    Ipv6Packet sent = udp(MOTE, HOST);
    host.install(parse("in" + UP_ESP + "in" + UP_AH), false, false);
    refuses(Drop.POLICY, () -> host.open(mote.protect(sent)));
    mote.install(parse("out" + UP_AH), false, false);
    refuses(Drop.POLICY, () -> host.open(mote.protect(sent)));
    mote.install(parse("out" + UP_ESP + "out" + UP_AH), false, false);
    Ipv6Packet both = mote.protect(sent);
    assertThat(both.extensions()).hasSize(1);
    assertThat(host.open(both)).isEqualTo(sent);
  }

  @Test
  void aReloadKeepsNumbersAndWindowsOfUnchangedAssociations() throws Exception {
    Ipv6Packet first = mote.protect(udp(MOTE, HOST));
    host.open(first);
    InstallReport report =
        host.install(parse("# moved\n\nin" + UP_ESP + "in" + UP_AH), false, false);
    assertThat(report).isEqualTo(new InstallReport(1, 1, 1, List.of()));
    refuses(Drop.POLICY, () -> host.open(first));
    host.install(parse("in" + UP_ESP), false, false);
    refuses(Drop.SEQUENCE_REPLAYED, () -> host.open(first));
    assertThat(figures(host, 0).packets()).isEqualTo(1);
  }

  @Test
  void aChangedSourceAppliesAndTheReplayWindowStays() throws Exception {
    Ipv6Packet old = mote.protect(udp(MOTE, HOST));
    host.open(old);
    String moved = UP_ESP.replace(MOTE, STRANGER);
    mote.install(parse("out" + moved), false, false);
    assertThat(host.install(parse("in" + moved), false, false))
        .isEqualTo(new InstallReport(0, 1, 1, List.of()));
    Ipv6Packet replayed =
        Ipv6Packet.of(
            Ipv6Address.parse(STRANGER), old.destination(), 64, Protocol.ESP, old.payload());
    refuses(Drop.SEQUENCE_REPLAYED, () -> host.open(replayed));
    assertThat(host.open(mote.protect(udp(STRANGER, HOST)))).isEqualTo(udp(STRANGER, HOST));
  }

  @Test
  void aReloadAppliesCompressedUdpAtEitherEnd() throws Exception {
    String compressed = UP_ESP.replace(" esp ", " esp-udp ");
    Ipv6Packet sent = udp(MOTE, HOST);
    mote.install(parse("out" + compressed), false, false);
    assertThat(host.open(mote.protect(sent))).isNotEqualTo(sent);
    host.install(parse("in" + compressed), false, false);
    assertThat(host.open(mote.protect(sent))).isEqualTo(sent);
  }

  /** With CTR and CCM the number is the IV, which must not repeat under a key. */
  @Test
  void aChangedLineNeverRepeatsNumbersOfItsCipherKey() throws Exception {
    List<String> lines =
        List.of(
            DOWN_ESP.replace("0x11000001", "0x11000003"),
            DOWN_ESP.replace(MOTE, STRANGER),
            DOWN_ESP.replace("d".repeat(32), "9".repeat(32)),
            DOWN_ESP.replace("c".repeat(40), "c".repeat(32) + "00112233"),
            DOWN_ESP.replace("ctr-xcbc", "ctr-sha1").replace("d".repeat(32), "9".repeat(40)),
            DOWN_ESP);
    long last = sequence(host.protect(udp(HOST, MOTE)));
    for (String line : lines) {
      assertThat(host.install(parse("out" + line), false, false).stopped()).isEmpty();
      String peer = line.contains(STRANGER) ? STRANGER : MOTE;
      long next = sequence(host.protect(udp(HOST, peer)));
      assertThat(next).as(line).isGreaterThan(last);
      last = next;
    }
    host = reopened("host");
    host.install(parse("out" + lines.getFirst()), false, false);
    assertThat(sequence(host.protect(udp(HOST, MOTE)))).isGreaterThan(last);
  }

  /** A store of an earlier version. */
  @Test
  void aStoreWithoutNumbersOfCipherKeysLearnsThemFirst() throws Exception {
    long last = sequence(host.protect(udp(HOST, MOTE)));
    Path counters = folder.resolve("host");
    Files.writeString(counters, Files.readString(counters).replaceAll("(?m)^ipsec/key/.*\n", ""));
    host = reopened("host");
    host.install(parse("out" + DOWN_ESP), false, false);
    host.install(parse("out" + DOWN_ESP.replace("0x11000001", "0x11000003")), false, false);
    assertThat(sequence(host.protect(udp(HOST, MOTE)))).isGreaterThan(last);
  }

  private static long sequence(Ipv6Packet esp) throws WireException {
    return new WireReader(esp.payload()).u64() & 0xffff_ffffL;
  }

  @Test
  void numbersAndWindowsSurviveARestart() throws Exception {
    Ipv6Packet before = mote.protect(udp(MOTE, HOST));
    host.open(before);
    assertThat(host.persist()).isTrue();
    mote = reopened("mote");
    mote.install(parse("out" + UP_ESP), false, false);
    host = reopened("host");
    host.install(parse("in" + UP_ESP), false, false);
    refuses(Drop.SEQUENCE_REPLAYED, () -> host.open(before));
    assertThat(host.open(mote.protect(udp(MOTE, HOST)))).isEqualTo(udp(MOTE, HOST));
  }

  @Test
  void aFullDiskDropsWhatIsReceivedAndWritesOneLineWithoutATrace() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    host = new SecurityAssociations(new FullDisk(folder.resolve("full"), full), new Random(1));
    host.install(parse("in" + UP_ESP), false, true);
    Logger log = (Logger) LoggerFactory.getLogger(SecurityAssociations.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    try {
      full.set(true);
      for (int i = 0; i < 3; i++) {
        host.open(mote.protect(udp(MOTE, HOST)));
        assertThat(host.persist()).isFalse();
      }
      assertThat(lines.list).hasSize(1);
      assertThat(lines.list.getFirst().getFormattedMessage()).endsWith("No space left on device");
      assertThat(lines.list.getFirst().getThrowableProxy()).isNull();
      full.set(false);
      assertThat(host.persist()).isTrue();
    } finally {
      log.detachAppender(lines);
    }
  }

  private record FullDisk(CounterFile file, AtomicBoolean full) implements DurableCounters {
    FullDisk(Path file, AtomicBoolean full) throws IOException {
      this(new CounterFile(file), full);
    }

    @Override
    public OptionalLong load(String name) {
      return file.load(name);
    }

    @Override
    public Map<String, Long> loadAll(String prefix) {
      return file.loadAll(prefix);
    }

    @Override
    public void save(Map<String, Long> numbers) throws IOException {
      if (full.get()) {
        throw new IOException("No space left on device");
      }
      file.save(numbers);
    }
  }

  @Test
  void aLostRecordStopsAnAssociationUntilItHasANewKey() throws Exception {
    Files.delete(folder.resolve("mote"));
    mote = reopened("mote");
    InstallReport report = mote.install(parse("out" + UP_ESP), false, false);
    assertThat(report.stopped())
        .singleElement()
        .asString()
        .startsWith("line 1: there is no record");
    refuses(Drop.SEQUENCE_RECORD_MISSING, () -> mote.protect(udp(MOTE, HOST)));
    assertThat(mote.statuses().getFirst().state().get()).isEqualTo(AssociationState.RECORD_MISSING);
    assertThat(mote.install(parse("out" + UP_ESP), false, false).stopped()).hasSize(1);
    String newKey = "out" + UP.formatted(MOTE, HOST, "1".repeat(40), "2".repeat(32));
    assertThat(mote.install(parse(newKey), false, false).stopped()).isEmpty();
    assertThat(mote.protect(udp(MOTE, HOST)).protocol()).isEqualTo(Protocol.ESP);
  }

  @Test
  void aRecordThatHadNumbersCannotBeginAgain() throws Exception {
    Path counters = folder.resolve("mote");
    Files.writeString(
        counters, Files.readString(counters).replaceAll("(?m)^ipsec/[0-9a-f]+/sent=.*\n", ""));
    mote = reopened("mote");
    assertThat(mote.install(parse("out" + UP_ESP), false, true).stopped()).hasSize(1);
  }

  @Test
  void aRestoredBackupSkipsNumbersThatMayHaveBeenSent() throws Exception {
    RestoredCounters.raise(folder.resolve("mote"), Duration.ofHours(1));
    mote = reopened("mote");
    mote.install(parse("out" + UP_ESP), false, false);
    Ipv6Packet sent = mote.protect(udp(MOTE, HOST));
    assertThat(sequence(sent)).isGreaterThan(3_600_000);
  }

  /** The association of a key that both ends received after the backup of {@code name} was made. */
  private void restoreFromBefore(String name, String file) throws Exception {
    Path backup = folder.resolve("backup");
    Files.copy(folder.resolve(name), backup);
    reopened(name).install(parse(file), false, false);
    Files.move(backup, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    RestoredCounters.raise(folder.resolve(name), Duration.ofHours(1));
  }

  @Test
  void anOutboundKeyFirstUsedAfterTheBackupSendsNothing() throws Exception {
    String later = "out" + UP.formatted(MOTE, HOST, "1".repeat(40), "2".repeat(32));
    restoreFromBefore("mote", later);
    mote = reopened("mote");
    assertThat(mote.install(parse(later), false, false).stopped())
        .singleElement()
        .asString()
        .startsWith("line 1: the restored backup has no record");
    refuses(Drop.SEQUENCE_RECORD_MISSING, () -> mote.protect(udp(MOTE, HOST)));
    assertThat(mote.install(parse(later), false, true).stopped()).hasSize(1);
    mote = reopened("mote");
    assertThat(mote.install(parse(later), false, true).stopped()).hasSize(1);
  }

  @Test
  void anInboundKeyFirstUsedAfterTheBackupAcceptsNothing() throws Exception {
    String keys = UP.formatted(MOTE, HOST, "1".repeat(40), "2".repeat(32));
    restoreFromBefore("host", "in" + keys);
    mote.install(parse("out" + keys), false, true);
    Ipv6Packet recorded = mote.protect(udp(MOTE, HOST));
    host = reopened("host");
    assertThat(host.install(parse("in" + keys), false, true).stopped()).hasSize(1);
    refuses(Drop.SEQUENCE_RECORD_MISSING, () -> host.open(recorded));
  }

  /** The first file after a restore may be older than the last used keys. */
  @Test
  void afterARestoreAnOperatorMustStateThatAKeyIsNew() throws Exception {
    restoreFromBefore("mote", "out" + UP_ESP);
    mote = reopened("mote");
    assertThat(mote.install(parse("out" + UP_ESP), false, false).stopped()).isEmpty();
    String newKey = "out" + UP.formatted(MOTE, HOST, "1".repeat(40), "2".repeat(32));
    assertThat(mote.install(parse(newKey), false, false).stopped()).hasSize(1);
    assertThat(mote.install(parse(newKey), false, true).stopped()).isEmpty();
    Ipv6Packet sent = mote.protect(udp(MOTE, HOST));
    assertThat(sequence(sent)).isOne();
    mote = reopened("mote");
    assertThat(mote.install(parse(newKey), false, false).stopped()).isEmpty();
  }

  @Test
  void anUnwritableRecordChangesNothing() throws Exception {
    DurableCounters full =
        new DurableCounters() {
          @Override
          public OptionalLong load(String name) {
            return OptionalLong.empty();
          }

          @Override
          public Map<String, Long> loadAll(String prefix) {
            return Map.of();
          }

          @Override
          public void save(Map<String, Long> numbers) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    SecurityAssociations end = new SecurityAssociations(full, new Random(1));
    assertThatThrownBy(() -> end.install(parse("out" + UP_ESP), false, true))
        .hasMessage(
            "the record of sequence numbers cannot be written (No space left on device): nothing"
                + " was changed");
    assertThat(end.statuses()).isEmpty();
    assertThat(end.protect(udp(MOTE, HOST)).protocol()).isEqualTo(Protocol.UDP);
  }
}
