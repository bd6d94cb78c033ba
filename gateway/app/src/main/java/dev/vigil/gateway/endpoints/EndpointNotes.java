package dev.vigil.gateway.endpoints;

import dev.vigil.gateway.api.EventSource;
import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.gateway.calibrations.CalibratedEndpoints;
import dev.vigil.gateway.calibrations.Calibration;
import dev.vigil.gateway.calibrations.EndpointCalibrations;
import dev.vigil.gateway.labels.EndpointLabel;
import dev.vigil.gateway.labels.LabelJson;
import dev.vigil.gateway.labels.LabelledEndpoints;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.tags.EndpointTags;
import dev.vigil.gateway.tags.TaggedEndpoints;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.store.Store;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The labels, tags and calibrations of endpoints in JSON, and the events about their changes. */
@Component
class EndpointNotes implements EventSource {
  /** The name of their events. A stream reads the endpoint when it sends the event. */
  static final String EVENT = "endpoint";

  private final LabelledEndpoints labelled;
  private final TaggedEndpoints tagged;
  private final CalibratedEndpoints calibrated;
  private final MirrorQueries mirror;

  EndpointNotes(
      LabelledEndpoints labelled,
      TaggedEndpoints tagged,
      CalibratedEndpoints calibrated,
      MirrorQueries mirror) {
    this.labelled = labelled;
    this.tagged = tagged;
    this.calibrated = calibrated;
    this.mirror = mirror;
  }

  /** The label of an endpoint; null: it has none. */
  @Nullable LabelJson label(String id) {
    return labelled.get(id).map(label -> LabelJson.of(label.value())).orElse(null);
  }

  /** The tags of an endpoint in alphabetical order. */
  List<String> tags(String id) {
    return tagged.of(id);
  }

  List<Calibration> calibrations(String id) {
    return calibrated.of(id);
  }

  @Override
  public Store.Subscription follow(long after, Consumer<FeatureEvent> follower) {
    Store.Subscription ofTags =
        tagged.onChange(change -> publish(change, EndpointTags::d, after, follower));
    Store.Subscription ofLabels =
        labelled.onChange(change -> publish(change, EndpointLabel::d, after, follower));
    Store.Subscription ofCalibrations =
        calibrated.onChange(change -> publish(change, EndpointCalibrations::d, after, follower));
    return () -> {
      ofCalibrations.close();
      ofTags.close();
      ofLabels.close();
    };
  }

  private <T> void publish(
      RecordChange<T> change,
      Function<T, String> domain,
      long after,
      Consumer<FeatureEvent> follower) {
    @Nullable Versioned<T> one = change.after() == null ? change.before() : change.after();
    if (one != null && change.position() > after && mirror.standing(change.id()).isPresent()) {
      follower.accept(
          new FeatureEvent(
              EVENT, change.id(), domain.apply(one.value()), change.position(), change.id()));
    }
  }
}
