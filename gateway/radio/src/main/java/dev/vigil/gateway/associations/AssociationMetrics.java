package dev.vigil.gateway.associations;

import dev.vigil.border.associations.AssociationState;
import dev.vigil.border.associations.AssociationStatus;
import dev.vigil.border.associations.AssociationStatus.Figures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Metrics of the IPsec associations. The first 256 of the file have their own series, by direction,
 * header and peer. All others share the series of the peer {@code other}.
 */
@Component
class AssociationMetrics implements MeterBinder {
  private static final int MAX_SERIES = 256;
  private static final String OTHER = "other";

  private final AssociationLoader loader;

  /** Guarded by this object's monitor, like the statuses that they refer to weakly. */
  private final List<Meter> meters = new ArrayList<>();

  private final List<List<AssociationStatus>> counted = new ArrayList<>();

  AssociationMetrics(AssociationLoader loader) {
    this.loader = loader;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (AssociationState state : AssociationState.values()) {
      Gauge.builder("vigil.ipsec.associations", loader, l -> count(l, state))
          .tags("state", state.name().toLowerCase(Locale.ROOT))
          .description("associations that end at the gateway")
          .register(registry);
    }
    loader.addListener(() -> replace(registry));
    replace(registry);
  }

  private static long count(AssociationLoader loader, AssociationState state) {
    return loader.statuses().stream().filter(one -> one.state().get() == state).count();
  }

  private synchronized void replace(MeterRegistry registry) {
    meters.forEach(registry::remove);
    meters.clear();
    counted.clear();
    List<AssociationStatus> all = loader.statuses();
    int own = Math.min(all.size(), MAX_SERIES);
    // The block stores of one mote share a series, as do both keys of one during a change of keys.
    all.subList(0, own).stream()
        .collect(
            Collectors.groupingBy(
                one -> List.of(one.direction(), one.header(), one.peer().toString()),
                LinkedHashMap::new,
                Collectors.toList()))
        .forEach((tags, some) -> add(registry, some, tags.get(0), tags.get(1), tags.get(2)));
    List<AssociationStatus> others = all.subList(own, all.size());
    for (String direction : List.of("in", "out", "store")) {
      for (String header : List.of("esp", "ah")) {
        List<AssociationStatus> some =
            others.stream()
                .filter(one -> one.direction().equals(direction) && one.header().equals(header))
                .toList();
        if (!some.isEmpty()) {
          add(registry, some, direction, header, OTHER);
        }
      }
    }
  }

  private void add(
      MeterRegistry registry,
      List<AssociationStatus> some,
      String direction,
      String header,
      String peer) {
    Tags tags = Tags.of("direction", direction, "protocol", header, "peer", peer);
    counted.add(some);
    add(registry, "packets", "packets opened or protected", tags, some, Figures::packets);
    add(registry, "octets", "octets of these packets in clear", tags, some, Figures::octets);
    add(registry, "octets.saved", "octets saved on the air", tags, some, Figures::octetsSaved);
    drops(registry, tags.and("reason", "icv"), some, Figures::icvFailures);
    drops(registry, tags.and("reason", "replay"), some, Figures::replays);
    drops(registry, tags.and("reason", "policy"), some, Figures::policyDrops);
    drops(registry, tags.and("reason", "other"), some, Figures::otherDrops);
  }

  private void drops(
      MeterRegistry registry, Tags tags, List<AssociationStatus> some, ToLongFunction<Figures> of) {
    add(registry, "dropped", "packets dropped", tags, some, of);
  }

  private void add(
      MeterRegistry registry,
      String name,
      String description,
      Tags tags,
      List<AssociationStatus> some,
      ToLongFunction<Figures> of) {
    meters.add(
        FunctionCounter.builder(
                "vigil.ipsec." + name,
                some,
                list -> list.stream().mapToLong(one -> of.applyAsLong(one.figures().get())).sum())
            .tags(tags)
            .description(description)
            .register(registry));
  }
}
