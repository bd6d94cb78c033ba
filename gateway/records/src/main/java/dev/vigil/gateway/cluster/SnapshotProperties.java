package dev.vigil.gateway.cluster;

import dev.vigil.gateway.settings.InvalidSettingException;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Snapshots for gateways that start without a replica, and messages that stay in the stream
 * although snapshots cover them.
 *
 * @param every time after which a snapshot is made
 * @param messages number of new messages after which a snapshot is made earlier
 * @param keepMessages number of messages that stay in the stream
 * @param keepAge messages that are younger stay in the stream; a gateway that was down for a
 *     shorter time continues from the stream
 */
public record SnapshotProperties(
    @DefaultValue("6h") Duration every,
    @DefaultValue("2000000") long messages,
    @DefaultValue("100000") long keepMessages,
    @DefaultValue("1h") Duration keepAge) {
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  public static final SnapshotProperties DEFAULT =
      new SnapshotProperties(Duration.ofHours(6), 2_000_000, 100_000, Duration.ofHours(1));

  public SnapshotProperties {
    requireTime("every", every);
    requireTime("keep-age", keepAge);
    requireNumber("messages", messages);
    requireNumber("keep-messages", keepMessages);
  }

  private static void requireTime(String name, Duration time) {
    if (time.compareTo(SHORTEST) < 0) {
      throw new InvalidSettingException(
          "cluster.snapshots." + name, "takes one second or more, not " + time);
    }
  }

  private static void requireNumber(String name, long number) {
    if (number < 1) {
      throw new InvalidSettingException(
          "cluster.snapshots." + name, "takes a number above 0, not " + number);
    }
  }
}
