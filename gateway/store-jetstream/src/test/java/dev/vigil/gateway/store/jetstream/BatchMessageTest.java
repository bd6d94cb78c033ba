package dev.vigil.gateway.store.jetstream;

import static dev.vigil.store.contract.StoreTesting.NOON;
import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.lasting;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.store.jetstream.BatchMessage.BatchId;
import dev.vigil.gateway.store.sqlite.SqliteReplica.Known;
import dev.vigil.gateway.store.sqlite.rows.KeptChange;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.contract.StoreTesting;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Messages are read as they were written; other octets are refused in one line. */
class BatchMessageTest {
  private static final BatchId ID = new BatchId(-5, 7);
  private static final Known NEW = new Known("", 0, 0, 0, new byte[0]);
  private static final Known KNOWN = new Known("1z", 41, 9, 77, new byte[16]);

  /** The offset of the time in an update of {@link #KNOWN}. */
  private static final int TIME = 62;

  private static final Batch UPDATE =
      numbered(
          new EndpointName("mote ä", "plant"),
          42,
          lasting("value/temp", 100, "21.5"),
          fact("audit", Fact.KEEP_ALL, "line"),
          Fact.none("ms"));

  private static String describe(BatchMessage message) {
    Change change = message.change(500, new byte[16]).change();
    return StoreTesting.describe(change)
        + change.facts().stream().map(Fact::keepsOlder).toList()
        + List.of(message.batch(), message.previous(), message.sequence())
        + HexFormat.of().formatHex(message.previousHash());
  }

  @Test
  void aMessageIsReadAsItWasWritten() {
    for (Known before : List.of(NEW, KNOWN)) {
      for (Batch batch : List.of(UPDATE, plain(mote("m")))) {
        BatchMessage message = BatchMessage.decide(ID, before, batch);
        BatchMessage read = BatchMessage.decode(message.encode());
        assertThat(describe(read)).isEqualTo(describe(message));
        assertThat(read.encode()).isEqualTo(message.encode());
      }
    }
  }

  @Test
  void aRepairedMessageHasItsOwnNumberAndNeverLowersH() {
    KeptChange lost = new KeptChange(60, NOON, 40, 40, 12, List.of(fact("v", 1, "lost")));
    BatchMessage message = BatchMessage.repair(ID, KNOWN, mote("m"), "1z", lost);
    BatchMessage read = BatchMessage.decode(message.encode());
    assertThat(read.encode()).isEqualTo(message.encode());
    assertThat(List.of(read.sequence(), read.high(), read.version()))
        .containsExactly(40L, 41L, 12L);
    assertThat(read.repaired()).isTrue();
  }

  @Test
  void anEndpointKeepsItsIdAndANewOneHasItsPosition() {
    assertThat(BatchMessage.decide(ID, KNOWN, UPDATE).after(80, new byte[16]).id()).isEqualTo("1z");
    BatchMessage created = BatchMessage.decide(ID, NEW, UPDATE);
    assertThat(created.change(71, new byte[16]).change().id()).isEqualTo("1z");
    assertThat(created.version()).isEqualTo(1);
    BatchMessage reserved = BatchMessage.decide(ID, NEW, plain(mote(".trust")));
    assertThat(reserved.change(71, new byte[16]).change().id()).isEqualTo(".1z");
  }

  @Test
  void timesBefore1970AreKept() {
    Batch old =
        new Batch(
            mote("m"), NOON.minusSeconds(3L << 31), UPDATE.sequence(), UPDATE.version(), List.of());
    BatchMessage message = BatchMessage.decide(ID, NEW, old);
    assertThat(BatchMessage.decode(message.encode()).at()).isEqualTo(old.at());
  }

  @Test
  void aTimeWhoseMicrosecondsCannotBeCountedIsRefused() {
    byte[] octets = BatchMessage.decide(ID, KNOWN, UPDATE).encode();
    ByteBuffer time = ByteBuffer.wrap(octets, TIME, Long.BYTES).slice();
    time.putLong(0, Long.MIN_VALUE + 1_000_000);
    assertThat(BatchMessage.decode(octets).encode()).isEqualTo(octets);
    time.putLong(0, Long.MIN_VALUE + 999_999);
    assertThatThrownBy(() -> BatchMessage.decode(octets))
        .isInstanceOf(SignedObjectException.class)
        .hasMessageContaining("the time is out of range");
  }

  @Test
  void everyBeginningAndEveryAdditionIsRefused() {
    byte[] octets = BatchMessage.decide(ID, KNOWN, UPDATE).encode();
    for (int length = 0; length < octets.length; length++) {
      byte[] beginning = Arrays.copyOf(octets, length);
      assertThatThrownBy(() -> BatchMessage.decode(beginning))
          .isInstanceOf(SignedObjectException.class);
    }
    byte[] longer = Arrays.copyOf(octets, octets.length + 1);
    assertThatThrownBy(() -> BatchMessage.decode(longer))
        .isInstanceOf(SignedObjectException.class)
        .hasMessageContaining("further octets");
  }

  @Test
  void anotherFormatIsNamed() {
    byte[] octets = BatchMessage.decide(ID, KNOWN, UPDATE).encode();
    octets[0] = 2;
    assertThatThrownBy(() -> BatchMessage.decode(octets)).hasMessageContaining("format 2");
  }

  @Test
  void mutationsAreRefusedOrWrittenUnchanged() {
    Random random = new Random(35);
    byte[] octets = BatchMessage.decide(ID, KNOWN, UPDATE).encode();
    for (int i = 0; i < 20_000; i++) {
      byte[] mutated = octets.clone();
      for (int n = 1 + random.nextInt(4); n > 0; n--) {
        mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
      }
      message(mutated);
    }
  }

  /** A message is refused in one line, or its octets are the only ones that mean it. */
  static void message(byte[] octets) {
    try {
      BatchMessage read = BatchMessage.decode(octets);
      assertThat(read.encode()).isEqualTo(octets);
      assertThat(read.change(1, BatchMessage.hash(octets)).change().id()).isNotEmpty();
    } catch (SignedObjectException e) {
      assertThat(e.line()).isNotEmpty().doesNotContain("\n").hasSizeLessThan(200);
    }
  }
}
