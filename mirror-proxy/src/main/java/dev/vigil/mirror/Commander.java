package dev.vigil.mirror;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Fact;
import dev.vigil.mirror.jose.Header;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.jose.Signatures;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds signed commands until their sleeper asks for them (section 8 of the protocol). */
final class Commander {
  private static final Logger log = LoggerFactory.getLogger(Commander.class);

  static final String TYPE = "vigil-cmd";

  /** Replaces the commanders' keys at the endpoint; no link names it. */
  private static final String KEYS = ".keys";

  private static final long FULL_SECONDS = 60;

  private final Memory memory;
  private final Landing landing;
  private final Ledger ledger;
  private final Sources sources;
  private final Signatures signatures;
  private final Clock clock;
  private final Map<String, Map<String, Jwk>> commanders = new ConcurrentHashMap<>();

  Commander(
      Memory memory,
      Landing landing,
      Ledger ledger,
      Sources sources,
      Signatures signatures,
      Clock clock) {
    this.memory = memory;
    this.landing = landing;
    this.ledger = ledger;
    this.sources = sources;
    this.signatures = signatures;
    this.clock = clock;
  }

  CompletableFuture<Response> queue(Caller caller, Jws jws, Target target, String path) {
    Mirrored known = target.known();
    if (known == null || target.ring().state() != TrustState.TRUSTED) {
      throw new Rejection(Reason.NOT_TRUSTED, "the endpoint is not trusted (yet)");
    }
    requireAddressed(jws.header(), known, target, path);
    if (repeats(jws, known)) {
      return CompletableFuture.completedFuture(Response.of(Code.CHANGED));
    }
    requireNewer(jws.header(), known);
    requireCommander(caller, jws, target.domain());
    String by = by(caller);
    return landing
        .land(() -> queued(jws, known.id(), target.domain(), path, by))
        .thenApply(change -> Response.of(Code.CHANGED));
  }

  /** Whoever proved nothing is told by its address. */
  private static String by(Caller caller) {
    String label = caller.label();
    return label.isEmpty() ? "anyone at " + caller.source().getAddress().getHostAddress() : label;
  }

  private void requireAddressed(Header header, Mirrored known, Target target, String path) {
    String d = header.d() == null ? "" : header.d();
    if (!known.name().ep().equals(header.ep()) || !known.name().d().equals(d)) {
      throw new Rejection(Reason.WRONG_RESOURCE, "the command is for another endpoint");
    }
    if (!Objects.equals(header.res(), path)) {
      throw new Rejection(Reason.WRONG_RESOURCE, "res is not the path it was put to");
    }
    if (!path.equals(KEYS) && !Links.has(target.lease().links(), path)) {
      throw new Rejection(Reason.NO_ENTRY, "the registration names no such resource");
    }
    if (header.seq() < 1 || header.cty() == null || header.jwk() != null) {
      throw Rejection.malformed("a command has seq from 1 and cty, and no jwk");
    }
    if (header.exp() != Header.ABSENT && header.exp() <= clock.instant().getEpochSecond()) {
      throw Rejection.malformed("the command has expired");
    }
  }

  private static boolean repeats(Jws jws, Mirrored known) {
    CommandQueue queue = known.commands();
    return queue != null
        && queue.commands().stream()
            .anyMatch(
                c ->
                    c.seq() == jws.header().seq()
                        && Arrays.equals(
                            c.jws().getBytes(StandardCharsets.US_ASCII), jws.octets()));
  }

  private static CommandQueue requireNewer(Header header, Mirrored known) {
    CommandQueue queue = known.commands() == null ? CommandQueue.EMPTY : known.commands();
    if (header.seq() <= queue.last()) {
      throw SequenceRule.used(queue.last());
    }
    return queue;
  }

  private void requireCommander(Caller caller, Jws jws, Domain domain) {
    String kid = jws.header().kid() == null ? "" : jws.header().kid();
    Jwk key = commanders.computeIfAbsent(domain.name(), d -> keys(domain)).get(kid);
    if (key == null || memory.isRevoked(kid)) {
      throw new Rejection(Reason.NOT_TRUSTED, "kid is no commander of the domain");
    }
    sources.requireGoodStanding(caller, domain);
    if (key.algorithm() != jws.header().algorithm() || !signatures.verify(key, jws)) {
      sources.failed(caller, domain);
      throw new Rejection(Reason.BAD_SIGNATURE, "the signature does not hold");
    }
  }

  private static Map<String, Jwk> keys(Domain domain) {
    return domain.commanders().stream()
        .map(text -> Jwk.parse(text.getBytes(StandardCharsets.UTF_8)))
        .collect(Collectors.toMap(Jwk::thumbprint, Function.identity()));
  }

  private Batch queued(Jws jws, String id, Domain domain, String path, String by) {
    Mirrored known = present(id);
    CommandQueue queue = requireNewer(jws.header(), known);
    long now = clock.instant().getEpochSecond();
    if (queue.waiting(now).size() >= domain.limits().commands()) {
      throw new Rejection(Reason.OVERLOADED, "the endpoint's queue is full", FULL_SECONDS);
    }
    CommandQueue.Command command = CommandQueue.of(jws, path, now);
    String what = "queued command %d for %s".formatted(command.seq(), path);
    return decided(known, queue.with(command, now), ledger.audit(what, command.by(), by));
  }

