package dev.vigil.border.ether;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.radio.RadioDrop;
import dev.vigil.border.radio.TxReport;
import dev.vigil.border.radio.TxStatus;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Addresses and frames come from air.txt; node 1 is ours. */
class AckingMacTest {
  private static final long WAIT = 1_000;
  private final List<String> air = new ArrayList<>();
  private final List<String> up = new ArrayList<>();
  private final List<RadioDrop> drops = new ArrayList<>();
  private final List<TxReport> reports = new ArrayList<>();
  private AckingMac mac;

  @BeforeEach
  void listen() throws WireException {
    mac =
        new AckingMac(
            Eui64.parse("0001000100010001"),
            0xabcd,
            WAIT,
            new AckingMac.Output() {
              @Override
              public void transmit(byte[] psdu) {
                air.add(Hex.format(psdu));
              }

              @Override
              public void deliver(byte[] psdu, int lqi) {
                up.add(Hex.format(psdu));
              }

              @Override
              public void drop(RadioDrop reason) {
                drops.add(reason);
              }
            });
  }

  private static byte[] unicast(int sequence) throws WireException {
    return Hex.parse("61dc%02xcdab02000200020002000100010001000100".formatted(sequence) + "00");
  }

  private static byte[] incoming(int sequence) throws WireException {
    return Hex.parse("61dc%02xcdab01000100010001000200020002000200aa".formatted(sequence));
  }

  private void submit(byte[] psdu, long now) {
    assertThat(mac.submit(psdu, reports::add, now)).isTrue();
  }

  @Test
  void reportsSuccessWhenTheRightSequenceNumberIsAcknowledged() throws WireException {
    submit(unicast(7), 0);
    mac.received(Hex.parse("020008"), 255, 1);
    assertThat(reports).isEmpty();
    mac.received(Hex.parse("020007"), 255, 2);
    assertThat(reports).containsExactly(new TxReport(TxStatus.OK, 1));
    assertThat(mac.deadline()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void retransmitsThreeTimesAndGivesUp() throws WireException {
    submit(unicast(7), 0);
    for (long now = 1; now <= 10 * WAIT; now++) {
      mac.tick(now);
    }
    assertThat(air).hasSize(4).containsOnly(Hex.format(unicast(7)));
    assertThat(reports).containsExactly(new TxReport(TxStatus.NO_ACK, 4));
  }

  @Test
  void sendsOneFrameAfterTheOtherAndBroadcastsWithoutWaiting() throws WireException {
    byte[] broadcast = Hex.parse("41d83acdabffff02000200020002007a");
    submit(unicast(1), 0);
    submit(broadcast, 0);
    submit(unicast(2), 0);
    assertThat(air).hasSize(1);
    mac.received(Hex.parse("020001"), 255, 1);
    assertThat(air).hasSize(3);
    assertThat(reports).containsExactly(new TxReport(TxStatus.OK, 1), new TxReport(TxStatus.OK, 1));
  }

  @Test
  void acknowledgesItsFramesAndDeliversEachOnce() throws WireException {
    mac.received(incoming(9), 200, 0);
    mac.received(incoming(9), 200, 1);
    assertThat(air).containsExactly("020009", "020009");
    assertThat(up).containsExactly(Hex.format(incoming(9)));
    assertThat(drops).containsExactly(RadioDrop.DUPLICATE);
  }

  @Test
  void acceptsASequenceNumberAgainAfterTwentySeconds() throws WireException {
    mac.received(incoming(9), 200, 0);
    mac.received(incoming(9), 200, 20_000_000_000L);
    assertThat(up).hasSize(2);
  }

  @Test
  void ignoresFramesForOtherNodes() throws WireException {
    mac.received(unicast(3), 200, 0);
    mac.received(Hex.parse("61dc09efbe01000100010001000200020002000200aa"), 200, 0); // another PAN
    assertThat(air).isEmpty();
    assertThat(up).isEmpty();
  }

  @Test
  void abortFailsEverythingThatWaits() throws WireException {
    submit(unicast(1), 0);
    submit(unicast(2), 0);
    mac.abort();
    assertThat(reports)
        .containsExactly(new TxReport(TxStatus.ERROR, 1), new TxReport(TxStatus.ERROR, 0));
  }

  @Test
  void refusesFramesBeyondItsQueueAndItsLength() throws WireException {
    assertThat(mac.submit(new byte[126], reports::add, 0)).isFalse();
    for (int i = 0; i < 33; i++) {
      submit(unicast(i), 0);
    }
    assertThat(mac.submit(unicast(40), reports::add, 0)).isFalse();
  }
}
