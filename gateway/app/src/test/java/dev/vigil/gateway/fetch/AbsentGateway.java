package dev.vigil.gateway.fetch;

import dev.vigil.gateway.testing.MirrorInMemory;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.model.RecoveredValue;
import dev.vigil.mirror.state.RecoveredReadings.Recovered;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A gateway that is absent for some time, and a mote that keeps its readings. */
abstract class AbsentGateway {
  static final Duration WAKE = Duration.ofSeconds(10);
  static final Duration DAY = Duration.ofDays(1);
  static final int WAKE_UPS = (int) DAY.dividedBy(WAKE) - 1;
  static final String[] SENSORS = {"temp", "load"};
  static final String LINKS = "</temp>;rt=\"temperature\",</load>;rt=\"load\"";

  final SleepyEndpoint endpoint = new SleepyEndpoint("mote-1");
  final StoringMote mote = new StoringMote(SENSORS);
  final Path folder;
  MirrorInMemory gateway;
  String id;
  long seq = 1;

  AbsentGateway(Path folder) {
    this.folder = folder;
    gateway = new MirrorInMemory(folder, WAKE);
    id = gateway.registered(endpoint, LINKS);
    for (int i = 0; i < 3; i++) {
      wakeUp(true);
    }
  }

  /** The mote stores each reading, and sends the readings that it can. */
  final void wakeUp(boolean reachesGateway) {
    gateway.forward(WAKE);
    for (int sensor = 0; sensor < SENSORS.length; sensor++) {
      seq++;
      mote.store(sensor, (int) (seq % 1000), gateway.instant().getEpochSecond(), seq & 0xffff);
      if (reachesGateway) {
        String update = endpoint.update(SENSORS[sensor], seq, seq % 1000 / 10.0);
        gateway.put(id, SENSORS[sensor], update);
      }
    }
  }

  final void beAway(int wakeUps) {
    for (int i = 0; i < wakeUps; i++) {
      wakeUp(false);
    }
    wakeUp(true);
  }

  final GapFiller filler() {
    return new GapFiller(
        mote.readings()::fetch,
        mote.readings()::stores,
        gateway.mirror().queries(),
        gateway.mirror().recovery());
  }

  final GapFiller.Outcome fill() {
    return fill(filler());
  }

  /** All turns of an endpoint; throws its refusal. */
  final GapFiller.Outcome fill(GapFiller filler) {
    GapFiller.Outcome turn = filler.fill(id, StoringMote.ADDRESS);
    int gaps = turn.gaps();
    int readings = turn.readings();
    while (turn.more()) {
      turn = filler.fill(id, StoringMote.ADDRESS);
      readings += turn.readings();
    }
    if (turn.refusal() != null) {
      throw turn.refusal();
    }
    return new GapFiller.Outcome(gaps, readings, turn.lost(), false, null);
  }

  final List<RecoveredValue> recovered(String path) {
    return gateway.mirror().queries().recoveredValues(id, path).stream()
        .map(Recovered::value)
        .toList();
  }

  /** The numbers of everything that the mirror has of a resource, signed and recovered. */
  final List<Long> everyNumber(String path) {
    List<Long> numbers = new ArrayList<>();
    gateway
        .mirror()
        .queries()
        .archivedValues(id, path, 0, 20_000)
        .forEach(v -> numbers.add(v.seq()));
    recovered(path).forEach(value -> numbers.add(value.seq()));
    numbers.sort(Long::compare);
    return numbers;
  }

  static List<Long> everySecondNumber(long first, long last) {
    List<Long> numbers = new ArrayList<>();
    for (long number = first; number <= last; number += SENSORS.length) {
      numbers.add(number);
    }
    return numbers;
  }
}
