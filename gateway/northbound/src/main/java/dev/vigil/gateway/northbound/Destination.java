package dev.vigil.gateway.northbound;

import dev.vigil.store.Change;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * A system that gets changes of the feed. One thread calls it, but for {@link #concerns}, {@link
 * #readings} (the feed's thread too) and {@link #close} (any).
 */
public interface Destination extends AutoCloseable {
  /** Kind and name of the settings, for instance {@code mqtt:home}; its cursor has this name. */
  String name();

  /** Whether a new destination gets what the store keeps already. */
  boolean replay();

  /** Whether the change is to be delivered. */
  boolean concerns(Change change);

  /** Number of facts of a change whose loss would be a gap for the receiver. */
  int readings(Change change);

  /**
   * Connects, where that is needed.
   *
   * @return whether it connected anew
   */
  boolean connect() throws IOException, InterruptedException;

  /**
   * Delivers changes in their order. After an exception all changes that were not reported as
   * delivered are delivered again.
   *
   * @param delivered called for each change, in order, once the receiver has acknowledged it
   */
  void deliver(List<Change> changes, Consumer<Change> delivered)
      throws IOException, InterruptedException;

  /** Reports to the receiver how many readings retention removed before they could be delivered. */
  void tellLost(long number) throws IOException, InterruptedException;

  /** Changes that the receiver refused for good since the start. */
  default long refused() {
    return 0;
  }

  /** Makes a delivery under way fail where that is possible, and every later one. */
  @Override
  void close();
}
