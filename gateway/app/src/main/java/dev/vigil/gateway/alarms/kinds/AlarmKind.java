package dev.vigil.gateway.alarms.kinds;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.vigil.gateway.alarms.conditions.EndpointState;
import dev.vigil.gateway.alarms.conditions.Evaluation;
import dev.vigil.gateway.alarms.conditions.GatewaySource;
import dev.vigil.gateway.alarms.conditions.KindDescription;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The condition that a rule watches. One file holds everything about a kind: its label, the fields
 * of its rules, its default rule, its evaluation, its texts, and the interface of its source.
 */
@Schema(
    type = "string",
    allowableValues = {
      "missing",
      "value",
      "battery",
      "rejections",
      "radio-lost",
      "keys-waiting",
      "store",
      "disk",
      "clock",
      "clock-unsynchronised",
      "certificate",
      "northbound",
      "signatures",
      "automation",
      "cluster",
      "cluster-repaired",
      "cluster-snapshot-old",
      "gateway-silent"
    })
public sealed interface AlarmKind {
  /** A kind that is decided for one endpoint from its own changes. */
  sealed interface OfEndpoint extends AlarmKind
      permits MissingEndpoint, ValueOutOfLimits, LowBattery {
    /** Reports the conditions of one endpoint that the rule's scope includes. */
    void evaluate(EndpointState endpoint, Evaluation evaluation);
  }

  /** A kind that is sampled: a state of the gateway, or of domains. */
  sealed interface OfGateway<S extends GatewaySource> extends AlarmKind
      permits HighRejectionRate,
          RadioLost,
          KeysWaiting,
          StoreFailing,
          DiskNearlyFull,
          ClockSet,
          ClockUnsynchronised,
          CertificateExpiring,
          DeliveriesFailing,
          SignaturesDisagree,
          AutomationStopped,
          ClusterUnreachable,
          ClusterRepaired,
          ClusterSnapshotOld,
          GatewaySilent {
    Class<S> source();

    /** Whether all gateways of a cluster share the state, so that one of them evaluates it. */
    default boolean isShared() {
      return false;
    }

    void evaluate(S source, Evaluation evaluation);
  }

  /** All kinds. A separate class ensures that each kind is complete before the list is built. */
  final class Catalogue {
    private static final List<AlarmKind> KINDS =
        List.of(
            new MissingEndpoint(),
            new ValueOutOfLimits(),
            new LowBattery(),
            new HighRejectionRate(),
            new RadioLost(),
            new KeysWaiting(),
            new StoreFailing(),
            new DiskNearlyFull(),
            new ClockSet(),
            new ClockUnsynchronised(),
            new CertificateExpiring(),
            new DeliveriesFailing(),
            new SignaturesDisagree(),
            new AutomationStopped(),
            new ClusterUnreachable(),
            new ClusterRepaired(),
            new ClusterSnapshotOld(),
            new GatewaySilent());

    private Catalogue() {}
  }

  KindDescription description();

  @JsonValue
  default String label() {
    return description().label();
  }

  /** All kinds, in the order in which they are listed. */
  static List<AlarmKind> all() {
    return Catalogue.KINDS;
  }

  /**
   * @throws IllegalArgumentException names all kinds
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static AlarmKind of(String label) {
    return all().stream()
        .filter(kind -> kind.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "takes one of "
                        + all().stream().map(AlarmKind::label).collect(Collectors.joining(", "))));
  }
}
