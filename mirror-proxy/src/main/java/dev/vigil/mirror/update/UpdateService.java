package dev.vigil.mirror.update;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.limits.RateLimiter;
import dev.vigil.coap.limits.RateLimiter.Rate;
import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.CommandView;
import dev.vigil.mirror.model.EndpointLinks;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.SequenceRule;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RefusalMapper;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.registration.RegistrationService;
import dev.vigil.mirror.state.Accepted;
import dev.vigil.mirror.state.HistoryRetention;
import dev.vigil.mirror.state.MirrorContext;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.mirror.state.ProvenTarget;
import dev.vigil.mirror.state.RequestTarget;
import dev.vigil.mirror.state.UnprovenRegistration;
import dev.vigil.mirror.state.UnprovenTarget;
import dev.vigil.signed.jose.CoseSign1;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.ProtectedHeader;
import dev.vigil.store.Batch;
import dev.vigil.store.Fact;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles updates ({@code PUT /ms/{id}/{path}}). The sequence number is disclosed only to a sender
 * with a valid signature. The store's compare-and-set advances it after the signature check. The
 * answer follows the commit.
 */
public final class UpdateService {
  /**
   * Number of resources of an endpoint that may have values; twice the links that its domain allows
   * if that is more. Each registration may name other links, and the values of former ones stay.
   */
  private static final int RESOURCES_WITH_VALUES = 400;

  /** Max-Age if an endpoint has values of too many resources, which only an operator can change. */
  private static final long FULL_SECONDS = 3600;

  private final MirrorContext context;
  private final MirrorState state;
  private final UpdateReader reader;
  private final HistoryRetention retention;
  private final RegistrationService registrations;
  private final RateLimiter<String> updateRate;

  public UpdateService(
      MirrorContext context,
      UpdateReader reader,
      HistoryRetention retention,
      RegistrationService registrations) {
    this.context = context;
    this.state = context.state();
    this.reader = reader;
    this.retention = retention;
    this.registrations = registrations;
    this.updateRate = new RateLimiter<>(context.clock());
  }

  /**
   * @param jws the payload if it is a JWS that the caller has already parsed
   */
  public CompletableFuture<Response> update(
      Request request, @Nullable Jws jws, RequestTarget target, String path) {
    SignedUpdate update = read(request, jws, target, path);
    RequestRefused unusable = unusable(target.keys());
    if (unusable == null && update.repeats(target, path)) {
      context.accepted().count(Accepted.REPETITION);
      return CompletableFuture.completedFuture(Response.of(Code.CHANGED));
    }
    UpdateProfile.require(update, target, path);
    RequestRefused conflict = unusable != null ? unusable : conflict(update, target, path);
    requireBelowLimits(request.caller(), target);
    return context
        .signatures()
        .verifyTogether(target.keys().key(), update.object())
        .thenCompose(
            valid -> {
              // Requests that were verified together with this one may have been charged meanwhile.
              requireBelowLimits(request.caller(), target);
              return verified(request, update, target, path, conflict, valid);
            });
  }

  private CompletableFuture<Response> verified(
      Request request,
      SignedUpdate update,
      RequestTarget target,
      String path,
      @Nullable RequestRefused conflict,
      boolean valid) {
    if (!valid) {
      context.abuseLimits().chargeFailure(request.caller(), target.domain());
      throw new RequestRefused(Reason.BAD_SIGNATURE, "the signature is invalid");
    }
    if (conflict != null) {
      // A replay also has a valid signature, so it is charged like an invalid one.
      context.abuseLimits().chargeFailure(request.caller(), target.domain());
      throw conflict;
    }
    return target instanceof ProvenTarget proven && path.equals(CommandRefusal.PATH)
        ? refuse(request, update, proven)
        : commit(request, update, target, path);
  }

  /** Opens the payload. Failed attempts to decrypt are charged like invalid signatures. */
  private SignedUpdate read(Request request, @Nullable Jws jws, RequestTarget target, String path) {
    try {
      return reader.read(request, jws, target, path);
    } catch (RequestRefused refused) {
      if (refused.reason() == Reason.BAD_SIGNATURE) {
        context.abuseLimits().requireFailuresBelowLimit(request.caller(), target.domain());
        context.abuseLimits().chargeFailure(request.caller(), target.domain());
      }
      throw refused;
    }
  }

