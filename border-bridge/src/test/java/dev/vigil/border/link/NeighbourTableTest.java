package dev.vigil.border.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.bridge.Bridge;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.pipeline.DropCounters;
import dev.vigil.border.wire.Drop;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class NeighbourTableTest {
  private static final Instant START = Instant.parse("2026-11-20T10:00:00Z");

  private final NeighbourTable table = new NeighbourTable();

  private void heard(long eui64, Instant now) {
    table.heard(new Eui64(eui64), "ether", now, 200, SecurityLevel.NONE, 50);
  }

  @Test
  void the257thNeighbourIsCountedWithTheOthers() {
    for (int i = 1; i <= NeighbourTable.CAPACITY + 3; i++) {
      heard(i, START);
    }
    assertThat(table.size()).isEqualTo(256);
    assertThat(table.snapshot()).hasSize(256);
    assertThat(table.others().received()).isEqualTo(3);
    assertThat(table.others().octetsIn()).isEqualTo(150);
    table.counters(LinkAddress.of(new Eui64(258))).dropped(Drop.MIC_WRONG);
    assertThat(table.others().drops()).containsExactly(java.util.Map.entry("mic_wrong", 1L));
  }

  @Test
  void aNewNeighbourReplacesOneSilentForTenMinutes() {
    List<String> reported = new ArrayList<>();
    table.addListener(
        new NeighbourListener() {
          @Override
          public void added(Eui64 eui64, Supplier<LinkStatistics> figures) {
            reported.add("+" + eui64.value() + " " + figures.get().received());
          }

          @Override
          public void removed(Eui64 eui64) {
            reported.add("-" + eui64.value());
          }
        });
    for (int i = 1; i <= NeighbourTable.CAPACITY; i++) {
      heard(i, START);
    }
    Instant later = START.plus(NeighbourTable.SILENCE);
    for (int i = 1; i <= NeighbourTable.CAPACITY; i++) {
      if (i != 7) {
        heard(i, later);
      }
    }
    heard(1_000, later);
    assertThat(table.others().received()).as("ten minutes are not over").isEqualTo(1);
    heard(1_000, later.plusMillis(1));
    assertThat(reported).hasSize(258).endsWith("-7", "+1000 0");
    assertThat(table.radioOf(new Eui64(7))).isEmpty();
    assertThat(table.radioOf(new Eui64(1_000))).hasValue("ether");
  }

  @Test
  void onlyNodesOfTheTableAreKnownToReadCompressedIpsec() {
    LinkAddress known = LinkAddress.of(new Eui64(7));
    LinkAddress stranger = LinkAddress.of(new Eui64(8));
    heard(7, Instant.EPOCH);
    assertThat(table.readsCompressedIpsec(known)).isFalse();
    table.sentCompressedIpsec(known);
    table.sentCompressedIpsec(stranger);
    assertThat(table.readsCompressedIpsec(known)).isTrue();
    assertThat(table.readsCompressedIpsec(stranger)).isFalse();
    assertThat(table.readsCompressedIpsec(LinkAddress.BROADCAST)).isFalse();
  }

  @Test
  void onlyNodesOfTheTableThatUsedAContextAreKnownToKnowIt() {
    LinkAddress known = LinkAddress.of(new Eui64(7));
    heard(7, Instant.EPOCH);
    assertThat(table.knowsContexts(known)).isFalse();
    table.usedContext(known);
    table.usedContext(LinkAddress.of(new Eui64(8)));
    assertThat(table.knowsContexts(known)).isTrue();
    assertThat(table.knowsContexts(LinkAddress.of(new Eui64(8)))).isFalse();
    assertThat(table.knowsContexts(LinkAddress.BROADCAST)).isFalse();
  }

  @Test
  void etxFollowsTheLatestFramesAndFailures() {
    LinkCounters tally = new LinkCounters();
    tally.sent(100, 1);
    assertThat(tally.statistics().etx()).isEqualTo(1);
    tally.sent(100, 3);
    assertThat(tally.statistics().etx()).isEqualTo(1.25);
    tally.failed(8);
    LinkStatistics figures = tally.statistics();
    assertThat(figures.etx()).isEqualTo(1.25 + (16 - 1.25) / 8);
    assertThat(figures.retries()).isEqualTo(9);
    assertThat(figures.sent()).isEqualTo(2);
    assertThat(figures.failed()).isEqualTo(1);
    assertThat(figures.octetsOut()).isEqualTo(200);
    for (int i = 0; i < 40; i++) {
      tally.sent(100, 2);
    }
    assertThat(tally.statistics().etx()).isBetween(1.95, 2.05);
  }

  @Test
  void everyDropReasonHasAUniqueLabel() {
    assertThat(Bridge.dropReasons()).extracting(DropCounters::label).doesNotHaveDuplicates();
  }
}
