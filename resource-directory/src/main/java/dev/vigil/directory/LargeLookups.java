package dev.vigil.directory;

import dev.vigil.directory.catalogue.Effort;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import java.util.concurrent.Semaphore;

/**
 * Lookups that look at much take a place when they have come so far, and there are few: a directory
 * of a million endpoints makes answers of many megabytes. Who has not shown its address comes not
 * even there, for it could not be told such an answer. Any number of threads.
 */
final class LargeLookups {
  /** Ten milliseconds or so; sixteen times what an answer over CoAP holds. */
  static final long LARGE = 1 << 20;

  /** Of such an answer a stranger would be asked for an Echo anyway. */
  static final long FOR_STRANGERS = 1 << 18;

  private static final long BUSY_SECONDS = 1;

  private final Semaphore places;

  LargeLookups(int atATime) {
    this.places = new Semaphore(atATime);
  }

  /** To be closed when the answer is made. */
  Lookup by(Caller caller) {
    return new Lookup(caller.verified());
  }

  /** One lookup; belongs to one thread. */
  final class Lookup implements Effort, AutoCloseable {
    private final boolean verified;
    private long spent;
    private boolean placed;

    private Lookup(boolean verified) {
      this.verified = verified;
    }

    /**
     * @throws ExchangeException 4.01 to a stranger, 5.03 when all places are taken
     */
    @Override
    public void spent(long octets) {
      spent += octets;
      if (!verified && spent > FOR_STRANGERS) {
        throw new ExchangeException(Code.UNAUTHORIZED, "repeat with Echo");
      }
      if (!placed && spent > LARGE) {
        placed = places.tryAcquire();
        if (!placed) {
          throw new ExchangeException(
              Code.SERVICE_UNAVAILABLE,
              "other lookups look at much now; ask again, or for less",
              BUSY_SECONDS);
        }
      }
    }

    @Override
    public void close() {
      if (placed) {
        placed = false;
        places.release();
      }
    }
  }
}
