package dev.vigil.gateway.endpoints;

import dev.vigil.mirror.EndpointView;
import dev.vigil.mirror.Mark;
import dev.vigil.mirror.MirrorProxy;
import dev.vigil.mirror.RejectionCount;
import dev.vigil.mirror.ResourceView;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One endpoint in JSON. What is absent was never told.
 *
 * @param trust unproven, pending, trusted, replaced or revoked
 * @param heldKeyThumbprint of another key that asks for the name
 * @param wakeSeconds how often it means to wake
 * @param freshness on-time, late or missing
 * @param high the highest accepted sequence number
 * @param commands those that wait and the last that ended, oldest first
 * @param rejections how often something was refused since the gateway's start, by reason
 */
record EndpointJson(
    String id,
    String ep,
    String d,
    @Nullable String type,
    String trust,
    String keyThumbprint,
    @Nullable String note,
    @Nullable String heldKeyThumbprint,
    Instant registeredAt,
    Instant expiresAt,
    Instant heardAt,
    long wakeSeconds,
    String freshness,
    long high,
    int pendingCommands,
    List<CommandJson> commands,
    Map<String, Long> rejections,
    List<ResourceJson> resources) {

  /**
   * @param path below {@code /ms/{id}/}, percent-encoded
   * @param value the last one as text
   * @param seq of its update; 0 before the first
   * @param marks stale, delayed, revoked
   */
  record ResourceJson(
      String path,
      String href,
      @Nullable String rt,
      @Nullable String unit,
      @Nullable String value,
      boolean number,
      long seq,
      @Nullable Instant arrivedAt,
      boolean delayed,
      List<String> marks) {}

  static EndpointJson of(EndpointView view, MirrorProxy mirror) {
    return new EndpointJson(
        view.id(),
        view.ep(),
        view.d(),
        view.type(),
        view.state().label(),
        view.jkt(),
        view.note(),
        view.heldJkt(),
        view.registered(),
        view.expires(),
        view.heard(),
        view.wake(),
        words(view.freshness()),
        view.high(),
        view.pendingCommands(),
        commands(mirror, view.id()),
        rejections(mirror.rejections(view.id())),
        view.resources().stream().map(resource -> of(view.id(), resource)).toList());
  }

  static List<CommandJson> commands(MirrorProxy mirror, String id) {
    return mirror.commands(id).stream().map(CommandJson::of).toList();
  }

  private static Map<String, Long> rejections(List<RejectionCount> counts) {
    Map<String, Long> byReason = new TreeMap<>();
    counts.forEach(count -> byReason.put(words(count.reason()), count.count()));
    return byReason;
  }

  private static String words(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static ResourceJson of(String id, ResourceView view) {
    return new ResourceJson(
        view.path(),
        "/ms/" + id + "/" + view.path(),
        view.type(),
        view.unit(),
        view.text(),
        view.number(),
        view.seq(),
        view.arrived(),
        view.marks().contains(Mark.DELAYED),
        view.marks().stream().map(mark -> mark.name().toLowerCase(Locale.ROOT)).sorted().toList());
  }
}
