package dev.vigil.gateway.store.jetstream.messages;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The messages that a lost replica and the stream have in common. Only the end of a stream can be
 * replaced, so these are all messages up to a position.
 *
 * @param end that position
 * @param removed the position up to which these messages were removed from the stream. The replica
 *     that was filled anew has what is still kept of them
 */
public record CommonPrefix(long end, long removed) {
  /** A lost replica of another stream. */
  public static final CommonPrefix NONE = new CommonPrefix(0, 0);

  /**
   * The newest message of an endpoint in a lost replica.
   *
   * @param same whether it is the endpoint's newest message in the replica that was filled anew
   * @param differs whether that replica cannot have had it
   */
  public record Lost(long position, byte[] hash, boolean same, boolean differs) {}

  /**
   * @param endpoints of the lost replica
   * @param first the position of the stream's oldest message
   * @param last the position up to which the stream is compared
   * @param hasRemoved whether messages were removed before the oldest one
   */
  public static CommonPrefix of(
      List<Lost> endpoints, StreamMessages messages, long first, long last, boolean hasRemoved)
      throws InterruptedException {
    List<Lost> newest =
        endpoints.stream().sorted(Comparator.comparingLong(Lost::position)).toList();
    long end =
        readable(
            newest.stream().filter(e -> e.position() >= first && e.position() <= last).toList(),
            messages);
    if (!hasRemoved) {
      return new CommonPrefix(end, 0);
    }
    if (end == 0) {
      end = removed(newest.stream().filter(e -> e.position() < first).toList());
    }
    return new CommonPrefix(end, Math.min(end, first - 1));
  }

  /** Half of the candidates remain after each question. */
  private static long readable(List<Lost> newest, StreamMessages messages)
      throws InterruptedException {
    int same = 0;
    int end = newest.size();
    while (same < end) {
      int middle = (same + end) >>> 1;
      Lost candidate = newest.get(middle);
      if (Arrays.equals(messages.hashNow(candidate.position()), candidate.hash())) {
        same = middle + 1;
      } else {
        end = middle;
      }
    }
    return same == 0 ? 0 : newest.get(same - 1).position();
  }

  /**
   * Messages that were removed cannot be compared, but endpoints that have not changed since then
   * can. If none of them differs, the stream had everything.
   */
  private static long removed(List<Lost> newest) {
    long same = 0;
    for (Lost lost : newest) {
      if (lost.differs()) {
        return same;
      }
      if (lost.same()) {
        same = lost.position();
      }
    }
    return newest.isEmpty() ? 0 : newest.getLast().position();
  }
}
