package dev.vigil.border.ether;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.ether.Medium.AirFrame;
import dev.vigil.border.ether.Medium.Delivery;
import dev.vigil.border.ether.Topology.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MediumTest {
  private static final long OCTET = 32_000;
  private static final long FULL_FRAME = (8 + 125) * OCTET;

  private static Medium medium(Topology topology, int nodes) {
    Medium medium = new Medium(topology, new Random(1), OCTET);
    for (int i = 0; i < nodes; i++) {
      medium.join(new Node(i, null));
    }
    return medium;
  }

  private static AirFrame frame(int octets) {
    return new AirFrame(new byte[octets], 26, false);
  }

  @Test
  void aFullFrameTakesItsAirtimeAndReachesEveryoneElse() {
    Medium medium = medium(Topology.everyone(), 3);
    medium.transmit(0, frame(125), 1_000);
    assertThat(medium.nextEvent()).isEqualTo(1_000 + FULL_FRAME);
    assertThat(medium.due(1_000 + FULL_FRAME - 1)).isEmpty();
    assertThat(medium.due(1_000 + FULL_FRAME)).extracting(Delivery::to).containsExactly(1, 2);
  }

  @Test
  void framesFollowEachOtherWithoutGapWhenPolledLate() {
    Medium medium = medium(Topology.everyone(), 2);
    medium.transmit(0, frame(125), 0);
    medium.transmit(1, frame(125), 0);
    medium.transmit(0, frame(125), 0);
    List<Delivery> all = medium.due(10 * FULL_FRAME);
    assertThat(all)
        .extracting(Delivery::at)
        .containsExactly(FULL_FRAME, 2 * FULL_FRAME, 3 * FULL_FRAME);
  }

  @Test
  void anAcknowledgementGoesAheadOfWaitingFrames() {
    Medium medium = medium(Topology.everyone(), 3);
    medium.transmit(0, frame(125), 0);
    medium.transmit(2, frame(100), 1);
    medium.transmit(1, new AirFrame(new byte[3], 26, true), 2);
    List<Integer> senders = new ArrayList<>();
    medium.due(10 * FULL_FRAME).stream().map(Delivery::from).distinct().forEach(senders::add);
    assertThat(senders).containsExactly(0, 1, 2);
  }

  @Test
  void distantNeighbourhoodsTransmitAtTheSameTime() {
    Medium medium = medium(Topology.parse("0 1\n2 3"), 4);
    medium.transmit(0, frame(125), 0);
    medium.transmit(2, frame(125), 0);
    assertThat(medium.due(FULL_FRAME)).extracting(Delivery::to).containsExactlyInAnyOrder(1, 3);
  }

  @Test
  void aLossyEdgeLosesItsShareAndADelayIsAdded() {
    Medium medium = medium(Topology.parse("0 1 0.3 2"), 2);
    long now = 0;
    int heard = 0;
    for (int i = 0; i < 2_000; i++) {
      medium.transmit(0, frame(10), now);
      long arrival = now + 18 * OCTET + 2_000_000;
      heard += medium.due(arrival).size();
      now = arrival;
    }
    assertThat(heard).isBetween(1_300, 1_500);
  }

  @Test
  void aFloodingNodeLosesOnlyItsOwnFrames() {
    Medium medium = medium(Topology.everyone(), 3);
    int taken = 0;
    for (int i = 0; i < 10_000; i++) {
      taken += medium.transmit(1, frame(125), 0) ? 1 : 0;
    }
    assertThat(taken).isEqualTo(17);
    assertThat(medium.transmit(2, frame(20), 0)).isTrue();
    assertThat(medium.due(100 * FULL_FRAME)).filteredOn(d -> d.from() == 2).hasSize(2);
  }

  @Test
  void framesOfARemovedNodeAreForgotten() {
    Medium medium = medium(Topology.everyone(), 3);
    medium.transmit(0, frame(125), 0);
    medium.transmit(1, frame(125), 0);
    medium.leave(1);
    assertThat(medium.due(10 * FULL_FRAME)).extracting(Delivery::from).containsOnly(0);
  }
}
