package dev.vigil.border.link;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TxQueueTest {
  private static final LinkAddress A = LinkAddress.of(new Eui64(1));
  private static final LinkAddress B = LinkAddress.of(new Eui64(2));

  private final TxQueue queue = new TxQueue();

  private static List<byte[]> frames(int... numbers) {
    List<byte[]> frames = new ArrayList<>();
    for (int number : numbers) {
      frames.add(new byte[] {(byte) number});
    }
    return frames;
  }

  /** Takes the next frame and returns its number. */
  private TxQueue.Packet hand(int number) {
    TxQueue.Packet packet = requireNonNull(queue.next());
    assertThat(packet.payloads().removeFirst()).containsExactly(number);
    return packet;
  }

  @Test
  void aNeighboursFramesGoOneAfterAnother() {
    queue.add(A, frames(1, 2), false);
    queue.add(A, frames(3), false);
    TxQueue.Packet first = hand(1);
    assertThat(queue.next()).isNull();
    queue.done(first, true);
    queue.done(hand(2), true);
    queue.done(hand(3), true);
    assertThat(queue.next()).isNull();
    assertThat(queue.size()).isZero();
  }

  @Test
  void aSilentNeighbourDelaysNoOther() {
    queue.add(A, frames(1), false);
    queue.add(B, frames(2, 3), false);
    TxQueue.Packet silent = hand(1);
    queue.done(hand(2), true);
    queue.done(hand(3), true);
    queue.done(silent, false);
    assertThat(queue.size()).isZero();
  }

  @Test
  void neighboursTakeTurns() {
    queue.add(A, frames(1, 2), false);
    queue.add(B, frames(3, 4), false);
    queue.done(hand(1), true);
    queue.done(hand(3), true);
    queue.done(hand(2), true);
    queue.done(hand(4), true);
  }

  @Test
  void aFailedFrameDropsTheRestOfItsPacket() {
    queue.add(A, frames(1, 2, 3), false);
    queue.add(A, frames(4), false);
    queue.done(hand(1), false);
    hand(4);
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void aBroadcastIsSentAlone() {
    queue.add(A, frames(1, 2), false);
    TxQueue.Packet unicast = hand(1);
    queue.add(LinkAddress.BROADCAST, frames(9), false);
    queue.add(B, frames(3), false);
    assertThat(queue.next()).as("it waits for the previous frame").isNull();
    queue.done(unicast, true);
    TxQueue.Packet broadcast = hand(9);
    assertThat(queue.next()).as("the others wait for it").isNull();
    queue.done(broadcast, true);
    hand(2);
    hand(3);
  }

  @Test
  void atMostSixteenFramesAreInFlight() {
    for (int i = 0; i < 20; i++) {
      queue.add(LinkAddress.of(new Eui64(i + 1)), frames(i), false);
    }
    for (int i = 0; i < 16; i++) {
      hand(i);
    }
    assertThat(queue.next()).isNull();
  }

  @Test
  void theQueueIsBoundedInTotalAndForEachNeighbour() {
    for (int i = 0; i < 32; i++) {
      assertThat(queue.add(A, frames(i), false)).isTrue();
    }
    assertThat(queue.add(A, frames(32), false)).isFalse();
    for (int i = 0; i < 32; i++) {
      assertThat(queue.add(LinkAddress.of(new Eui64(i + 2)), frames(i), false)).isTrue();
    }
    assertThat(queue.add(LinkAddress.of(new Eui64(99)), frames(0), false)).isFalse();
  }

  @Test
  void aLateReportDoesNotAffectNewPackets() {
    queue.add(A, frames(1), false);
    TxQueue.Packet before = hand(1);
    queue.clear();
    queue.add(A, frames(2), false);
    queue.done(before, false);
    hand(2);
    assertThat(queue.size()).isEqualTo(1);
  }
}
