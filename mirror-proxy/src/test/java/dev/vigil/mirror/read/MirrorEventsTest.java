package dev.vigil.mirror.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The events that followers of the feed receive for unusual facts. */
class MirrorEventsTest {
  private static Change change(EndpointName name, Fact... facts) {
    return new Change(7, "a", name, Instant.EPOCH, 3, 2, List.of(facts));
  }

  @Test
  void anEmptyFactIsARemovalForEveryFollower() {
    Change removal =
        change(
            new EndpointName("mote", ""),
            Fact.none(StoreSlots.LEASE),
            Fact.none(StoreSlots.LIFE),
            Fact.none(StoreSlots.KEY),
            Fact.none(StoreSlots.HELD),
            Fact.none(StoreSlots.COMMANDS),
            Fact.none(StoreSlots.UPDATE_KEYS),
            Fact.none(StoreSlots.RECOVERY),
            Fact.none(StoreSlots.VALUE + "temp"),
            Fact.none(StoreSlots.AUDIT));
    assertThat(MirrorEvents.of(removal))
        .extracting(MirrorEvent::kind)
        .containsExactly(MirrorEvent.Kind.WITHDRAWN);
    assertThat(MirrorEvents.auditEntries(removal)).isEmpty();
  }

  @Test
  void anEntryWithHalfOfASurrogatePairStaysReadable() {
    String body =
        "{\"what\":\"set rule \\\\\\ud800"
            + " x\",\"by\":\"a\",\"kind\":\"alarm-rule\",\"record\":\"q\","
            + "\"after\":\"{\\\"name\\\":\\\"\\ud800\\\"}\"}";
    Change change =
        change(
            new EndpointName(".records/alarm-rule", ""),
            new Fact(StoreSlots.AUDIT, Fact.KEEP_ALL, body.getBytes(UTF_8)));
    AuditEntry entry = MirrorEvents.auditEntries(change).getFirst();
    assertThat(entry.action()).isEqualTo("set rule \\\ufffd x");
    assertThat(Objects.requireNonNull(entry.edit()).after()).isEqualTo("{\"name\":\"\ufffd\"}");
  }

  @Test
  void anEntryThatCannotBeReadSaysSo() {
    Change change =
        change(
            new EndpointName("mote", ""),
            new Fact(StoreSlots.AUDIT, Fact.KEEP_ALL, "{\"what".getBytes(UTF_8)));
    assertThat(MirrorEvents.auditEntries(change).getFirst().action())
        .isEqualTo("an entry that this version cannot read");
  }
}
