package dev.vigil.gateway.dashboards.links;

import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.credentials.LinkSource;
import dev.vigil.gateway.dashboards.Dashboard;
import dev.vigil.gateway.dashboards.Dashboards;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The links of dashboards. The time of the last use is kept in memory and stored once an hour, so
 * that a restart loses little of it.
 */
@Component
public final class DashboardLinks implements LinkSource {
  /** The beginning of the tokens of accounts too, by which scanners recognise leaked secrets. */
  private static final String PREFIX = "vigil_link_";

  private static final char SEPARATOR = '.';
  private static final int ID_CHARACTERS = 16;
  private static final int MAX = 1000;
  private static final int MAX_OF_DASHBOARD = 32;
  private static final Duration STORED_EVERY = Duration.ofHours(1);

  private final RecordSet<LinkRecord> records;
  private final Dashboards dashboards;
  private final Secrets secrets;
  private final Clock clock;

  /** The time of the last use of each link. */
  private final Map<String, Instant> used = new ConcurrentHashMap<>();

  public DashboardLinks(Records records, Dashboards dashboards, Secrets secrets, Clock clock) {
    this.records = records.of("dashboard-link", LinkRecord.class, MAX);
    this.dashboards = dashboards;
    this.secrets = secrets;
    this.clock = clock;
    this.records.onChange(this::forgetRemoved);
    dashboards.onChange(this::removeWithDashboard);
  }

  private void forgetRemoved(RecordChange<LinkRecord> change) {
    if (change.after() == null) {
      used.remove(change.id());
    }
  }

  /** On the feed's thread, which must not wait. Until then the links show nothing. */
  private void removeWithDashboard(RecordChange<Dashboard> change) {
    if (change.after() == null) {
      records.all().stream()
          .filter(link -> link.value().dashboard().equals(change.id()))
          .forEach(this::drop);
    }
  }

  private void drop(Versioned<LinkRecord> link) {
    var unused = records.remove(link.id(), OptionalLong.of(link.version()), Audit.UNRECORDED);
  }

  /**
   * A new link.
   *
   * @param token shown once
   */
  record Made(Versioned<LinkRecord> link, String token) {}

  /**
   * @param makerMade the time at which the maker's account was made; null for the operator's token
   * @param expiresAt null: it does not expire
   * @throws ProblemException 4.09 when the dashboard has too many links
   */
  synchronized Made make(
      Versioned<Dashboard> dashboard,
      String name,
      String maker,
      @Nullable Instant makerMade,
      @Nullable Instant expiresAt,
      Audit audit) {
    dropFormer(dashboard);
    if (of(dashboard).size() >= MAX_OF_DASHBOARD) {
      throw new ProblemException(
          ProblemType.LIMIT_REACHED,
          "the dashboard has %d links already: revoke one first".formatted(MAX_OF_DASHBOARD));
    }
    String id = secrets.random().substring(0, ID_CHARACTERS);
    String token = PREFIX + id + SEPARATOR + secrets.random();
    LinkRecord link =
        new LinkRecord(
            dashboard.id(),
            dashboard.value().createdAt(),
            name,
            maker,
            makerMade,
            Secrets.hash(token),
            clock.instant(),
            expiresAt,
            null);
    FutureResults.of(records.put(id, link, OptionalLong.of(0), audit)).require("link");
    return new Made(records.get(id).orElseThrow(), token);
  }

  /** The links of a dashboard, oldest first. */
  List<Versioned<LinkRecord>> of(Versioned<Dashboard> dashboard) {
    return records.all().stream()
        .filter(link -> link.value().shows(dashboard))
        .sorted((one, other) -> one.value().createdAt().compareTo(other.value().createdAt()))
        .toList();
  }

  Optional<Versioned<LinkRecord>> get(String id, Versioned<Dashboard> dashboard) {
    return records.get(id).filter(link -> link.value().shows(dashboard));
  }

  /** Links of a former dashboard of the same id, which a crash has left. */
  private void dropFormer(Versioned<Dashboard> dashboard) {
    records.all().stream()
        .filter(link -> link.value().dashboard().equals(dashboard.id()))
        .filter(link -> !link.value().shows(dashboard))
        .forEach(this::drop);
  }

  void revoke(Versioned<LinkRecord> link, Audit audit) {
    FutureResults.of(records.remove(link.id(), OptionalLong.empty(), audit)).require("link");
  }

  /** The last use; null before the first. */
  @Nullable Instant usedAt(Versioned<LinkRecord> link) {
    Instant stored = link.value().usedAt();
    Instant known = used.get(link.id());
    return stored == null || known != null && known.isAfter(stored) ? known : stored;
  }

  boolean isExpired(LinkRecord link) {
    Instant end = link.expiresAt();
    return end != null && !clock.instant().isBefore(end);
  }

  @Override
  public Optional<Found> find(String token) {
    Optional<Versioned<LinkRecord>> link = verified(token).filter(one -> isUsable(one.value()));
    link.ifPresent(this::touch);
    return link.map(
        one ->
            new Found(
                one.value().dashboard(),
                one.value().name(),
                one.value().maker(),
                one.value().makerMade(),
                one.value().createdAt()));
  }

  private Optional<Versioned<LinkRecord>> verified(String token) {
    int separator = token.indexOf(SEPARATOR);
    if (!token.startsWith(PREFIX) || separator < PREFIX.length()) {
      return Optional.empty();
    }
    return records
        .get(token.substring(PREFIX.length(), separator))
        .filter(link -> Secrets.areSame(link.value().hash(), Secrets.hash(token)));
  }

  private boolean isUsable(LinkRecord link) {
    return !isExpired(link) && dashboards.get(link.dashboard()).filter(link::shows).isPresent();
  }

  private void touch(Versioned<LinkRecord> link) {
    Instant now = clock.instant();
    used.put(link.id(), now);
    Instant stored = link.value().usedAt();
    if (stored == null || Duration.between(stored, now).compareTo(STORED_EVERY) > 0) {
      var unused =
          records.put(
              link.id(), link.value().used(now), OptionalLong.of(link.version()), Audit.UNRECORDED);
    }
  }
}
