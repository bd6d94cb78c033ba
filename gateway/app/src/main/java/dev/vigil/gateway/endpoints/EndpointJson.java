package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.bridge.MeshAddresses;
import dev.vigil.gateway.bridge.MeshAddresses.MeshAddress;
import dev.vigil.gateway.calibrations.Calibration;
import dev.vigil.gateway.labels.LabelJson;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.Freshness;
import dev.vigil.mirror.read.KeyView;
import dev.vigil.mirror.read.ResourceView;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.mirror.refusal.RefusalCount;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One endpoint in JSON. Unknown fields are absent.
 *
 * @param trust unproven, pending, trusted, replaced or revoked
 * @param heldKeyThumbprint thumbprint of the first other key that requests the name
 * @param waitingKeys all keys that wait for a decision on the name, oldest first
 * @param wakeSeconds announced wake interval
 * @param freshness on-time, late or missing; not-trusted while its key is not trusted
 * @param lateAt when it becomes late unless it is heard before; absent while its key is not trusted
 * @param missingAt when it becomes missing unless it is heard before; absent like {@code lateAt}
 * @param high highest accepted sequence number
 * @param commands the pending and the last ended commands, oldest first
 * @param label the name and the location that operators gave it
 * @param tags that operators gave it, in alphabetical order
 * @param calibrations of its resources; the values are as it signed them
 * @param meshAddress address in the mesh that its last message came from
 * @param eui64 EUI-64 of that address, 16 hexadecimal digits
 * @param rejections number of refused requests since the gateway's start, by reason
 */
record EndpointJson(
    String id,
    String ep,
    String d,
    @Nullable String type,
    @LabelsOf(TrustState.class) String trust,
    String keyThumbprint,
    @Nullable String note,
    @Nullable String heldKeyThumbprint,
    List<WaitingKeyJson> waitingKeys,
    Instant registeredAt,
    Instant expiresAt,
    Instant heardAt,
    long wakeSeconds,
    @LabelsOf(Freshness.class) String freshness,
    @Nullable Instant lateAt,
    @Nullable Instant missingAt,
    long high,
    int pendingCommands,
    List<CommandJson> commands,
    Map<String, Long> rejections,
    List<ResourceJson> resources,
    @Nullable LabelJson label,
    List<String> tags,
    List<Calibration> calibrations,
    @Nullable String meshAddress,
    @Nullable String eui64) {

  /**
   * @param path percent-encoded, relative to the path of the endpoint
   * @param name SenML name of the last value
   * @param value the last value: number, text, true or false; octets in base64url; absent before
   *     the first, and when there is only a sum
   * @param writable whether it takes commands, according to its link and its past commands
   * @param control the values that commands give it; absent if it takes no commands
   * @param seq sequence number of its update; 0 before the first
   * @param marks stale, delayed, revoked
   */
  record ResourceJson(
      String path,
      String href,
      @Nullable String rt,
      @Nullable String name,
      @Nullable String unit,
      @Schema(types = {"number", "string", "boolean"}) @Nullable Object value,
      @Nullable Double sum,
      boolean writable,
      @Nullable ControlJson control,
      long seq,
      @Nullable Instant arrivedAt,
      boolean delayed,
      @LabelsOf(ValueMark.class) List<String> marks) {}

  static EndpointJson of(
      EndpointView view, MirrorQueries mirror, EndpointNotes notes, MeshAddresses mesh) {
    MeshAddress address = mirror.address(view.id()).flatMap(mesh::of).orElse(null);
    return new EndpointJson(
        view.id(),
        view.ep(),
        view.d(),
        view.type(),
        view.state().label(),
        view.jkt(),
        view.note(),
        heldKey(view),
        view.waiting().stream().map(WaitingKeyJson::of).toList(),
        view.registered(),
        view.expires(),
        view.lastHeard(),
        view.wake(),
        LabelsOf.Label.of(view.freshness()),
        view.lateAt(),
        view.missingAt(),
        view.high(),
        view.pendingCommands(),
        commands(mirror, view.id()),
        rejections(mirror.refusals(view.id())),
        view.resources().stream().map(resource -> of(view.id(), resource)).toList(),
        notes.label(view.id()),
        notes.tags(view.id()),
        notes.calibrations(view.id()),
        address == null ? null : address.address(),
        address == null ? null : address.eui64());
  }

  private static @Nullable String heldKey(EndpointView view) {
    return view.waiting().stream().filter(KeyView::held).map(KeyView::jkt).findFirst().orElse(null);
  }

  static List<CommandJson> commands(MirrorQueries mirror, String id) {
    return mirror.commands(id).stream().map(CommandJson::of).toList();
  }

  private static Map<String, Long> rejections(List<RefusalCount> counts) {
    Map<String, Long> byReason = new TreeMap<>();
    counts.forEach(count -> byReason.put(LabelsOf.Label.of(count.reason()), count.count()));
    return byReason;
  }

  static ResourceJson of(String id, ResourceView view) {
    return new ResourceJson(
        view.path(),
        "/ms/" + id + "/" + view.path(),
        view.type(),
        view.name(),
        view.unit(),
        HistoryJson.plain(view.value()),
        view.sum(),
        view.writable(),
        view.writable() ? ControlJson.of(view.control()) : null,
        view.seq(),
        view.arrived(),
        view.marks().contains(ValueMark.DELAYED),
        view.marks().stream().map(LabelsOf.Label::of).sorted().toList());
  }
}