  /**
   * Whether updates of a path are accepted: a link names the path, or it receives refusals of
   * commands.
   */
  private static boolean isResource(RequestTarget target, String path) {
    return switch (target) {
      case ProvenTarget proven when path.equals(CommandRefusal.PATH) -> true;
      case ProvenTarget proven -> EndpointLinks.contain(proven.lease().links(), path);
      case UnprovenTarget unproven -> EndpointLinks.contain(unproven.lease().links(), path);
    };
  }

  /**
   * The answer to an update of an unknown resource, or with a number that is not fresh. It reveals
   * the endpoint's links and H, which only the endpoint may learn.
   */
  private static @Nullable RequestRefused conflict(
      SignedUpdate update, RequestTarget target, String path) {
    if (!isResource(target, path)) {
      return new RequestRefused(Reason.NO_ENTRY, "the registration has no link to this resource");
    }
    try {
      SequenceRule.requireFresh(update.header().seq(), target.high(), target.domain().window());
      return null;
    } catch (RequestRefused refused) {
      return refused;
    }
  }

  /**
   * The answer to an update with a key that is not trusted; only the owner of the key may learn
   * this.
   */
  private @Nullable RequestRefused unusable(KeyHistory keys) {
    RequestRefused revoked = new RequestRefused(Reason.NOT_TRUSTED, "the key is revoked");
    if (state.isRevoked(keys.jkt())) {
      return revoked;
    }
    return switch (keys.state()) {
      case TRUSTED, UNPROVEN -> null;
      case PENDING -> awaitsApproval();
      case REPLACED, REVOKED -> revoked;
    };
  }

  private static RequestRefused awaitsApproval() {
    return new RequestRefused(Reason.NOT_TRUSTED, "the key awaits an operator's approval");
  }

  private void requireBelowLimits(Caller caller, RequestTarget target) {
    int limit = target.domain().limits().updatesPerMinute();
    long seconds = updateRate.secondsUntilAllowed(target.id(), 1, Rate.perMinute(limit));
    if (seconds > 0) {
      throw new RequestRefused(Reason.TOO_FAST, "at most " + limit + " updates a minute", seconds);
    }
    context.abuseLimits().requireUpdatesBelowLimit(caller, target.domain());
    context.abuseLimits().requireFailuresBelowLimit(caller, target.domain());
  }

  private CompletableFuture<Response> commit(
      Request request, SignedUpdate update, RequestTarget target, String path) {
    Instant arrived = context.clock().instant();
    boolean delayed = MeasurementTimes.isDelayed(update.object(), arrived, target.domain());
    byte[] body =
        switch (update.object()) {
          case Jws jws -> StoredValue.bodyOf(jws, delayed);
          case CoseSign1 cose -> StoredValue.bodyOf(cose, delayed);
        };
    if (target instanceof ProvenTarget proven) {
      requireRoom(proven, path);
    }
    charge(request, target);
    return switch (target) {
      case ProvenTarget proven -> {
        Fact value = retention.value(proven.domain(), proven.endpoint().name(), path, body);
        Code code = proven.endpoint().value(path) == null ? Code.CREATED : Code.CHANGED;
        yield commit(
            request,
            proven,
            update,
            path,
            code,
            () -> batch(proven, update.header(), value, arrived));
      }
      case UnprovenTarget unproven -> {
        Fact value = HistoryRetention.firstValue(unproven.domain(), path, body);
        yield prove(request, unproven.registration(), update.header().seq(), value);
      }
    };
  }

  private static void requireRoom(ProvenTarget target, String path) {
    int limit = Math.max(RESOURCES_WITH_VALUES, 2 * target.domain().limits().resources());
    if (target.endpoint().values().size() >= limit && target.endpoint().value(path) == null) {
      throw new RequestRefused(
          Reason.OVERLOADED, "the endpoint has values of too many resources", FULL_SECONDS);
    }
  }

  private void charge(Request request, RequestTarget target) {
    updateRate.charge(target.id(), 1, Rate.perMinute(target.domain().limits().updatesPerMinute()));
    context.abuseLimits().chargeUpdate(request.caller(), target.domain());
  }

  /** Ends a command that the endpoint refused. */
  private CompletableFuture<Response> refuse(
      Request request, SignedUpdate update, ProvenTarget target) {
    CommandRefusal refusal =
        CommandRefusal.read(update.object(), MeasurementTimes.pack(update.object()));
    charge(request, target);
    return commit(
        request,
        target,
        update,
        CommandRefusal.PATH,
        Code.CHANGED,
        () -> batch(target, update.header(), refusal));
  }

