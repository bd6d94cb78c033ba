package dev.vigil.gateway.cli.recovery;

import dev.vigil.gateway.records.RecordTransfer;
import dev.vigil.store.Store;
import java.time.Instant;

/**
 * Takes back what a restored store would permit again: sessions that were ended and API tokens that
 * were revoked after the backup. Nobody knows which ones, so it concerns all of them.
 *
 * @param sessions that were ended
 * @param suspended API tokens that wait for an administrator, as records of the kind {@link
 *     #SUSPENDED}
 */
record RestoredCredentials(int sessions, int suspended) {
  /** The kinds of records of the module identity. */
  private static final String SESSION = "session";

  private static final String TOKEN = "token";

  /** Records of suspended API tokens, with the bodies and ids that the tokens had. */
  static final String SUSPENDED = "suspended-token";

  /** Records of restorations. A gateway knows by them that passwords may be older than it seems. */
  static final String RESTORATION = "restoration";

  /**
   * A restoration, by its time in milliseconds.
   *
   * @param at when the backup was restored
   * @param backup when the backup was made
   */
  record Restoration(Instant at, Instant backup) {}

  /**
   * @param keepTokens whether the operator confirms that no token was revoked since the backup
   * @throws java.util.concurrent.CompletionException when the store cannot write
   */
  static RestoredCredentials apply(Store store, Instant now, Instant backup, boolean keepTokens) {
    RecordTransfer records = new RecordTransfer(store, now);
    int sessions = records.removeAll(SESSION);
    int suspended = keepTokens ? 0 : records.moveAll(TOKEN, SUSPENDED);
    records.put(
        RESTORATION,
        Long.toString(now.toEpochMilli()),
        new Restoration(now, backup),
        Restoration.class);
    return new RestoredCredentials(sessions, suspended);
  }
}
