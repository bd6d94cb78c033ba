package dev.vigil.gateway.store.sqlite;

import dev.vigil.gateway.store.sqlite.EndpointStateIndex.State;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A change that was decided elsewhere and has its place in a log.
 *
 * @param sequence of its batch; 0 if it had none
 * @param repaired whether the log had lost the change: its number may be lower than H, and versions
 *     before it may be missing
 * @param previous position of the endpoint's previous change in the log; 0 if there is none
 * @param previousHash hash of that change's batch; empty if there is none
 * @param hash of this change's batch
 */
public record LoggedChange(
    Change change,
    long sequence,
    boolean repaired,
    long previous,
    byte[] previousHash,
    byte[] hash) {

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
   * @param gaps the position up to which the log lacks messages
   * @throws BrokenLogException when it does not
   */
  void requireContinues(State before, long gaps) {
    boolean follows = previous == before.position() && Arrays.equals(previousHash, before.hash());
    boolean skips = previous > before.position() && previous <= gaps;
    boolean renewed = before.high() == 0 && (change.version() == 1 || repaired || skips);
    if (!(follows || skips) || !(keepsId(before) ? isNext(before, skips) : renewed)) {
      throw new BrokenLogException(change.endpoint(), change.position());
    }
  }

  /**
   * Whether the change has no effect, because it was decided before the endpoint's newest change.
   * The log refuses such a change unless it no longer has any message of the endpoint. Only a
   * replica that is being filled can tell; for any other replica, the log may have lost its end
   * instead.
   *
   * @param gaps the position up to which the log fills the replica
   * @param voided positions of earlier changes without effect
   */
  boolean isVoid(State before, long gaps, Set<Long> voided) {
    return change.position() <= gaps
        && (previous < before.position()
            || voided.contains(previous) && !(keepsId(before) && isNext(before, false)));
  }

  /**
   * The change that takes the place of a change without effect. The endpoint's next change is
   * decided on it.
   */
  Change withoutEffect(State before) {
    return new Change(
        change.position(),
        before.identity().id(),
        change.endpoint(),
        change.at(),
        before.high(),
        before.version(),
        List.of());
  }

  private boolean isNext(State before, boolean skips) {
    if (repaired || skips) {
      return change.version() > before.version() && change.high() >= before.high();
    }
    return change.version() == before.version() + 1
        && (sequence > 0 ? change.high() > before.high() : change.high() == before.high());
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
