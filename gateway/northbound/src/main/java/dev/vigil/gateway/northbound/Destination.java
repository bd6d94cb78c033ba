package dev.vigil.gateway.northbound;

import dev.vigil.store.Change;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A system that receives changes of the feed. One thread calls it, with two exceptions: the feed's
 * thread also calls {@link #concerns} and {@link #readings}, and any thread may call {@link #close}
 * and {@link #probe}.
 */
public interface Destination extends AutoCloseable {
  /** Kind and name in the settings, for instance {@code mqtt:home}; the cursor has this name. */
  String name();

  /** Whether a new destination receives the data that the store already contains. */
  boolean replay();

  /** Whether the change must be delivered. */
  boolean concerns(Change change);

  /** Number of facts of a change whose loss would be a gap for the receiver. */
  int readings(Change change);

  /**
   * Connects if necessary.
   *
   * @return whether it made a new connection
   */
  boolean connect() throws IOException, InterruptedException;

  /**
   * Delivers changes in order. After an exception, all changes that were not reported as delivered
   * are delivered again.
   *
   * @param delivered called for each change, in order, after the receiver has acknowledged it
   */
  void deliver(List<Change> changes, Consumer<Change> delivered)
      throws IOException, InterruptedException;

  /** Reports to the receiver how many readings retention removed before they could be delivered. */
  void reportLost(long number) throws IOException, InterruptedException;

  /** Number of changes or messages that the receiver refused permanently since the start. */
  default long refused() {
    return 0;
  }

  /** Sends a message that is marked as a test; empty: this kind of destination has no test. */
  default Optional<Probe> probe() {
    return Optional.empty();
  }

  /** Makes a delivery in progress fail if possible, and every later delivery. */
  @Override
  void close();
}
