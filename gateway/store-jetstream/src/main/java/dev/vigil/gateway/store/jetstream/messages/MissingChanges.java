package dev.vigil.gateway.store.jetstream.messages;

import dev.vigil.gateway.store.sqlite.rows.KeptChange;
import dev.vigil.store.Fact;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes of an endpoint that a lost replica has and the stream lacks, as far as they may still
 * be stored. A fact may be stored unless its slot has a newer one: by sequence number, by position
 * where both have the same messages, or by time. Slots that keep all facts take older ones too.
 *
 * @param changes oldest first, each with only its missing facts
 * @param overtaken number of facts that are missing and are not stored, because their slot has
 *     newer ones
 */
public record MissingChanges(List<KeptChange> changes, int overtaken) {
  private record Key(String slot, long sequence, Instant at, ByteBuffer body) {
    /** Numbers are unique at an endpoint. */
    static Key of(KeptChange change, Fact fact) {
      return change.sequence() > 0
          ? new Key(fact.slot(), change.sequence(), Instant.EPOCH, ByteBuffer.allocate(0))
          : new Key(fact.slot(), 0, change.at(), ByteBuffer.wrap(fact.body()));
    }
  }

  /**
   * @param lost the changes of the lost replica, oldest first
   * @param present the changes of the stream, oldest first
   * @param high H in the stream
   * @param common the messages that both have. What was removed from the stream is not missing: the
   *     stream's replicas have what is still kept of it
   * @param messages says which of these the stream still has. Nothing of them is missing either: a
   *     slot may be empty although nobody knows any more that it was cleared
   */
  public static MissingChanges of(
      List<KeptChange> lost,
      List<KeptChange> present,
      long high,
      CommonPrefix common,
      StreamMessages messages)
      throws InterruptedException {
    Set<Key> known = new HashSet<>();
    Map<String, KeptChange> newest = new HashMap<>();
    for (KeptChange change : present) {
      for (Fact fact : change.facts()) {
        known.add(Key.of(change, fact));
        newest.put(fact.slot(), change);
      }
    }
    List<KeptChange> missing = new ArrayList<>();
    int overtaken = 0;
    long raised = high;
    for (KeptChange change : lost) {
      if (change.position() <= common.removed()) {
        continue;
      }
      List<Fact> facts = new ArrayList<>();
      for (Fact fact : change.facts()) {
        if (!known.contains(Key.of(change, fact))) {
          KeptChange last = newest.get(fact.slot());
          if (isTrail(fact, last) || isNewer(change, last, common.end())) {
            facts.add(fact);
          } else if (isHistory(fact)) {
            overtaken++;
          }
        }
      }
      if (!facts.isEmpty()
          && change.position() <= common.end()
          && messages.hashNow(change.position()) != null) {
        facts.clear();
      }
      if (!facts.isEmpty() || change.high() > raised) {
        raised = Math.max(raised, change.high());
        missing.add(
            new KeptChange(
                change.position(),
                change.at(),
                change.sequence(),
                change.high(),
                change.version(),
                facts));
      }
    }
    return new MissingChanges(missing, overtaken);
  }

  /** Whether a slot keeps all facts and was not cleared since. */
  private static boolean isTrail(Fact lost, @Nullable KeptChange newest) {
    return lost.keep() == Fact.KEEP_ALL
        && (newest == null
            || newest.facts().stream()
                .noneMatch(fact -> fact.slot().equals(lost.slot()) && fact.isNone()));
  }

  /** Whether the fact would still be readable if it had not been lost. */
  private static boolean isHistory(Fact fact) {
    return !fact.isNone() && (fact.keep() > 1 || fact.keepsOlder());
  }

  private static boolean isNewer(KeptChange lost, @Nullable KeptChange present, long common) {
    if (present == null) {
      return true;
    }
    if (lost.sequence() > 0 && present.sequence() > 0) {
      return lost.sequence() > present.sequence();
    }
    if (present.position() <= common) {
      return lost.position() > present.position();
    }
    int later = lost.at().compareTo(present.at());
    return later == 0 ? lost.version() > present.version() : later > 0;
  }
}
