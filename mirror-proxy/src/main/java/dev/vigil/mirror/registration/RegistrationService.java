package dev.vigil.mirror.registration;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.limits.AbuseLimits;
import dev.vigil.mirror.limits.NamePlaces;
import dev.vigil.mirror.model.DirectoryEntry;
import dev.vigil.mirror.model.EndpointSnapshot;
import dev.vigil.mirror.model.HeldKey;
import dev.vigil.mirror.model.HeldKeys;
import dev.vigil.mirror.model.Lease;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.PolicyDecision;
import dev.vigil.mirror.model.RegistrationRequest;
import dev.vigil.mirror.model.SequenceRule;
import dev.vigil.mirror.model.keys.KeyArrival;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RefusalMapper;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.state.Accepted;
import dev.vigil.mirror.state.MirrorContext;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.mirror.state.UnprovenRegistration;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.store.Batch;
import dev.vigil.store.Change;
import dev.vigil.store.Fact;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Handles registrations ({@code POST /ms}): first ones, renewals, withdrawals and rotations. */
public final class RegistrationService {
  /** Max-Age if no place is free; operators decide within hours. */
  private static final long FULL_SECONDS = 3600;

  private final MirrorContext context;
  private final MirrorState state;
  private final RegistrationReader reader;
  private final RegistrationPolicy policy;
  private final SnapshotReader snapshots;
  private final NameCapacity capacity;
  private final RegistrationAnswers answers;

  public RegistrationService(
      MirrorContext context,
      RegistrationReader reader,
      RegistrationPolicy policy,
      SnapshotReader snapshots,
      NameCapacity capacity,
      RegistrationAnswers answers) {
    this.context = context;
    this.state = context.state();
    this.reader = reader;
    this.policy = policy;
    this.snapshots = snapshots;
    this.capacity = capacity;
    this.answers = answers;
  }

  public CompletableFuture<Response> register(Request request) {
    RegistrationRequest registration = reader.read(request, context.now());
    return registration.isSigned()
        ? registerSigned(request, registration)
        : registerPlain(request, registration);
  }

  private CompletableFuture<Response> registerSigned(
      Request request, RegistrationRequest registration) {
    EndpointSnapshot snapshot = snapshots.read(registration.name());
    MirroredEndpoint endpoint = snapshot.endpoint();
    if (endpoint != null && repeats(registration, endpoint.lease())) {
      context.accepted().count(Accepted.REPETITION);
      return CompletableFuture.completedFuture(answers.created(request, registration, endpoint));
    }
    try {
      SequenceRule.requireFresh(
          registration.seq(),
          snapshot.registrationHigh(registration),
          SequenceRule.REGISTRATION_JUMP);
    } catch (RequestRefused refused) {
      return answerConflict(request, registration, snapshot, refused);
    }
    requireOwnSignature(request.caller(), registration);
    requireEpkIfConfidential(registration);
    return commit(request, registration, snapshot);
  }

  /** The request repeats the octets of the last accepted registration, whose answer was lost. */
  private static boolean repeats(RegistrationRequest registration, @Nullable Lease last) {
    return last != null
        && last.seq() == registration.seq()
        && Arrays.equals(last.digest(), registration.lease().digest());
  }

  /** Proof of possession: the registration must be signed with the key that it contains. */
  private void requireOwnSignature(Caller caller, RegistrationRequest registration) {
    context.abuseLimits().requireFailuresBelowLimit(caller, registration.domain());
    Jws jws = registration.jws();
    if (jws == null || !context.signatures().verify(registration.key(), jws)) {
      context.abuseLimits().chargeFailure(caller, registration.domain());
      throw new RequestRefused(
          Reason.BAD_SIGNATURE, "the registration is not signed with the key in its jwk");
    }
  }

  private static void requireEpkIfConfidential(RegistrationRequest registration) {
    if (registration.domain().confidential()
        && registration.epk() == null
        && !registration.withdraws()) {
      throw new RequestRefused(Reason.POLICY, "the domain requires encrypted updates: send an epk");
    }
  }

  private CompletableFuture<Response> commit(
      Request request, RegistrationRequest registration, EndpointSnapshot snapshot) {
    context.abuseLimits().chargeRegistration(registration);
    chargeName(request.caller(), registration, snapshot);
    return context
        .commits()
        .commit(() -> decide(registration))
        .handle((change, thrown) -> answer(request, registration, thrown));
  }

  /**
   * Charges a new name, or a new key of a name, to its source.
   *
   * @throws RequestRefused 4.29, or 4.01 to an unverified source; 5.03 if the domain is full
   */
  private void chargeName(
      Caller caller, RegistrationRequest registration, EndpointSnapshot snapshot) {
    MirroredEndpoint endpoint = snapshot.endpoint();
    if (endpoint == null || !endpoint.hasKey(registration.jkt())) {
      context.abuseLimits().chargeNewName(caller, registration.domain());
    }
    if (endpoint == null) {
      capacity.requireOne(registration.domain());
    }
  }

  private Response answer(
      Request request, RegistrationRequest registration, @Nullable Throwable thrown) {
    if (thrown == null) {
      MirroredEndpoint endpoint = state.byName(registration.name());
      if (endpoint == null || !endpoint.hasKey(registration.jkt())) {
        throw held(registration);
      }
      context.accepted().count(Accepted.REGISTRATION);
      context.sources().record(endpoint.id(), registration.jkt(), request);
      return answers.created(request, registration, endpoint);
    }
    releaseReserved(registration);
    RequestRefused refused = RefusalMapper.refusal(thrown);
    if (refused.reason() == Reason.NUMBER_USED) {
      return answers.conflict(request, registration, snapshots.read(registration.name()).high());
    }
    throw refused;
  }

