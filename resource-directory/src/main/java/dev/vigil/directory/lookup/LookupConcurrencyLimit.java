package dev.vigil.directory.lookup;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.limits.WorkLimiter;
import dev.vigil.directory.catalogue.LookupBudget;
import java.util.concurrent.Semaphore;

/**
 * Limits the number of costly lookups that run at a time, and the work of each source. In a
 * directory of a million endpoints an answer can have many megabytes. A lookup takes a permit once
 * its cost exceeds {@link #LARGE}. A caller with an unverified address is stopped earlier, because
 * it may repeat the lookup for each small block. Safe for use by any number of threads.
 */
final class LookupConcurrencyLimit {
  /** About ten milliseconds; sixteen times the longest answer over CoAP. */
  static final long LARGE = 1 << 20;

  /** Some 0.2 ms; 16 KiB of links. */
  static final long UNVERIFIED_LIMIT = 1 << 14;

  private static final long BUSY_SECONDS = 1;

  private final Semaphore permits;
  private final WorkLimiter work;

  LookupConcurrencyLimit(int largeLookups, WorkLimiter work) {
    this.permits = new Semaphore(largeLookups);
    this.work = work;
  }

  /**
   * Begins a lookup; the caller must close it when the answer is complete.
   *
   * @throws ErrorResponseException 4.01 to an unverified caller or 4.29, after too much work
   */
  Lookup begin(Caller caller) {
    work.requireAllowed(caller);
    return new Lookup(caller);
  }

  /** The budget of one lookup; confined to one thread. */
  final class Lookup implements LookupBudget, AutoCloseable {
    private final Caller caller;
    private long cost;
    private boolean permitted;

    private Lookup(Caller caller) {
      this.caller = caller;
    }

    /**
     * @throws ErrorResponseException 4.01 for an unverified caller, 5.03 if no permit is left
     */
    @Override
    public void charge(long octets) {
      cost += octets;
      if (!caller.verified() && cost > UNVERIFIED_LIMIT) {
        throw new ErrorResponseException(Code.UNAUTHORIZED, "repeat with Echo");
      }
      if (!permitted && cost > LARGE) {
        permitted = permits.tryAcquire();
        if (!permitted) {
          throw new ErrorResponseException(
              Code.SERVICE_UNAVAILABLE,
              "too many large lookups are running; retry, or narrow the query",
              BUSY_SECONDS);
        }
      }
    }

    @Override
    public void close() {
      work.charge(caller, cost);
      cost = 0;
      if (permitted) {
        permitted = false;
        permits.release();
      }
    }
  }
}
