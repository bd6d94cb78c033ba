package dev.vigil.border.link;

import static dev.vigil.border.WireAssertions.refuses;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.config.LinkSecurityConfig;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.FrameSecurity;
import dev.vigil.border.ieee802154.KeyId;
import dev.vigil.border.ieee802154.LinkKey;
import dev.vigil.border.ieee802154.SecurityHeader;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.storage.CounterFile;
import dev.vigil.border.storage.RestoredCounters;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frame counters of a link key before and after a backup is restored. */
class LinkSecurityStateTest {
  private static final Eui64 ROOT = new Eui64(0x0001000100010001L);
  private static final Eui64 MOTE = new Eui64(0x0002000200020002L);
  private static final SecurityLevel LEVEL = SecurityLevel.ENC_MIC_32;
  private static final byte[] OLD_KEY = new byte[16];
  private static final byte[] LATER_KEY = "used since then.".getBytes(US_ASCII);
  private static final long LAST = 0xffff_ffffL;

  /**
   * The frames that two radios can send in an hour, plus the reserve of {@link RestoredCounters}.
   */
  private static final long IN_AN_HOUR = 3_600_000 + (1 << 20);

  @TempDir Path folder;
  private Path file;
  private Path backup;
  private CounterFile counters;
  private LinkSecurityState state;

  @BeforeEach
  void backUpWithTheOldKeyInUse() throws Exception {
    file = folder.resolve("counters");
    backup = folder.resolve("backup");
    use(OLD_KEY, false);
    sent();
    hear(OLD_KEY, MOTE, 100);
    Files.copy(file, backup);
  }

  private void use(byte[] key, boolean neverUsed) throws IOException {
    if (counters != null) {
      counters.close();
    }
    counters = new CounterFile(file);
    state =
        new LinkSecurityState(
            new LinkSecurityConfig(key, LEVEL, KeyId.IMPLICIT, neverUsed), counters);
  }

  private void restore(Duration elapsed) throws IOException {
    counters.close();
    if (Files.exists(backup)) {
      Files.copy(backup, file, StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.delete(file);
    }
    RestoredCounters.raise(file, elapsed);
  }

  private static Frame frame(Eui64 from, Eui64 to) throws WireException {
    byte[] unsecured =
        Hex.parse("61dc00cdab" + littleEndian(to) + littleEndian(from) + "0102030405060708");
    return Frame.parse(unsecured);
  }

  private static String littleEndian(Eui64 eui64) {
    return Hex.format(
        java.nio.ByteBuffer.allocate(8).putLong(Long.reverseBytes(eui64.value())).array());
  }

  /** The counter of the next frame that the gateway sends. */
  private long sent() throws WireException {
    return requireNonNull(state.seal(frame(ROOT, MOTE), ROOT).security()).frameCounter();
  }

  private void hear(byte[] key, Eui64 from, long counter) throws WireException {
    Frame secured =
        frame(from, ROOT).withSecurity(new SecurityHeader(LEVEL, KeyId.IMPLICIT, counter));
    state.open(FrameSecurity.seal(secured, new LinkKey(key), from));
    assertThat(state.persist()).isTrue();
  }

  @Test
  void aKeyOfTheBackupSendsAboveAllNumbersSentSince() throws Exception {
    for (int i = 0; i < 10_000; i++) {
      sent();
    }
    long before = sent();
    restore(Duration.ofHours(1));
    use(OLD_KEY, false);
    assertThat(sent()).isGreaterThan(before).isGreaterThanOrEqualTo(IN_AN_HOUR);
    hear(OLD_KEY, MOTE, 101);
    refuses(Drop.FRAME_COUNTER_REPLAYED, () -> hear(OLD_KEY, MOTE, 100));
  }

  @Test
  void aKeyFirstUsedAfterTheBackupSendsAboveAllSentNumbers() throws Exception {
    use(LATER_KEY, false);
    assertThat(sent()).isZero();
    restore(Duration.ofHours(1));
    use(LATER_KEY, false);
    assertThat(sent()).isGreaterThanOrEqualTo(IN_AN_HOUR);
    use(LATER_KEY, true);
    assertThat(sent()).as("it has a record now").isGreaterThan(IN_AN_HOUR);
  }

  @Test
  void aSecondRestoreAddsToTheFirst() throws Exception {
    restore(Duration.ofHours(1));
    Files.copy(file, backup, StandardCopyOption.REPLACE_EXISTING);
    use(LATER_KEY, false);
    long before = sent();
    restore(Duration.ofHours(1));
    use(LATER_KEY, false);
    assertThat(sent()).isGreaterThanOrEqualTo(before + IN_AN_HOUR);
  }

  @Test
  void aBackupWithoutCountersCountsAsOneWithoutRecords() throws Exception {
    Files.delete(backup);
    restore(Duration.ofHours(1));
    use(OLD_KEY, false);
    assertThat(sent()).isGreaterThanOrEqualTo(IN_AN_HOUR);
    refuses(Drop.FRAME_COUNTER_REPLAYED, () -> hear(OLD_KEY, MOTE, 101));
  }

  @Test
  void aNeighbourFirstHeardAfterTheBackupIsRefusedUntilItIsForgiven() throws Exception {
    Eui64 later = new Eui64(3);
    hear(OLD_KEY, later, 7);
    restore(Duration.ofHours(1));
    use(OLD_KEY, false);
    refuses(Drop.FRAME_COUNTER_REPLAYED, () -> hear(OLD_KEY, later, 7));
    refuses(Drop.FRAME_COUNTER_REPLAYED, () -> hear(OLD_KEY, later, LAST - 1));
    assertThat(state.forgive(later)).isTrue();
    use(OLD_KEY, false);
    hear(OLD_KEY, later, 8);
    refuses(Drop.FRAME_COUNTER_REPLAYED, () -> hear(OLD_KEY, later, 8));
  }

  @Test
  void aNewKeyStartsFromZeroWhenAnOperatorSaysThatItWasNeverUsed() throws Exception {
    restore(Duration.ofDays(60));
    use(LATER_KEY, false);
    refuses(Drop.FRAME_COUNTER_EXHAUSTED, this::sent);
    byte[] newKey = "never used so...".getBytes(US_ASCII);
    use(newKey, true);
    assertThat(sent()).isZero();
    hear(newKey, MOTE, 0);
    use(newKey, false);
    assertThat(sent()).isPositive();
    hear(newKey, new Eui64(3), 0);

    counters.close();
    RestoredCounters.raise(file, Duration.ofHours(1));
    use(newKey, true);
    assertThat(sent()).isGreaterThanOrEqualTo(IN_AN_HOUR);
    refuses(Drop.FRAME_COUNTER_REPLAYED, () -> hear(newKey, new Eui64(4), 0));
  }

  @Test
  void withoutARestoreAnUnknownKeyStartsFromZero() throws Exception {
    use(LATER_KEY, false);
    assertThat(sent()).isZero();
    hear(LATER_KEY, new Eui64(3), 0);
    assertThat(state.forgive(new Eui64(4))).isFalse();
  }
}
