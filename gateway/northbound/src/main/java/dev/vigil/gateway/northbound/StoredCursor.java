package dev.vigil.gateway.northbound;

import com.fasterxml.jackson.annotation.JsonAlias;

/**
 * The progress of a destination in the feed.
 *
 * @param position every change up to this position was delivered or does not concern the
 *     destination
 * @param counted every change up to this position was examined
 * @param last position of the last change that concerns the destination
 * @param waiting readings that were committed after {@code position}, up to {@code counted}
 * @param lost readings that retention removed before they could be delivered
 * @param reported number of lost readings that were reported to the receiver; cursors that earlier
 *     versions stored call it {@code told}
 */
record StoredCursor(
    long position,
    long counted,
    long last,
    long waiting,
    long lost,
    @JsonAlias("told") long reported) {

  static StoredCursor at(long position) {
    return new StoredCursor(position, position, position, 0, 0, 0);
  }

  boolean hasWork() {
    return last > position || lost > reported;
  }

  StoredCursor withCounted(long at, boolean concerns, int readings) {
    return new StoredCursor(position, at, concerns ? at : last, waiting + readings, lost, reported);
  }

  StoredCursor withDelivered(long at, int readings) {
    return new StoredCursor(at, counted, last, Math.max(0, waiting - readings), lost, reported);
  }

  StoredCursor skippedTo(long at) {
    return new StoredCursor(Math.max(position, at), counted, last, waiting, lost, reported);
  }

  StoredCursor withLost(long number) {
    return new StoredCursor(position, counted, last, waiting - number, lost + number, reported);
  }

  StoredCursor withReported(long number) {
    return new StoredCursor(position, counted, last, waiting, lost, number);
  }
}
