package dev.vigil.gateway.fetch;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.MirrorRecovery;
import dev.vigil.mirror.model.RecoveredValue;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.signed.senml.ResolvedRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides which readings of a period the mirror of an endpoint lacks. For one thread. */
final class MissingReadings {
  /** The longest time between a reading, by the mote's clock, and the arrival of its update. */
  private static final Duration SKEW = Duration.ofMinutes(10);

  /** How far numbers of updates on their way may be above the highest accepted number. */
  private static final int NUMBERS_UNDER_WAY = 4096;

  private static final int NUMBERS = 0x10000;

  private final MirrorQueries mirror;
  private final MirrorRecovery recovery;
  private final EndpointView endpoint;
  private final Ipv6Address mote;
  private final Instant from;
  private final Instant to;
  private final Map<String, Resource> resources = new HashMap<>();

  /** The mirror's measurements of a resource in this time, and how they are named. */
  private record Resource(ResolvedRecord example, Set<Long> signed, Set<Place> recovered) {}

  /** A place of a stored reading. Its block never changes. */
  private record Place(long block, Instant measured) {}

  MissingReadings(
      MirrorQueries mirror,
      MirrorRecovery recovery,
      EndpointView endpoint,
      Ipv6Address mote,
      Instant from,
      Instant to) {
    this.mirror = mirror;
    this.recovery = recovery;
    this.endpoint = endpoint;
    this.mote = mote;
    this.from = from;
    this.to = to;
  }

  Instant from() {
    return from;
  }

  Instant to() {
    return to;
  }

  /** The reading as a value of the resource, if the mirror has it neither signed nor recovered. */
  Optional<RecoveredValue> value(String path, StoredReadings.Item item) {
    return resource(path).flatMap(resource -> missing(resource, path, item));
  }

  /** Empty for a resource without any signed value: its measurements have no name. */
  private Optional<Resource> resource(String path) {
    if (!resources.containsKey(path)) {
      List<ResolvedRecord> last = mirror.lastMeasurements(endpoint.id(), path);
      if (last.isEmpty()) {
        return Optional.empty();
      }
      resources.put(
          path,
          new Resource(
              last.getFirst(),
              recovery.numbers(endpoint.id(), path, from.minus(SKEW), to.plus(SKEW)),
              mirror.recoveredValues(endpoint.id(), path).stream()
                  .map(one -> new Place(one.value().block(), one.value().measured()))
                  .collect(Collectors.toSet())));
    }
    return Optional.of(resources.get(path));
  }

  private Optional<RecoveredValue> missing(
      Resource resource, String path, StoredReadings.Item item) {
    Instant measured = Instant.ofEpochSecond(item.reading().time());
    long seq = number(item.reading().sequence());
    boolean known =
        seq < 0
            || isSigned(resource, path, item.reading().sequence(), measured)
            || resource.recovered().contains(new Place(item.block(), measured));
    return known
        ? Optional.empty()
        : Optional.of(
            new RecoveredValue(
                resource.example().name(),
                resource.example().unit(),
                item.reading().value(),
                measured,
                seq,
                mote.toString(),
                item.block()));
  }

  /**
   * Whether the mirror has the update of a reading. The low octets of its number together with its
   * time identify it, even if the numbers have jumped since, as after a restoration.
   */
  private boolean isSigned(Resource resource, String path, int low, Instant measured) {
    return low != 0
        && isIn(resource.signed(), low)
        && isIn(
            recovery.numbers(endpoint.id(), path, measured.minus(SKEW), measured.plus(SKEW)), low);
  }

  private static boolean isIn(Set<Long> numbers, int low) {
    return numbers.stream().anyMatch(number -> number % NUMBERS == low);
  }

  /**
   * The number of the update that should have carried a reading, unless numbers have jumped since;
   * 0 if there was none, -1 if it may be on its way.
   *
   * @param low its low 16 bits
   */
  private long number(int low) {
    if (low == 0) {
      return 0;
    }
    long above = Math.floorMod(low - endpoint.high(), NUMBERS);
    if (above > 0 && above <= NUMBERS_UNDER_WAY) {
      return -1;
    }
    return Math.max(0, above == 0 ? endpoint.high() : endpoint.high() + above - NUMBERS);
  }
}
