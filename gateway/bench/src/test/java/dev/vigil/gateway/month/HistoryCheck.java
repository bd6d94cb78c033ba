package dev.vigil.gateway.month;

import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.history.ArchivedValue;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlValue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Every accepted reading is in the history exactly once, and nothing else is. */
final class HistoryCheck {
  private static final int PAGE = 500;

  private final MirrorQueries mirror;

  HistoryCheck(MirrorQueries mirror) {
    this.mirror = mirror;
  }

  /**
   * @param id of the endpoint
   */
  void check(Ledger ledger, String id) {
    for (String path : MotePlan.PATHS.subList(0, ledger.plan().sensors())) {
      check(ledger, id, path);
    }
  }

  private void check(Ledger ledger, String id, String path) {
    String what = ledger.plan().ep() + "/" + path;
    Map<Long, Long> signed = signed(id, path, what);
    Set<Long> values = new HashSet<>();
    signed.values().forEach(value -> addOnce(ledger, path, values, value));
    // With a wrong clock a reading can be recovered beside its update (docs/threats.md).
    Set<Long> recovered = ledger.clockWasWrong() ? new HashSet<>() : values;
    mirror
        .recoveredValues(id, path)
        .forEach(one -> addOnce(ledger, path, recovered, value(one.value().measurement())));
    ledger
        .accepted(path)
        .forEach(
            (seq, reading) ->
                require(
                    Objects.equals(signed.get(seq), reading.value()),
                    "%s: the accepted update %d with the value %d is kept: %s",
                    what,
                    seq,
                    reading.value(),
                    signed.containsKey(seq)));
  }

  private static void addOnce(Ledger ledger, String path, Set<Long> values, long value) {
    String what = ledger.plan().ep() + "/" + path;
    require(values.add(value), "%s: the value %d is in the history twice", what, value);
    require(
        value >= 0 && value < ledger.nextValue(path),
        "%s: the value %d was never measured",
        what,
        value);
  }

  private Map<Long, Long> signed(String id, String path, String what) {
    Map<Long, Long> signed = new HashMap<>();
    long last = 0;
    List<ArchivedValue> page;
    do {
      page = mirror.archivedValues(id, path, last, PAGE);
      for (ArchivedValue update : page) {
        require(update.seq() > last, "%s: update %d follows %d", what, update.seq(), last);
        last = update.seq();
        require(update.measurements().size() == 1, "%s: update %d is not one reading", what, last);
        signed.put(last, value(update.measurements().getFirst()));
      }
    } while (page.size() == PAGE);
    return signed;
  }

  static long value(ResolvedRecord record) {
    return record.value() instanceof SenmlValue.Number number ? (long) number.value() : -1;
  }

  static void require(boolean holds, String sentence, Object... parts) {
    if (!holds) {
      throw new Violation(sentence.formatted(parts));
    }
  }
}
