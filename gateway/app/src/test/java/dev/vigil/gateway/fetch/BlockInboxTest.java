package dev.vigil.gateway.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.border.blocks.StoredBlock;
import dev.vigil.border.ipv6.Ipv6Address;
import org.junit.jupiter.api.Test;

class BlockInboxTest {
  private static final BlockStoreId MOTE = BlockStoreId.unnamed(new Ipv6Address(0xfd00L << 48, 1));
  private static final BlockStoreId OTHER = BlockStoreId.unnamed(new Ipv6Address(0xfd00L << 48, 2));
  private static final BlockStoreId NAMED = new BlockStoreId(MOTE.mote(), "alarms");

  private final BlockInbox inbox = new BlockInbox();

  private void receive(BlockStoreId store, int blocks) {
    for (int number = 1; number <= blocks; number++) {
      inbox.received(new StoredBlock(store, number, StoredBlock.State.INTACT, new byte[32]));
    }
  }

  @Test
  void keepsTwoBurstsOfAMoteThatIsAskedAndNothingOfOthers() {
    var queue = inbox.open(MOTE).orElseThrow();
    receive(MOTE, 1_000);
    receive(OTHER, 1_000);
    assertThat(queue).hasSize(64);
    assertThat(inbox.open(OTHER).orElseThrow()).isEmpty();
  }

  @Test
  void aBlockOfAnotherFileOfTheSameMoteIsNotTakenForOneOfThis() {
    var unnamed = inbox.open(MOTE).orElseThrow();
    var named = inbox.open(NAMED).orElseThrow();
    receive(NAMED, 3);
    assertThat(unnamed).isEmpty();
    assertThat(named).hasSize(3);
  }

  @Test
  void aBlockStoreIsAskedOnceAtATime() {
    assertThat(inbox.open(MOTE)).isPresent();
    assertThat(inbox.open(MOTE)).isEmpty();
    inbox.close(MOTE);
    receive(MOTE, 1);
    assertThat(inbox.open(MOTE).orElseThrow()).isEmpty();
  }
}
