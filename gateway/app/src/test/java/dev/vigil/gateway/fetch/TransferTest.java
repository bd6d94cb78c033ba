package dev.vigil.gateway.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.border.blocks.StoredBlock;
import dev.vigil.border.blocks.StoredBlock.State;
import dev.vigil.border.ipv6.Ipv6Address;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** One burst, with a mote that answers as each test requires. */
class TransferTest {
  private static final long SILENCE_MILLIS = 1;
  private static final BlockStoreId STORE = BlockStoreId.unnamed(new Ipv6Address(0xfdL << 56, 1));

  private final BlockingQueue<StoredBlock> inbox = new LinkedBlockingQueue<>();
  private final List<String> requests = new ArrayList<>();

  private static SortedSet<Long> numbers(long... numbers) {
    SortedSet<Long> all = new TreeSet<>();
    for (long number : numbers) {
      all.add(number);
    }
    return all;
  }

  private void arrives(State state, long... numbers) {
    for (long number : numbers) {
      inbox.add(new StoredBlock(STORE, number, state, new byte[54]));
    }
  }

  /** A transfer whose n-th request triggers the n-th action; each answer names blocks 1-5. */
  private Transfer transfer(Runnable... happenings) {
    return new Transfer(
        request -> {
          int index = requests.size();
          requests.add(HexFormat.of().formatHex(request));
          if (index < happenings.length) {
            happenings[index].run();
          }
          return new Burst(numbers(1, 2, 3, 4, 5), numbers(6), 7);
        },
        inbox,
        SILENCE_MILLIS);
  }

  @Test
  void missingBlocksAreRequestedAgainAndKeptOnce() throws Exception {
    Transfer transfer =
        transfer(
            () -> arrives(State.INTACT, 1, 3, 3, 5), () -> arrives(State.INTACT, 1, 4, 2, 4, 9));
    assertThat(transfer.run(new byte[] {(byte) 0xa0})).isEqualTo(7);
    assertThat(requests).containsExactly("a0", "a202020405");
    assertThat(transfer.intact()).containsOnlyKeys(1L, 2L, 3L, 4L, 5L);
    assertThat(transfer.missing()).isEmpty();
    assertThat(transfer.corrupted()).containsExactly(6L);
  }

  @Test
  void blocksThatNeverArriveAreMissing() throws Exception {
    Transfer transfer = transfer(() -> arrives(State.INTACT, 2, 3));
    transfer.run(new byte[0]);
    assertThat(requests).hasSize(5);
    assertThat(transfer.missing()).containsExactly(1L, 4L, 5L);
    assertThat(transfer.intact()).containsOnlyKeys(2L, 3L);
  }

  @Test
  void aWrongIcvMayBeAForgeryThatTheRealBlockFollows() throws Exception {
    Transfer transfer =
        transfer(
            () -> {
              arrives(State.UNVERIFIED, 1, 2);
              arrives(State.INTACT, 1, 3, 4, 5);
            });
    transfer.run(new byte[0]);
    assertThat(transfer.intact()).containsOnlyKeys(1L, 3L, 4L, 5L);
    assertThat(transfer.unverified()).containsExactly(2L);
    assertThat(transfer.missing()).isEmpty();
  }

  @Test
  void aBlockDamagedInTheBlockStoreIsNotRequestedAgain() throws Exception {
    Transfer transfer =
        transfer(
            () -> {
              arrives(State.CORRUPTED, 4);
              arrives(State.INTACT, 1, 2, 3, 5);
            });
    transfer.run(new byte[0]);
    assertThat(requests).hasSize(1);
    assertThat(transfer.corrupted()).containsExactly(4L, 6L);
  }
}
