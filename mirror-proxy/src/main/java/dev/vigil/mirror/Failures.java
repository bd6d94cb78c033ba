package dev.vigil.mirror;

import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the refusal inside what a future failed with. */
final class Failures {
  private static final Logger log = LoggerFactory.getLogger(Failures.class);

  private Failures() {}

  static Rejection rejection(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    if (cause instanceof Rejection rejection) {
      return rejection;
    }
    log.error("a request failed", cause);
    return new Rejection(Reason.OVERLOADED, "internal error; see the gateway's log");
  }
}
