package dev.vigil.mirror.command;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.CommandView;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.EndpointLinks;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.SequenceRule;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RefusalMapper;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.state.Accepted;
import dev.vigil.mirror.state.MirrorContext;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.mirror.state.ProvenTarget;
import dev.vigil.mirror.state.RequestTarget;
import dev.vigil.mirror.state.UnprovenTarget;
import dev.vigil.mirror.trust.JwkCodec;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.ProtectedHeader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.store.Batch;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.nio.charset.StandardCharsets;
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

/** Holds signed commands until their endpoint fetches them. */
public final class CommandService {
  private static final Logger log = LoggerFactory.getLogger(CommandService.class);

  /** The {@code typ} of a command's JWS. */
  public static final String TYPE = "vigil-cmd";

  /** The resource that replaces the endpoint's commander keys; no link names it. */
  private static final String COMMANDER_KEYS = ".keys";

  private static final long FULL_SECONDS = 60;

  private final MirrorContext context;
  private final Map<String, Commanders> commandersByDomain = new ConcurrentHashMap<>();

  /** The keys that were read from the JWK texts of a domain. */
  private record Commanders(List<String> texts, Map<String, Jwk> keys) {}

  public CommandService(MirrorContext context) {
    this.context = context;
  }

  /** Queues a command, or answers 2.04 again if it is already in the queue. */
  public CompletableFuture<Response> queue(
      Caller caller, Jws jws, RequestTarget target, String path) {
    ProvenTarget proven = requireTrusted(target);
    requireAddressed(jws.header(), proven, path);
    CommandQueue queue = CommandQueue.of(proven.endpoint());
    if (contains(queue, jws)) {
      context.accepted().count(Accepted.REPETITION);
      return CompletableFuture.completedFuture(Response.of(Code.CHANGED));
    }
    requireNewer(jws.header(), queue);
    requireCommander(caller, jws, target.domain());
    CommandValues.requireAccepted(jws, proven.lease().links(), path);
    String actor = actor(caller);
    return context
        .commits()
        .commit(() -> queueBatch(proven, jws, path, actor))
        .thenApply(
            change -> {
              context.accepted().count(Accepted.COMMAND);
              return Response.of(Code.CHANGED);
            });
  }

  private static ProvenTarget requireTrusted(RequestTarget target) {
    return switch (target) {
      case ProvenTarget proven when proven.keys().state() == TrustState.TRUSTED -> proven;
      case ProvenTarget proven -> throw untrusted();
      case UnprovenTarget unproven -> throw untrusted();
    };
  }

  private static RequestRefused untrusted() {
    return new RequestRefused(Reason.NOT_TRUSTED, "the endpoint is not trusted yet");
  }

  /**
   * The caller's name in the audit trail: its identity, or its address if it did not authenticate.
   */
  private static String actor(Caller caller) {
    String label = caller.label();
    return label.isEmpty() ? "anyone at " + caller.source().getAddress().getHostAddress() : label;
  }

  private void requireAddressed(ProtectedHeader header, ProvenTarget target, String path) {
    EndpointName name = target.endpoint().name();
    String d = header.d() == null ? "" : header.d();
    if (!name.ep().equals(header.ep()) || !name.d().equals(d)) {
      throw new RequestRefused(Reason.WRONG_RESOURCE, "the command is for another endpoint");
    }
    if (!Objects.equals(header.res(), path)) {
      throw new RequestRefused(Reason.WRONG_RESOURCE, "res is not the path of the request");
    }
    if (!path.equals(COMMANDER_KEYS) && !EndpointLinks.contain(target.lease().links(), path)) {
      throw new RequestRefused(Reason.NO_ENTRY, "the registration has no link to this resource");
    }
    if (header.seq() < 1 || header.cty() == null || header.jwk() != null) {
      throw RequestRefused.malformed(
          "a command needs a seq from 1 and a cty, and must not have a jwk");
    }
    if (header.exp() != ProtectedHeader.ABSENT && header.exp() <= context.now()) {
      throw RequestRefused.malformed("the command has expired");
    }
  }

  private static boolean contains(CommandQueue queue, Jws jws) {
    return queue.commands().stream()
        .anyMatch(
            c ->
                c.seq() == jws.header().seq()
                    && Arrays.equals(c.jws().getBytes(StandardCharsets.US_ASCII), jws.octets()));
  }

  private static void requireNewer(ProtectedHeader header, CommandQueue queue) {
    if (header.seq() <= queue.last()) {
      throw SequenceRule.numberUsed(queue.last());
    }
  }

  private void requireCommander(Caller caller, Jws jws, Domain domain) {
    String kid = jws.header().kid() == null ? "" : jws.header().kid();
    Jwk key = commanders(domain).get(kid);
    if (key == null || context.state().isRevoked(kid)) {
      throw new RequestRefused(
          Reason.UNKNOWN_COMMANDER, "kid is not a commander key of the domain");
    }
    context.abuseLimits().requireFailuresBelowLimit(caller, domain);
    if (key.algorithm() != jws.header().algorithm() || !context.signatures().verify(key, jws)) {
      context.abuseLimits().chargeFailure(caller, domain);
      throw new RequestRefused(Reason.BAD_SIGNATURE, "the signature is invalid");
    }
  }

  private Map<String, Jwk> commanders(Domain domain) {
    List<String> texts = domain.commanders();
    return commandersByDomain.compute(
            domain.name(),
            (name, known) ->
                known != null && known.texts.equals(texts) ? known : readCommanders(texts))
        .keys;
  }

  private static Commanders readCommanders(List<String> texts) {
    return new Commanders(
        texts,
        texts.stream()
            .map(JwkCodec::read)
            .collect(Collectors.toMap(Jwk::thumbprint, Function.identity(), (one, same) -> one)));
  }

