package dev.vigil.gateway.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.model.RecoveredValue;
import dev.vigil.store.EndpointName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readings of an absence move from the mote's block store to the mirror's history. */
class GapFillerTest extends AbsentGateway {
  GapFillerTest(@TempDir Path folder) {
    super(folder);
  }

  @Test
  void aDaysOutageIsBackfilledCompletely() {
    Instant before = gateway.instant();
    beAway(WAKE_UPS);

    GapFiller.Outcome outcome = fill();

    assertThat(outcome.readings()).isEqualTo(SENSORS.length * WAKE_UPS);
    assertThat(outcome.lost()).isEmpty();
    assertThat(everyNumber("temp")).isEqualTo(everySecondNumber(2, seq - 1));
    assertThat(everyNumber("load")).isEqualTo(everySecondNumber(3, seq));
    List<RecoveredValue> temps = recovered("temp");
    assertThat(temps).hasSize(WAKE_UPS);
    for (int i = 0; i < WAKE_UPS; i++) {
      RecoveredValue one = temps.get(i);
      assertThat(one.measured()).isEqualTo(before.plus(WAKE.multipliedBy(i + 1)));
      assertThat(one.value().doubleValue()).isEqualTo(one.seq() % 1000 / 10.0);
      assertThat(one.name()).isEqualTo("mote-1/temp");
      assertThat(one.unit()).isEqualTo("Cel");
      assertThat(one.mote()).isEqualTo(StoringMote.ADDRESS.toString());
    }
  }

  @Test
  void recoveredReadingsSurviveARestartAndAreNotFetchedAgain() {
    beAway(50);
    assertThat(fill().readings()).isEqualTo(100);
    List<RecoveredValue> temps = recovered("temp");

    gateway.restart();

    assertThat(recovered("temp")).isEqualTo(temps);
    mote.answer(0);
    assertThat(fill()).isEqualTo(new GapFiller.Outcome(0, 0, new TreeSet<>(), false, null));
  }

  @Test
  void readingsWithoutAnUpdateAreRecoveredToo() {
    Instant silent = gateway.instant().plus(WAKE);
    for (int i = 0; i < 20; i++) {
      gateway.forward(WAKE);
      mote.store(0, i, gateway.instant().getEpochSecond(), 0);
    }
    wakeUp(true);
    assertThat(fill().readings()).isEqualTo(20);
    assertThat(recovered("temp").getFirst().measured()).isEqualTo(silent);
    assertThat(recovered("temp")).allSatisfy(value -> assertThat(value.seq()).isZero());
  }

  @Test
  void eachOfTwoOutagesIsFilled() {
    beAway(5);
    wakeUp(true);
    beAway(7);
    assertThat(fill()).isEqualTo(new GapFiller.Outcome(2, 24, new TreeSet<>(), false, null));
    assertThat(everyNumber("temp")).isEqualTo(everySecondNumber(2, seq - 1));
  }

  @Test
  void aSteadySeriesHasNoGap() {
    for (int i = 0; i < 5; i++) {
      wakeUp(true);
    }
    mote.answer(0);
    assertThat(fill().gaps()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5})
  void outagesAreFilledAfterTheClockIsSetBack(int wakeUpsBefore) {
    beAway(wakeUpsBefore);
    fill();
    gateway.forward(Duration.ofHours(-2));
    wakeUp(true);
    fill();
    for (int outage = 0; outage < 2; outage++) {
      wakeUp(true);
      beAway(7);
      assertThat(fill().readings()).isEqualTo(SENSORS.length * 7);
    }
  }

  /** After a restoration the numbers jump, and so do the low octets that the block store keeps. */
  @Test
  void aJumpOfNumbersRepeatsNoReading() {
    for (int i = 0; i < 3; i++) {
      wakeUp(false);
    }
    seq += (1L << 28) + 1000;
    gateway.registered(endpoint, LINKS, seq);
    wakeUp(true);

    assertThat(fill().readings()).isEqualTo(SENSORS.length * 3);
  }

  @Test
  void aReadingWhoseUpdateIsOnItsWayIsLeftOut() {
    beAway(5);
    mote.store(1, 1, gateway.instant().getEpochSecond(), seq + 1);
    fill();
    assertThat(everyNumber("load")).isEqualTo(everySecondNumber(3, seq));
  }

  @Test
  void aBlockStoreBelongsToOneEndpoint() {
    beAway(5);
    fill();
    SleepyEndpoint other = new SleepyEndpoint("mote-2");
    String otherId = gateway.registered(other, LINKS);
    gateway.put(otherId, "temp", other.update("temp", 2, 1));
    gateway.forward(DAY);
    gateway.put(otherId, "temp", other.update("temp", 3, 1));
    assertThat(filler().fill(otherId, StoringMote.ADDRESS).refusal())
        .hasMessage("the block store belongs to another endpoint");
    assertThat(gateway.mirror().queries().recoveredValues(otherId, "temp")).isEmpty();
  }

  @Test
  void onlyAnAssociationShowsWhichMoteAnEndpointIs() {
    String forged = StoringMote.ADDRESS.toString();
    gateway.put(id, "temp", endpoint.update("temp", seq + 1, 1), forged, false);
    assertThat(Backfill.mote(gateway.mirror().queries(), id)).isEmpty();

    gateway.put(id, "temp", endpoint.update("temp", seq + 2, 1), "fd00::1", true);
    gateway.put(id, "temp", endpoint.update("temp", seq + 3, 1), forged, false);
    assertThat(Backfill.mote(gateway.mirror().queries(), id))
        .contains(new Ipv6Address(0xfdL << 56, 1));
  }

  @Test
  void anOperatorReassignsABlockStore() {
    beAway(5);
    GapFiller filler = filler();
    fill(filler);
    SleepyEndpoint other = new SleepyEndpoint("mote-2");
    String otherId = gateway.registered(other, LINKS);

    gateway.mirror().recovery().reassign(StoringMote.ADDRESS.toString(), otherId, "alice").join();

    assertThat(recovered("temp")).isEmpty();
    assertThat(gateway.mirror().recovery().owner(StoringMote.ADDRESS.toString()))
        .contains(new EndpointName("mote-2", ""));
    assertThat(gateway.mirror().queries().audit("mote-2", "", 0, 100))
        .anySatisfy(entry -> assertThat(entry.action()).contains("got the block store of"));
    beAway(3);
    assertThatThrownBy(() -> fill(filler))
        .hasMessage("the block store belongs to another endpoint");
    gateway.mirror().recovery().reassign(StoringMote.ADDRESS.toString(), id, "alice").join();
    fill(filler);
    assertThat(everyNumber("temp")).isEqualTo(everySecondNumber(2, seq - 1));
  }
}
