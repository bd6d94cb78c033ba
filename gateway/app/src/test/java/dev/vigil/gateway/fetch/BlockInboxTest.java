package dev.vigil.gateway.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.blocks.StoredBlock;
import dev.vigil.border.ipv6.Ipv6Address;
import org.junit.jupiter.api.Test;

class BlockInboxTest {
  private static final Ipv6Address MOTE = new Ipv6Address(0xfd00L << 48, 1);
  private static final Ipv6Address OTHER = new Ipv6Address(0xfd00L << 48, 2);

  private final BlockInbox inbox = new BlockInbox();

  private void receive(Ipv6Address mote, int blocks) {
    for (int number = 1; number <= blocks; number++) {
      inbox.received(new StoredBlock(mote, number, StoredBlock.State.INTACT, new byte[32]));
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
  void aMoteIsAskedOnceAtATime() {
    assertThat(inbox.open(MOTE)).isPresent();
    assertThat(inbox.open(MOTE)).isEmpty();
    inbox.close(MOTE);
    receive(MOTE, 1);
    assertThat(inbox.open(MOTE).orElseThrow()).isEmpty();
  }
}