  private Batch queueBatch(ProvenTarget target, Jws jws, String path, String actor) {
    MirroredEndpoint endpoint = context.requireSameKey(target);
    CommandQueue queue = CommandQueue.of(endpoint);
    requireNewer(jws.header(), queue);
    long now = context.now();
    if (queue.isFull(target.domain().limits().commands(), now)) {
      throw new RequestRefused(
          Reason.OVERLOADED, "the endpoint's command queue is full", FULL_SECONDS);
    }
    CommandQueue.Command command = CommandQueue.command(jws, path, now);
    String action = "queued command %d for %s".formatted(command.seq(), path);
    Fact audit = context.batches().audit(action, command.commander(), actor);
    return batch(endpoint, queue.withQueued(command, now), audit);
  }

  private Batch batch(MirroredEndpoint endpoint, CommandQueue queue, Fact audit) {
    Fact commands = new Fact(StoreSlots.COMMANDS, 1, queue.body());
    return context.batches().decision(endpoint, OptionalLong.empty(), List.of(commands, audit));
  }

  /**
   * Cancels a pending command.
   *
   * @return fails with 4.04 if no pending command has that number
   */
  public CompletableFuture<Void> cancel(String id, long seq, String actor) {
    return context
        .commits()
        .commit(
            () -> {
              MirroredEndpoint endpoint = context.require(id);
              long now = context.now();
              CommandQueue queue = CommandQueue.of(endpoint);
              if (!queue.isPending(seq, now)) {
                throw new RequestRefused(Reason.NO_ENTRY, "no such command is pending");
              }
              return batch(
                  endpoint,
                  queue.withEnded(seq, CommandView.State.CANCELLED, now),
                  context.batches().audit("cancelled command " + seq, "", actor));
            })
        .thenAccept(change -> {});
  }

  /** The pending commands of an endpoint, oldest first. */
  public List<CommandQueue.Command> pending(CommandQueue queue) {
    return queue.pending(context.now());
  }

  /** A pending command; null if there is none. */
  public CommandQueue.@Nullable Command find(MirroredEndpoint endpoint, String path, long seq) {
    for (CommandQueue.Command command : pending(CommandQueue.of(endpoint))) {
      if (command.seq() == seq && command.path().equals(path)) {
        return command;
      }
    }
    return null;
  }

  /**
   * Marks a command as fetched. The mark is for display only, so the caller does not wait for the
   * commit.
   */
  public void markFetched(Caller caller, MirroredEndpoint endpoint, CommandQueue.Command command) {
    if (command.state() == CommandView.State.QUEUED) {
      String actor = actor(caller);
      commitInBackground(() -> fetchedBatch(endpoint.id(), command.seq(), actor));
    }
  }

  private Batch fetchedBatch(String id, long seq, String actor) {
    MirroredEndpoint endpoint = context.require(id);
    CommandQueue queue = CommandQueue.of(endpoint);
    CommandQueue next = queue.withFetched(seq, context.now());
    if (next.equals(queue)) {
      throw new RequestRefused(
          Reason.NO_ENTRY, "the command is no longer pending, or was fetched before");
    }
    return batch(endpoint, next, context.batches().audit("fetched command " + seq, "", actor));
  }

  /** Marks commands whose time is over as expired; must be called about every second. */
  public void expireCommands() {
    MirrorState state = context.state();
    for (String id : state.withCommands()) {
      long nextExpiry = CommandQueue.of(state.byId(id)).nextExpiry();
      if (nextExpiry <= context.now()) {
        commitInBackground(() -> expiryBatch(id));
      } else if (nextExpiry == Long.MAX_VALUE) {
        state.removeWithCommands(id);
      }
    }
  }

  private Batch expiryBatch(String id) {
    MirroredEndpoint endpoint = context.require(id);
    CommandQueue queue = CommandQueue.of(endpoint);
    long now = context.now();
    String expired =
        queue.commands().stream()
            .filter(c -> c.isOpen() && !c.isPending(now))
            .map(c -> Long.toString(c.seq()))
            .collect(Collectors.joining(", "));
    if (expired.isEmpty()) {
      throw new RequestRefused(Reason.NO_ENTRY, "no command has expired");
    }
    Fact audit = context.batches().audit("expired: command " + expired, "", "mirror");
    return batch(endpoint, queue.withExpired(now), audit);
  }

  /** Commits a mark without waiting. A failure is harmless, because a later call tries again. */
  private void commitInBackground(Supplier<Batch> batch) {
    try {
      context
          .commits()
          .commit(batch)
          .whenComplete(
              (change, thrown) -> {
                if (thrown != null) {
                  log.debug(
                      "the state of a command was not updated: {}",
                      RefusalMapper.refusal(thrown).diagnostic());
                }
              });
    } catch (RequestRefused refused) {
      log.debug("the state of a command was not updated: {}", refused.diagnostic());
    }
  }

  /** The JSON of {@code GET /ms/{id}?commands}: the queue's commands, oldest first. */
  public byte[] json(CommandQueue queue) {
    JsonWriter json = new JsonWriter().open('{').name("commands").open('[');
    for (CommandQueue.Command command : queue.commands()) {
      CommandView view = CommandView.of(command, context.now());
      json.open('{').member("path", view.path()).member("seq", view.seq());
      json.member("by", view.commander()).member("state", view.state().label());
      json.member("queuedAt", view.queuedAt().toString());
      json.member("expiresAt", view.expiresAt() == null ? null : view.expiresAt().toString());
      json.member("endedAt", view.endedAt() == null ? null : view.endedAt().toString());
      if (view.reason() != 0) {
        json.member("reason", view.reason());
      }
      json.close('}');
    }
    return json.close(']').member("last", queue.last()).close('}').toOctets();
  }
}
