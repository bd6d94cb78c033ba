package dev.vigil.gateway.operations;

import dev.vigil.border.Bridge;
import dev.vigil.border.LinkFigures;
import dev.vigil.border.NeighbourWatch;
import dev.vigil.border.RadioStatus;
import dev.vigil.border.ieee802154.Eui64;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Figures of the radio side: in all, by reason, by radio, by neighbour. What a stranger can make
 * grow is bounded: 256 neighbours have series of their own, all others share those of {@code
 * other}; reasons are a fixed list.
 */
final class RadioMeters implements NeighbourWatch {
  private static final String OTHER = "other";

  private final MeterRegistry registry;
  private final Map<String, Series> series = new ConcurrentHashMap<>();

  /** The registry itself holds what it reads only weakly. */
  private record Series(Supplier<LinkFigures> figures, List<Meter> meters) {}

  private RadioMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  static void bind(Bridge bridge, MeterRegistry registry) {
    RadioMeters meters = new RadioMeters(registry);
    Gauge.builder("vigil.radio.neighbours", bridge, Bridge::neighbourCount)
        .description("nodes heard directly")
        .register(registry);
    Gauge.builder("vigil.radio.routes", bridge, RadioMeters::routes)
        .description("nodes of the DODAG that can be reached")
        .register(registry);
    FunctionCounter.builder("vigil.radio.capture.lost", bridge, b -> b.captures().lost())
        .description("packets that readers of live captures were too slow for")
        .register(registry);
    for (Enum<?> reason : Bridge.dropReasons()) {
      FunctionCounter.builder("vigil.radio.dropped", bridge, b -> b.dropped(reason))
          .tags("reason", reason.name().toLowerCase(Locale.ROOT))
          .description("frames and packets dropped")
          .register(registry);
    }
    for (RadioStatus radio : bridge.radios()) {
      meters.radio(bridge, radio.name());
    }
    meters.neighbour(OTHER, bridge::otherNeighbours);
    bridge.watchNeighbours(meters);
  }

  private static double routes(Bridge bridge) {
    return bridge.topology().stream().filter(node -> node.hops() > 0).count();
  }

  private void radio(Bridge bridge, String name) {
    Tags tags = Tags.of("radio", name);
    Supplier<LinkFigures> figures = () -> status(bridge, name).figures();
    series.put(name, new Series(figures, link("vigil.radio.link", tags, figures)));
    Gauge.builder("vigil.radio.link.up", bridge, b -> status(b, name).up() ? 1 : 0)
        .tags(tags)
        .description("1 while the radio works")
        .register(registry);
    Gauge.builder("vigil.radio.link.waiting", bridge, b -> status(b, name).waiting())
        .tags(tags)
        .description("packets that wait to be sent")
        .register(registry);
  }

  private static RadioStatus status(Bridge bridge, String name) {
    return bridge.radios().stream()
        .filter(radio -> radio.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void came(Eui64 eui64, Supplier<LinkFigures> figures) {
    neighbour(eui64.toString(), figures);
  }

  @Override
  public void went(Eui64 eui64) {
    Series gone = series.remove(eui64.toString());
    if (gone != null) {
      gone.meters().forEach(registry::remove);
    }
  }

  private void neighbour(String name, Supplier<LinkFigures> figures) {
    Tags tags = Tags.of("neighbour", name);
    series.put(name, new Series(figures, link("vigil.radio.neighbour", tags, figures)));
  }

  private List<Meter> link(String prefix, Tags tags, Supplier<LinkFigures> figures) {
    List<Meter> made = new ArrayList<>();
    Tags in = tags.and("direction", "in");
    Tags out = tags.and("direction", "out");
    made.add(counter(prefix + ".frames", "frames", in, figures, LinkFigures::received));
    made.add(counter(prefix + ".frames", "frames", out, figures, LinkFigures::sent));
    made.add(counter(prefix + ".octets", "octets", in, figures, LinkFigures::octetsIn));
    made.add(counter(prefix + ".octets", "octets", out, figures, LinkFigures::octetsOut));
    made.add(counter(prefix + ".failed", "frames given up", tags, figures, LinkFigures::failed));
    made.add(
        counter(
            prefix + ".retries",
            "transmissions beyond the first of each frame",
            tags,
            figures,
            LinkFigures::retries));
    made.add(
        counter(
            prefix + ".dropped",
            "dropped; by reason in /api/network",
            tags,
            figures,
            LinkFigures::dropped));
    made.add(
        Gauge.builder(prefix + ".etx", figures, f -> f.get().etx())
            .tags(tags)
            .description("transmissions that a frame is expected to take; 0 while none was sent")
            .register(registry));
    made.add(
        Gauge.builder(prefix + ".heard", figures, f -> seconds(f.get().heardAt()))
            .tags(tags)
            .baseUnit("seconds")
            .description("when the last frame came, seconds since 1970; 0 while none did")
            .register(registry));
    return made;
  }

  private static double seconds(@Nullable Instant at) {
    return at == null ? 0 : at.toEpochMilli() / 1e3;
  }

  private Meter counter(
      String name,
      String description,
      Tags tags,
      Supplier<LinkFigures> figures,
      ToDoubleFunction<LinkFigures> of) {
    return FunctionCounter.builder(name, figures, f -> of.applyAsDouble(f.get()))
        .tags(tags)
        .description(description)
        .register(registry);
  }
}