  private CompletableFuture<Response> commit(
      Request request,
      ProvenTarget target,
      SignedUpdate update,
      String path,
      Code code,
      Supplier<Batch> batch) {
    return context
        .commits()
        .commit(batch)
        .handle(
            (change, thrown) -> {
              if (thrown == null) {
                context.accepted().count(Accepted.UPDATE);
                context.sources().record(target.id(), target.keys().jkt(), request);
                return Response.of(code);
              }
              RequestRefused refused = RefusalMapper.refusal(thrown);
              if (refused.reason() == Reason.NUMBER_USED && isCommitted(update, target, path)) {
                context.accepted().count(Accepted.REPETITION);
                return Response.of(Code.CHANGED);
              }
              throw refused;
            });
  }

  /**
   * Whether a retransmission with the same octets was committed while this one was being processed.
   */
  private boolean isCommitted(SignedUpdate update, ProvenTarget target, String path) {
    MirroredEndpoint endpoint = state.byId(target.id());
    return endpoint != null && update.repeats(target.withEndpoint(endpoint), path);
  }

  private Batch batch(ProvenTarget target, ProtectedHeader header, Fact value, Instant arrived) {
    MirroredEndpoint endpoint = context.requireSameKey(target);
    List<Fact> facts = new ArrayList<>(List.of(value));
    facts.addAll(context.batches().prolongation(endpoint));
    CommandQueue queue = CommandQueue.of(endpoint);
    long now = arrived.getEpochSecond();
    long ack = header.ack();
    if (ack != ProtectedHeader.ABSENT && queue.hasNoResult(ack)) {
      byte[] confirmed = queue.withEnded(ack, CommandView.State.CONFIRMED, now).body();
      facts.add(new Fact(StoreSlots.COMMANDS, 1, confirmed));
      String action = "confirmed command " + ack;
      facts.add(context.batches().audit(action, target.keys().jkt(), "endpoint"));
    }
    // A value depends only on its number, so concurrent updates need no compare-and-set of the
    // endpoint's version, unless another key waits to replace this one.
    OptionalLong version =
        facts.size() == 1 && endpoint.held().isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(endpoint.version());
    return new Batch(endpoint.name(), arrived, OptionalLong.of(header.seq()), version, facts);
  }

  private Batch batch(ProvenTarget target, ProtectedHeader header, CommandRefusal refusal) {
    MirroredEndpoint endpoint = context.requireSameKey(target);
    CommandQueue queue = CommandQueue.of(endpoint);
    Instant now = context.clock().instant();
    if (!queue.hasNoResult(refusal.command())) {
      throw new RequestRefused(Reason.NO_ENTRY, "no such command waits for a result");
    }
    CommandQueue next =
        queue.withRefused(
            refusal.command(), refusal.reason(), refusal.digest(), now.getEpochSecond());
    String action = "refused command %d: %d".formatted(refusal.command(), refusal.reason());
    List<Fact> facts = new ArrayList<>(context.batches().prolongation(endpoint));
    facts.add(new Fact(StoreSlots.COMMANDS, 1, next.body()));
    facts.add(context.batches().audit(action, target.keys().jkt(), "endpoint"));
    return new Batch(
        endpoint.name(),
        now,
        OptionalLong.of(header.seq()),
        OptionalLong.of(endpoint.version()),
        facts);
  }

  /** Commits a plain registration together with the update that proves its key. */
  private CompletableFuture<Response> prove(
      Request request, UnprovenRegistration unproven, long seq, Fact value) {
    return registrations
        .prove(request.caller(), unproven, seq, value)
        .thenApply(
            change -> {
              context.unprovenRegistrations().remove(unproven.id());
              MirroredEndpoint endpoint = state.byId(change.id());
              if (endpoint == null
                  || endpoint.keys() == null
                  || endpoint.keys().state() != TrustState.TRUSTED) {
                throw awaitsApproval();
              }
              context.accepted().count(Accepted.REGISTRATION);
              context.accepted().count(Accepted.UPDATE);
              context.sources().record(endpoint.id(), endpoint.keys().jkt(), request);
              return Response.of(Code.CREATED);
            });
  }
}
