package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.oidc.ProviderAccount;
import dev.vigil.gateway.oidc.ProviderLogin;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The sessions of signed-in accounts. A sign-in replaces the previous session of its browser. When
 * an account exceeds its limit, its least recently used session ends. The time of the last request
 * is kept in memory and stored periodically, so that a restart ends no session in use.
 */
@Component
public final class Sessions {
  private static final int MAX = 10_000;
  private static final int MAX_OF_ACCOUNT = 16;

  private static final int MAX_CLIENT = 120;

  /** How often the time of the last request is stored within the idle time. */
  private static final int STORED_PER_IDLE = 8;

  private final RecordSet<SessionRecord> records;
  private final Secrets secrets;
  private final Clock clock;
  private final Duration idle;
  private final Duration max;
  private final List<Consumer<Ending>> listeners = new CopyOnWriteArrayList<>();

  /** The time of the last request of each session. */
  private final Map<String, Instant> seen = new ConcurrentHashMap<>();

  Sessions(AccountProperties settings, Records records, Secrets secrets, Clock clock) {
    this.records = records.of("session", SessionRecord.class, MAX);
    this.secrets = secrets;
    this.clock = clock;
    this.idle = settings.idle();
    this.max = settings.max();
    this.records.onChange(this::forgetRemoved);
  }

  private void forgetRemoved(RecordChange<SessionRecord> change) {
    if (change.after() == null) {
      seen.remove(change.id());
    }
  }

  /**
   * Begins a session.
   *
   * @param credentials id of the account's verified credentials
   * @param how the sign-in method, for the audit trail
   * @return the value of its cookie
   */
  public String open(String account, String credentials, String how, SignInContext context) {
    return open(account, credentials, null, how, context);
  }

  /**
   * Begins a session of a person who signed in through the provider.
   *
   * @return the value of its cookie
   */
  public String open(ProviderAccount account, SignInContext context) {
    ProviderLogin login = account.login();
    String through = " through %s as %s".formatted(login.issuer(), login.subject());
    return open(SessionRecord.PROVIDER + account.name(), null, login, through, context);
  }

  private String open(
      String account,
      @Nullable String credentials,
      @Nullable ProviderLogin login,
      String how,
      SignInContext context) {
    Optional<Versioned<SessionRecord>> replaced =
        Optional.ofNullable(context.session()).flatMap(this::find);
    makeRoom(account, replaced.map(Versioned::id).orElse(""));
    String secret = secrets.random();
    Instant now = clock.instant();
    String address = context.source().getHostAddress();
    SessionRecord session =
        new SessionRecord(account, now, now, address, shown(context.client()), credentials, login);
    FutureResults.of(
            records.put(
                Secrets.hash(secret),
                session,
                OptionalLong.of(0),
                new Audit("account:" + account, "signed in from " + address + how, "")))
        .require("session");
    replaced.ifPresent(
        old -> {
          FutureResults.done(
              records.remove(old.id(), OptionalLong.empty(), signedOut(old.value())));
          if (!old.value().account().equals(account)) {
            report(new Ending(old.value().account(), old.id()));
          }
        });
    return secret;
  }

  /** The browser's User-Agent without characters that could mislead readers. */
  public static String shown(@Nullable String client) {
    String text = client == null ? "" : client.replaceAll("[^ -~]", "?");
    return text.length() > MAX_CLIENT ? text.substring(0, MAX_CLIENT) : text;
  }

  private static Audit signedOut(SessionRecord session) {
    return new Audit("account:" + session.account(), "signed out", "");
  }

  /**
   * @param replaced id of the session that the new session replaces; it does not count towards the
   *     limit
   */
  private void makeRoom(String account, String replaced) {
    Instant now = clock.instant();
    records.all().stream().filter(session -> !isOpen(session, now)).forEach(this::drop);
    List<Versioned<SessionRecord>> own =
        list(account::equals).stream().filter(session -> !session.id().equals(replaced)).toList();
    own.stream()
        .sorted(Comparator.comparing(this::seenAt))
        .limit(Math.max(0, own.size() - MAX_OF_ACCOUNT + 1))
        .forEach(this::drop);
  }

  /** Ends the sessions of an account whose password or rights have changed. */
  public void endAll(String account) {
    list(account::equals).forEach(this::drop);
    report(new Ending(account, null));
  }

  /**
   * The end of sessions, caused by a person. Sessions that expire are not reported, and neither are
   * those that end because of a sign-in to the same account.
   *
   * @param session id of the session; null: all of the account
   */
  public record Ending(String account, @Nullable String session) {}

  /** Calls a listener on the thread that has ended sessions. */
  public void onEnd(Consumer<Ending> listener) {
    listeners.add(listener);
  }

  private void report(Ending ending) {
    listeners.forEach(listener -> listener.accept(ending));
  }

  private void drop(Versioned<SessionRecord> session) {
    var unused = records.remove(session.id(), OptionalLong.empty(), Audit.UNRECORDED);
  }

  /** The open session of a cookie. Counts as a request. */
  public Optional<Versioned<SessionRecord>> use(String secret) {
    Optional<Versioned<SessionRecord>> found = find(secret);
    found.ifPresent(this::touch);
    return found;
  }

  /** The open session of a cookie. */
  public Optional<Versioned<SessionRecord>> find(String secret) {
    Instant now = clock.instant();
    return records.get(Secrets.hash(secret)).filter(session -> isOpen(session, now));
  }

  private void touch(Versioned<SessionRecord> session) {
    Instant now = clock.instant();
    seen.put(session.id(), now);
    Duration unstored = Duration.between(session.value().seenAt(), now);
    if (unstored.compareTo(idle.dividedBy(STORED_PER_IDLE)) > 0) {
      var unused =
          records.put(
              session.id(),
              session.value().seen(now),
              OptionalLong.of(session.version()),
              Audit.UNRECORDED);
    }
  }

  private boolean isOpen(Versioned<SessionRecord> session, Instant now) {
    return now.isBefore(endOf(session)) && now.isBefore(session.value().createdAt().plus(max));
  }

  /** The time at which the session ends without another request. */
  public Instant endOf(Versioned<SessionRecord> session) {
    Instant byIdleness = seenAt(session).plus(idle);
    Instant latest = session.value().createdAt().plus(max);
    return byIdleness.isBefore(latest) ? byIdleness : latest;
  }

  public Instant seenAt(Versioned<SessionRecord> session) {
    Instant stored = session.value().seenAt();
    Instant known = seen.getOrDefault(session.id(), stored);
    return known.isAfter(stored) ? known : stored;
  }

  /** The open sessions of the selected accounts. */
  public List<Versioned<SessionRecord>> list(Predicate<String> accounts) {
    Instant now = clock.instant();
    return records.all().stream()
        .filter(session -> accounts.test(session.value().account()) && isOpen(session, now))
        .toList();
  }

  public Optional<Versioned<SessionRecord>> byId(String id) {
    return records.get(id);
  }

  /** Ends a session at the sign-out. */
  public void end(Versioned<SessionRecord> session) {
    end(session.id(), signedOut(session.value()));
  }

  /** Ends a session. */
  public void end(String id, Audit audit) {
    Optional<Versioned<SessionRecord>> ended = records.get(id);
    Outcome outcome = FutureResults.of(records.remove(id, OptionalLong.empty(), audit));
    outcome.require("session");
    ended.ifPresent(session -> report(new Ending(session.value().account(), id)));
  }
}
