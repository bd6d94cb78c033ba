package dev.vigil.border.associations;

import dev.vigil.border.ipsec.Association;
import dev.vigil.border.ipsec.Association.AhProtection;
import dev.vigil.border.ipsec.Association.EspProtection;
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
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The durable number of each association: the highest number that may have been sent, or that was
 * received. Each name contains a hash of the keys, so that a new key begins a new record. The names
 * of sent numbers have a suffix by which a restored backup raises them ({@link RestoredCounters}).
 *
 * <p>With CTR and CCM the number is also the IV. It must not repeat under a cipher key, whatever
 * else of the association changes (RFC 3686, section 7). A record for each cipher key therefore has
 * the highest number that may have been sent under it, and all its associations continue above.
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
   * The name of the record. It depends on direction, profile, SPI, destination and keys, so other
   * changes of the association do not begin a new record.
   */
  static String name(Entry entry) {
    Association association = entry.association();
    byte[] head =
        "%s %s %08x %s "
            .formatted(
                entry.direction(),
                entry.profile().label(),
                association.spi(),
                association.destination())
            .getBytes(StandardCharsets.US_ASCII);
    String hash =
        switch (association.protection()) {
          case AhProtection ah -> hash(head, ah.key());
          case EspProtection esp -> hash(head, esp.key(), esp.integrityKey());
        };
    return PREFIX + hash + (entry.inbound() ? HEARD : RestoredCounters.SENT);
  }

  private static String hash(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return Hex.format(Arrays.copyOf(digest.digest(), 12));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The name of the record of a cipher key; empty for AH and for received packets. */
  private static Optional<String> keyName(Entry entry) {
    if (entry.inbound() || !(entry.association().protection() instanceof EspProtection esp)) {
      return Optional.empty();
    }
    return Optional.of(PREFIX + "key/" + hash(esp.cipherKey()) + RestoredCounters.SENT);
  }

  /** The stored number; empty if the association must not be used. */
  OptionalLong number(Entry entry) {
    OptionalLong own = counters.load(name(entry));
    return own.isEmpty() ? own : OptionalLong.of(Math.max(own.getAsLong(), sentUnderKey(entry)));
  }

  /**
   * The highest number that may have been sent under the entry's cipher key; 0 if there is none.
   */
  private long sentUnderKey(Entry entry) {
    return keyName(entry).map(key -> counters.load(key).orElse(0)).orElse(0L);
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
   * @param entries all associations of the file
   * @param neverUsed whether an operator states that unknown ones were never used
   * @throws IOException if the records cannot be made durable; none was begun then
   */
  void begin(Iterable<Entry> entries, boolean neverUsed) throws IOException {
    long restores = RestoredCounters.restores(counters);
    boolean settled = counters.load(SETTLED).orElse(0) == restores;
    boolean known = counters.load(KNOWN).isPresent() && restores == 0;
    Map<String, Long> batch = new HashMap<>();
    for (Entry entry : entries) {
      String name = name(entry);
      OptionalLong number = number(entry);
      if (number.isPresent()) {
        // A store of an earlier version has no record of the cipher key.
        keyName(entry)
            .filter(key -> counters.load(key).isEmpty())
            .ifPresent(key -> batch.put(key, number.getAsLong()));
        continue;
      }
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

  /** Makes durable that numbers up to this one may be sent, before it returns. */
  void reserve(Entry entry, long upTo) throws IOException {
    Map<String, Long> numbers = new HashMap<>();
    numbers.put(name(entry), upTo);
    keyName(entry).ifPresent(key -> numbers.put(key, upTo));
    counters.save(numbers);
  }

  /** Makes received numbers durable before it returns, by name. */
  void save(Map<String, Long> numbers) throws IOException {
    counters.save(numbers);
  }
}