  private Batch decided(Mirrored known, CommandQueue queue, Fact audit) {
    return ledger.decision(
        known, OptionalLong.empty(), List.of(new Fact(Slots.COMMANDS, 1, queue.body()), audit));
  }

  CompletableFuture<Void> cancel(String id, long seq, String actor) {
    return landing
        .land(
            () -> {
              Mirrored known = present(id);
              long now = clock.instant().getEpochSecond();
              CommandQueue queue = known.commands();
              if (queue == null || !queue.waitsFor(seq, now)) {
                throw new Rejection(Reason.NO_ENTRY, "no such command waits");
              }
              return decided(
                  known,
                  queue.ended(seq, CommandView.State.CANCELLED, now),
                  ledger.audit("cancelled command " + seq, "", actor));
            })
        .thenAccept(change -> {});
  }

  private Mirrored present(String id) {
    Mirrored known = memory.byId(id);
    if (known == null) {
      throw new Rejection(Reason.NO_ENTRY, "no such endpoint");
    }
    return known;
  }

  /** The command of that number, which is noted as handed out; nobody waits for the note. */
  CommandQueue.@Nullable Command fetch(Caller caller, Mirrored known, String path, long seq) {
    CommandQueue queue = known.commands();
    if (queue == null) {
      return null;
    }
    for (CommandQueue.Command command : queue.waiting(seconds())) {
      if (command.seq() == seq && command.path().equals(path)) {
        if (command.state() == CommandView.State.QUEUED) {
          String by = by(caller);
          land(() -> fetched(known.id(), seq, by));
        }
        return command;
      }
    }
    return null;
  }

  private Batch fetched(String id, long seq, String by) {
    Mirrored known = present(id);
    CommandQueue queue = known.commands() == null ? CommandQueue.EMPTY : known.commands();
    CommandQueue next = queue.fetched(seq, seconds());
    if (next.equals(queue)) {
      throw new Rejection(Reason.NO_ENTRY, "the command waits no longer, or had been fetched");
    }
    return decided(known, next, ledger.audit("fetched command " + seq, "", by));
  }

  /** Notes the commands whose time is over; to be called every second or so. */
  void pass() {
    for (String id : memory.commanded()) {
      Mirrored known = memory.byId(id);
      CommandQueue queue = known == null ? null : known.commands();
      if (queue != null && queue.nextExpiry() <= seconds()) {
        land(() -> expired(id));
      } else if (queue == null || queue.nextExpiry() == Long.MAX_VALUE) {
        memory.forgetCommanded(id);
      }
    }
  }

  private Batch expired(String id) {
    Mirrored known = present(id);
    CommandQueue queue = known.commands() == null ? CommandQueue.EMPTY : known.commands();
    CommandQueue next = queue.expired(seconds());
    List<Long> over =
        queue.commands().stream()
            .filter(c -> c.isOpen() && !c.waits(seconds()))
            .map(CommandQueue.Command::seq)
            .toList();
    if (over.isEmpty()) {
      throw new Rejection(Reason.NO_ENTRY, "nothing has run out");
    }
    String which = over.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return decided(known, next, ledger.audit("expired: command " + which, "", "mirror"));
  }

  /** What only notes something: where it fails, the next one to look notes it. */
  private void land(Supplier<Batch> batch) {
    try {
      landing
          .land(batch)
          .whenComplete(
              (change, thrown) -> {
                if (thrown != null) {
                  log.debug("not noted: {}", Failures.rejection(thrown).line());
                }
              });
    } catch (Rejection e) {
      log.debug("not noted: {}", e.line());
    }
  }

  /** Its commands as REST tells them too: those that wait and the last that ended, oldest first. */
  byte[] told(CommandQueue queue) {
    JsonText json = new JsonText().open('{').name("commands").open('[');
    for (CommandQueue.Command command : queue.commands()) {
      CommandView view = view(command);
      json.open('{').member("path", view.path()).member("seq", view.seq());
      json.member("by", view.by()).member("state", view.state().label());
      json.member("queuedAt", view.queued().toString());
      json.member("expiresAt", view.expires() == null ? null : view.expires().toString());
      json.member("endedAt", view.ended() == null ? null : view.ended().toString()).close('}');
    }
    return json.close(']').member("last", queue.last()).close('}').toOctets();
  }

  CommandView view(CommandQueue.Command command) {
    CommandView.State state =
        command.isOpen() && !command.waits(seconds()) ? CommandView.State.EXPIRED : command.state();
    return new CommandView(
        command.path(),
        command.seq(),
        command.by(),
        state,
        Views.instant(command.queued()),
        command.expires() == 0 ? null : Views.instant(command.expires()),
        command.ended() == 0 ? null : Views.instant(command.ended()));
  }

  private long seconds() {
    return clock.instant().getEpochSecond();
  }
}