  private Batch decide(RegistrationRequest registration) {
    EndpointSnapshot snapshot = snapshots.read(registration.name());
    return switch (policy.decide(registration, snapshot.endpoint(), snapshot.directoryEntry())) {
      case PolicyDecision.Accept accept -> {
        if (accept.keys().state() == TrustState.PENDING) {
          requirePlace(registration);
        }
        yield context.batches().registration(registration, snapshot, accept);
      }
      case PolicyDecision.Hold(HeldKey held) -> hold(registration, snapshot, held);
    };
  }

  private Batch hold(RegistrationRequest registration, EndpointSnapshot snapshot, HeldKey held) {
    MirroredEndpoint endpoint = snapshot.endpoint();
    KeyHistory own = endpoint == null ? null : endpoint.keys();
    if (endpoint == null || own == null) {
      throw new IllegalStateException("a key is held in addition to the key of an endpoint");
    }
    if (endpoint.held().find(held.jkt()) != null) {
      throw held(registration);
    }
    HeldKeys next = NamePlaces.admit(own, endpoint.held(), held);
    if (next == null) {
      throw registration.arrival().verified()
          ? new RequestRefused(Reason.NOT_TRUSTED, "too many keys already wait for the name")
          : AbuseLimits.addressUnproven();
    }
    requirePlace(registration);
    return context.batches().heldKey(registration, snapshot, held, next);
  }

  /**
   * Requires a place among all keys that wait for a decision.
   *
   * @throws RequestRefused 5.03; 4.01 to an unverified source
   */
  private void requirePlace(RegistrationRequest registration) {
    KeyArrival arrival = registration.arrival();
    if (!context
        .waiting()
        .reserve(registration.name(), registration.jkt(), registration.lease(), arrival)) {
      throw arrival.verified()
          ? new RequestRefused(
              Reason.OVERLOADED, "too many keys already wait for approval", FULL_SECONDS)
          : AbuseLimits.addressUnproven();
    }
  }

  /** Releases a place that {@link #requirePlace} reserved for a commit that failed. */
  private void releaseReserved(RegistrationRequest registration) {
    context.waiting().follow(registration.name(), state.byName(registration.name()));
  }

  private static RequestRefused held(RegistrationRequest registration) {
    return new RequestRefused(
        Reason.NOT_TRUSTED,
        "another key has the name "
            + JsonReader.printable(registration.name().ep())
            + "; an operator decides");
  }

  /**
   * Answers a used number. Only the holder of the key may learn H. A replay also has a valid
   * signature, so it is charged like an invalid one.
   */
  private CompletableFuture<Response> answerConflict(
      Request request,
      RegistrationRequest registration,
      EndpointSnapshot snapshot,
      RequestRefused refused) {
    requireOwnSignature(request.caller(), registration);
    context.abuseLimits().chargeFailure(request.caller(), registration.domain());
    policy.requireRotationOfOldKey(registration, snapshot.endpoint());
    if (request.accept().isEmpty()) {
      throw refused;
    }
    long high = snapshot.registrationHigh(registration);
    return CompletableFuture.completedFuture(answers.conflict(request, registration, high));
  }

  private CompletableFuture<Response> registerPlain(
      Request request, RegistrationRequest registration) {
    EndpointSnapshot snapshot = snapshots.read(registration.name());
    boolean provenByDtls =
        request.caller().identity() instanceof Caller.RawKey(String thumbprint)
            && thumbprint.equals(registration.jkt());
    requireEpkIfConfidential(registration);
    if (provenByDtls) {
      return commit(request, registration, snapshot);
    }
    MirroredEndpoint endpoint = snapshot.endpoint();
    if (endpoint != null && endpoint.keys() != null) {
      throw new RequestRefused(
          Reason.UNKNOWN_KEY, "the name has a proven key: sign the registration with it");
    }
    // Refuses immediately a key that the domain would refuse after its proof.
    policy.decide(registration, null, DirectoryEntry.NONE);
    UnprovenRegistration unproven =
        context
            .unprovenRegistrations()
            .add(registration, request.caller(), snapshot.high(), context.now());
    context.accepted().count(Accepted.UNPROVEN_REGISTRATION);
    return CompletableFuture.completedFuture(answers.created(request, unproven));
  }

  /**
   * Decides on a plain registration that was proven by its first valid update. One batch commits
   * registration, key and value together. The name is new only now, so it is charged to the sender
   * of the update.
   *
   * @param seq the number of the update
   * @param value the value of the update
   * @throws RequestRefused 4.29, or 4.01 to an unverified source; 5.03 if the domain is full
   */
  public CompletableFuture<Change> prove(
      Caller caller, UnprovenRegistration unproven, long seq, Fact value) {
    RegistrationRequest registration = unproven.request();
    chargeName(caller, registration, snapshots.read(registration.name()));
    return context
        .commits()
        .commit(() -> proof(unproven, seq, value))
        .whenComplete(
            (change, thrown) -> {
              if (thrown != null) {
                releaseReserved(registration);
              }
            });
  }

  private Batch proof(UnprovenRegistration unproven, long seq, Fact value) {
    RegistrationRequest registration = unproven.request();
    EndpointSnapshot snapshot = snapshots.read(registration.name());
    if (snapshot.endpoint() != null && snapshot.endpoint().keys() != null) {
      throw held(registration);
    }
    return switch (policy.decide(registration, snapshot.endpoint(), snapshot.directoryEntry())) {
      case PolicyDecision.Accept accept -> {
        if (accept.keys().state() == TrustState.PENDING) {
          requirePlace(registration);
        }
        yield context.batches().proof(unproven, snapshot, accept, seq, value);
      }
      case PolicyDecision.Hold hold -> throw held(registration);
    };
  }
}
