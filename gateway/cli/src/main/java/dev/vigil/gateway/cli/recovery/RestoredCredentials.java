package dev.vigil.gateway.cli.recovery;

import dev.vigil.gateway.records.RecordTransfer;
import dev.vigil.store.Store;
import java.time.Instant;

/**
 * Ends all sessions, forgets the browsers that get notifications and the links of dashboards, and
 * suspends all API tokens of a restored store. Some of them may have been ended or revoked after
 * the backup, but the backup cannot show which.
 *
 * @param sessions number of ended sessions
 * @param suspended number of API tokens that wait for an administrator, as records of the kind
 *     {@link #SUSPENDED}
 */
record RestoredCredentials(int sessions, int suspended) {
  /** The kinds of records of the modules identity, web-push and dashboards. */
  private static final String SESSION = "session";

  private static final String TOKEN = "token";
  private static final String BROWSER = "push-browser";
  private static final String LINK = "dashboard-link";

  /** The kind of records of suspended API tokens; the records keep the tokens' bodies and ids. */
  static final String SUSPENDED = "suspended-token";

  /**
   * The kind of records of restorations. They tell a gateway that passwords may be older than they
   * seem.
   */
  static final String RESTORATION = "restoration";

  /**
   * A restoration; its id is its time in milliseconds.
   *
   * @param at when the backup was restored
   * @param backup when the backup was made
   */
  record Restoration(Instant at, Instant backup) {}

  /**
   * @param keepTokens whether the operator confirms that no token and no link was revoked since the
   *     backup
   * @throws java.util.concurrent.CompletionException when the store cannot write
   */
  static RestoredCredentials apply(Store store, Instant now, Instant backup, boolean keepTokens) {
    RecordTransfer records = new RecordTransfer(store, now);
    int sessions = records.removeAll(SESSION);
    records.removeAll(BROWSER);
    if (!keepTokens) {
      records.removeAll(LINK);
    }
    int suspended = keepTokens ? 0 : records.moveAll(TOKEN, SUSPENDED);
    records.put(
        RESTORATION,
        Long.toString(now.toEpochMilli()),
        new Restoration(now, backup),
        Restoration.class);
    return new RestoredCredentials(sessions, suspended);
  }
}
