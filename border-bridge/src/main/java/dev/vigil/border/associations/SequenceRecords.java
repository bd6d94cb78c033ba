package dev.vigil.border.associations;

import dev.vigil.border.ipsec.Association;
import dev.vigil.border.ipsec.AssociationFile.Entry;
import dev.vigil.border.storage.DurableCounters;
import dev.vigil.border.storage.RestoredCounters;
import dev.vigil.border.wire.Hex;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The durable number of each association: the highest number that may have been sent, or that was
 * received. Each name contains a hash of the keys, so that a new key begins a new record. The names
 * of sent numbers have a suffix by which a restored backup raises them ({@link RestoredCounters}).
 *
 * <p>The numbers of an association whose record was lost must not be used again. Two more records
 * distinguish it from a new association: {@code begun} stays with every number, and {@code
 * ipsec/known} states that this store has seen associations before. A store without {@code
 * ipsec/known} may replace one that was lost. The first associations in such a store begin only if
 * an operator states that they were never used.
 *
 * <p>After a restore, {@code known} proves nothing: a missing record may have begun since the
 * backup. The associations of the first file that is then installed ({@code ipsec/settled}) never
 * begin again without a record; later ones begin if an operator states that they were never used.
 */
final class SequenceRecords {
  private static final String PREFIX = "ipsec/";
  private static final String KNOWN = PREFIX + "known";

  /** The number of restores at the time when a file was installed. */
  private static final String SETTLED = PREFIX + "settled";

  private static final String HEARD = "/heard";
  private static final long NOT_BEGUN = 0;
  private static final long BEGUN = 1;

  private final DurableCounters counters;

  SequenceRecords(DurableCounters counters) {
    this.counters = counters;
  }

  /**
   * The name of the record. It depends on all properties of the association, including its keys.
   */
  static String name(Entry entry) {
    try {
      Association association = entry.association();
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      String head =
          "%s %s %08x %s "
              .formatted(
                  entry.direction(),
                  entry.profile().label(),
                  association.spi(),
                  association.destination());
      digest.update(head.getBytes(StandardCharsets.US_ASCII));
      switch (association.protection()) {
        case Association.AhProtection ah -> digest.update(ah.key());
        case Association.EspProtection esp -> {
          digest.update(esp.key());
          digest.update(esp.integrityKey());
        }
      }
      String hash = Hex.format(Arrays.copyOf(digest.digest(), 12));
      return PREFIX + hash + (entry.inbound() ? HEARD : RestoredCounters.SENT);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The stored number; empty if the association must not be used. */
  OptionalLong number(String name) {
    return counters.load(name);
  }

  /** The message to the operator about an association without a record. */
  String whyMissing() {
    return RestoredCounters.restores(counters) > 0
        ? "the restored backup has no record of its sequence numbers, so the association carries"
            + " nothing: give both ends a new key, then load the file once with --new-sa"
        : "there is no record of its sequence numbers, so the association carries nothing: give"
            + " both ends a new key, or use --new-sa if the association was never used";
  }

  /**
   * Begins the records of associations that are new to this store.
   *
   * @param names of the associations without a number
   * @param neverUsed whether an operator states that unknown ones were never used
   * @throws IOException if the records cannot be made durable; none was begun then
   */
  void begin(Iterable<String> names, boolean neverUsed) throws IOException {
    long restores = RestoredCounters.restores(counters);
    boolean settled = counters.load(SETTLED).orElse(0) == restores;
    boolean known = counters.load(KNOWN).isPresent() && restores == 0;
    Map<String, Long> batch = new HashMap<>();
    for (String name : names) {
      OptionalLong begun = counters.load(name + "/begun");
      boolean isNew =
          settled
              && (begun.isEmpty()
                  ? known || neverUsed
                  : neverUsed && begun.getAsLong() == NOT_BEGUN);
      if (isNew) {
        batch.put(name + "/begun", BEGUN);
        batch.put(name, 0L);
      } else if (!settled) {
        batch.put(name + "/begun", BEGUN);
      } else if (begun.isEmpty()) {
        batch.put(name + "/begun", NOT_BEGUN);
      }
    }
    if (!settled) {
      batch.put(SETTLED, restores);
    }
    if (!batch.isEmpty()) {
      batch.put(KNOWN, BEGUN);
      counters.save(batch);
    }
  }

  /** Makes numbers durable before it returns, by name. */
  void save(Map<String, Long> numbers) throws IOException {
    counters.save(numbers);
  }
}
