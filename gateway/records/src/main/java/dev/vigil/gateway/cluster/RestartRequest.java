package dev.vigil.gateway.cluster;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Ends this process with an error, so that its supervisor starts it again. Thread-safe. */
@Component
public final class RestartRequest {
  private boolean asked;
  private @Nullable Runnable listener;

  /** Ends the process soon; does not block. */
  public void ask() {
    Runnable waiting;
    synchronized (this) {
      asked = true;
      waiting = listener;
    }
    if (waiting != null) {
      waiting.run();
    }
  }

  public synchronized boolean isAsked() {
    return asked;
  }

  /** Calls a listener when the end is requested, or at once if it has already been requested. */
  public void onAsk(Runnable action) {
    boolean before;
    synchronized (this) {
      listener = action;
      before = asked;
    }
    if (before) {
      action.run();
    }
  }
}
