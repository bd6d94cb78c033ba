package dev.vigil.gateway.archive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds gaps in the sequence numbers of one endpoint in an archive. */
final class NumberGaps {
  private static final int MAX_RANGES = 10;

  private long[] numbers = new long[16];
  private int count;

  void add(long seq) {
    if (count == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * count);
    }
    numbers[count++] = seq;
  }

  /**
   * One line for the report; empty without a gap.
   *
   * @param name of the endpoint
   */
  String line(String name) {
    long[] sorted = Arrays.copyOf(numbers, count);
    Arrays.sort(sorted);
    List<String> ranges = new ArrayList<>();
    long missing = 0;
    int more = 0;
    for (int i = 1; i < count; i++) {
      long from = sorted[i - 1] + 1;
      long to = sorted[i] - 1;
      if (from > to) {
        continue;
      }
      missing += to - from + 1;
      if (ranges.size() < MAX_RANGES) {
        ranges.add(from == to ? Long.toString(from) : from + "-" + to);
      } else {
        more++;
      }
    }
    return missing == 0
        ? ""
        : "%s: %d %s between %d and %d %s missing: %s%s"
            .formatted(
                name,
                missing,
                missing == 1 ? "number" : "numbers",
                sorted[0],
                sorted[count - 1],
                missing == 1 ? "is" : "are",
                String.join(", ", ranges),
                more == 0 ? "" : " and " + more + " more gaps");
  }
}
