package dev.vigil.gateway.bridge;

import dev.vigil.border.bridge.Bridge;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.link.LinkStatistics;
import dev.vigil.border.link.NeighbourListener;
import dev.vigil.border.link.RadioStatus;
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
 * Metrics of the radio: totals, by reason, by radio, by neighbour. Unauthenticated frames cannot
 * create series without bound: at most 256 neighbours have their own series, and all others share
 * the series of {@code other}. The reasons are a fixed list.
 */
final class RadioMetrics implements NeighbourListener {
  private static final String OTHER = "other";

  private final MeterRegistry registry;
  private final Map<String, Series> series = new ConcurrentHashMap<>();

  /** Also keeps the supplier reachable: the registry refers to it only weakly. */
  private record Series(Supplier<LinkStatistics> figures, List<Meter> meters) {}

  private RadioMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  static void bind(Bridge bridge, MeterRegistry registry) {
    RadioMetrics metrics = new RadioMetrics(registry);
    Gauge.builder("vigil.radio.neighbours", bridge, Bridge::neighbourCount)
        .description("nodes heard directly")
        .register(registry);
    Gauge.builder("vigil.radio.routes", bridge, RadioMetrics::routes)
        .description("reachable nodes of the DODAG")
        .register(registry);
    FunctionCounter.builder("vigil.radio.capture.lost", bridge, b -> b.captures().lost())
        .description("packets lost because readers of live captures were too slow")
        .register(registry);
    for (Enum<?> reason : Bridge.dropReasons()) {
      FunctionCounter.builder("vigil.radio.dropped", bridge, b -> b.dropped(reason))
          .tags("reason", reason.name().toLowerCase(Locale.ROOT))
          .description("frames and packets dropped")
          .register(registry);
    }
    for (RadioStatus radio : bridge.radios()) {
      metrics.addRadio(bridge, radio.name());
    }
    metrics.addNeighbour(OTHER, bridge::otherNeighbours);
    bridge.addNeighbourListener(metrics);
  }

  private static double routes(Bridge bridge) {
    return bridge.topology().stream().filter(node -> node.hops() > 0).count();
  }

  private void addRadio(Bridge bridge, String name) {
    Tags tags = Tags.of("radio", name);
    Supplier<LinkStatistics> figures = () -> status(bridge, name).statistics();
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
  public void added(Eui64 eui64, Supplier<LinkStatistics> figures) {
    addNeighbour(eui64.toString(), figures);
  }

  @Override
  public void removed(Eui64 eui64) {
    Series removed = series.remove(eui64.toString());
    if (removed != null) {
      removed.meters().forEach(registry::remove);
    }
  }

  private void addNeighbour(String name, Supplier<LinkStatistics> figures) {
    Tags tags = Tags.of("neighbour", name);
    series.put(name, new Series(figures, link("vigil.radio.neighbour", tags, figures)));
  }

  private List<Meter> link(String prefix, Tags tags, Supplier<LinkStatistics> figures) {
    List<Meter> meters = new ArrayList<>();
    Tags in = tags.and("direction", "in");
    Tags out = tags.and("direction", "out");
    meters.add(counter(prefix + ".frames", "frames", in, figures, LinkStatistics::received));
    meters.add(counter(prefix + ".frames", "frames", out, figures, LinkStatistics::sent));
    meters.add(counter(prefix + ".octets", "octets", in, figures, LinkStatistics::octetsIn));
    meters.add(counter(prefix + ".octets", "octets", out, figures, LinkStatistics::octetsOut));
    meters.add(
        counter(prefix + ".failed", "frames given up", tags, figures, LinkStatistics::failed));
    meters.add(
        counter(
            prefix + ".retries",
            "transmissions beyond the first of each frame",
            tags,
            figures,
            LinkStatistics::retries));
    meters.add(
        counter(
            prefix + ".dropped",
            "dropped; by reason in /api/network",
            tags,
            figures,
            LinkStatistics::dropped));
    meters.add(
        Gauge.builder(prefix + ".etx", figures, f -> f.get().etx())
            .tags(tags)
            .description("expected transmissions per frame (ETX); 0 before the first frame")
            .register(registry));
    meters.add(
        Gauge.builder(prefix + ".heard", figures, f -> seconds(f.get().heardAt()))
            .tags(tags)
            .baseUnit("seconds")
            .description("arrival of the last frame, seconds since 1970; 0 before the first")
            .register(registry));
    return meters;
  }

  private static double seconds(@Nullable Instant at) {
    return at == null ? 0 : at.toEpochMilli() / 1e3;
  }

  private Meter counter(
      String name,
      String description,
      Tags tags,
      Supplier<LinkStatistics> figures,
      ToDoubleFunction<LinkStatistics> of) {
    return FunctionCounter.builder(name, figures, f -> of.applyAsDouble(f.get()))
        .tags(tags)
        .description(description)
        .register(registry);
  }
}
