package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.EndpointStateIndex.State;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.StoreException;
import java.util.Arrays;

/**
 * A change that was decided elsewhere and has its place in a log.
 *
 * @param numbered whether its batch had a sequence number, which is then the change's H
 * @param previous position of the endpoint's previous change in the log; 0 if there is none
 * @param previousHash hash of that change's batch; empty if there is none
 * @param hash of this change's batch
 */
public record LoggedChange(
    Change change, boolean numbered, long previous, byte[] previousHash, byte[] hash) {

  long sequence() {
    return numbered ? change.high() : 0;
  }

  /**
   * Whether the change continues an endpoint under its id. Another replica may have forgotten the
   * name and given it a new id.
   */
  boolean keepsId(State before) {
    return before.identity().id().equals(change.id());
  }

  /**
   * Checks that the log continues the endpoint's state: a log that lost or replaced a batch must
   * not lower H.
   *
   * @throws BrokenLogException when it does not
   */
  void requireContinues(State before) {
    boolean follows = previous == before.position() && Arrays.equals(previousHash, before.hash());
    boolean kept =
        change.version() == before.version() + 1
            && (numbered ? change.high() > before.high() : change.high() == before.high());
    boolean renewed = change.version() == 1 && before.high() == 0;
    if (!follows || !(keepsId(before) ? kept : renewed)) {
      throw new BrokenLogException(change.endpoint(), change.position());
    }
  }

  /** The log does not continue the replica. Nothing after that position can be applied. */
  public static final class BrokenLogException extends RuntimeException {
    @java.io.Serial private static final long serialVersionUID = 1L;

    BrokenLogException(EndpointName name, long position) {
      super(
          "the log does not continue this replica at position %d (%s): the cluster has lost or replaced data"
              .formatted(position, name));
    }

    StoreException explained() {
      return new StoreException(String.valueOf(getMessage()), this);
    }
  }
}
