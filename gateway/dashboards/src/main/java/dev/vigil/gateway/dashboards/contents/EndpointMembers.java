package dev.vigil.gateway.dashboards.contents;

import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.dashboards.DashboardRights.View;
import dev.vigil.gateway.dashboards.contents.ContentJson.MemberJson;
import dev.vigil.gateway.labels.LabelledEndpoints;
import dev.vigil.gateway.tags.TaggedEndpoints;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.Freshness;
import dev.vigil.mirror.read.Presence;
import dev.vigil.mirror.read.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.stereotype.Component;

/** Reads the states of endpoints. */
@Component
class EndpointMembers {
  private static final int MAX_MEMBERS = 300;

  /** Needs attention first. */
  private static final List<Freshness> WORST_FIRST =
      List.of(Freshness.MISSING, Freshness.LATE, Freshness.NOT_TRUSTED, Freshness.ON_TIME);

  private final MirrorQueries mirror;
  private final LabelledEndpoints labels;
  private final TaggedEndpoints tagged;

  EndpointMembers(MirrorQueries mirror, LabelledEndpoints labels, TaggedEndpoints tagged) {
    this.mirror = mirror;
    this.labels = labels;
    this.tagged = tagged;
  }

  /** The name that operators gave an endpoint, or its endpoint name. */
  String name(String id, String ep) {
    return labels
        .get(id)
        .map(label -> Objects.requireNonNullElse(label.value().name(), ep))
        .orElse(ep);
  }

  MemberJson member(EndpointView endpoint) {
    return new MemberJson(
        endpoint.id(),
        name(endpoint.id(), endpoint.ep()),
        endpoint.state().label(),
        LabelsOf.Label.of(endpoint.freshness()),
        endpoint.lastHeard(),
        endpoint.lateAt(),
        endpoint.missingAt());
  }

  /**
   * The number of endpoints of each freshness, and the endpoints themselves.
   *
   * @param members worst state first, then by name
   */
  record Tagged(Map<Freshness, Integer> counts, List<MemberJson> members) {}

  private record Found(String id, String name, Freshness freshness) {}

  /** The endpoints with a tag that a viewer may read. */
  Tagged tagged(String tag, View view) {
    List<Found> found = new ArrayList<>();
    Map<Freshness, Integer> counts = new EnumMap<>(Freshness.class);
    for (String id : mirror.registeredIds()) {
      if (tagged.of(id).contains(tag)) {
        Presence presence = mirror.presence(id).orElse(null);
        Standing standing = mirror.standing(id).orElse(null);
        if (presence != null && standing != null && view.shows(presence.d())) {
          counts.merge(standing.freshness(), 1, Integer::sum);
          found.add(new Found(id, name(id, presence.ep()), standing.freshness()));
        }
      }
    }
    found.sort(
        Comparator.comparing((Found one) -> WORST_FIRST.indexOf(one.freshness()))
            .thenComparing(Found::name)
            .thenComparing(Found::id));
    return new Tagged(
        counts,
        found.stream()
            .limit(MAX_MEMBERS)
            .flatMap(one -> mirror.endpoint(one.id()).stream())
            .map(this::member)
            .toList());
  }
}
