package dev.vigil.mirror;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.Store;
import dev.vigil.mirror.confidential.AirKeys;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.jose.Signatures;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Takes registrations ({@code POST /ms}), renewals, withdrawals and rotations. */
final class Registrar {
  private final Store store;
  private final Memory memory;
  private final Unproven unproven;
  private final ClaimReader claims;
  private final Policy policy;
  private final Landing landing;
  private final Ledger ledger;
  private final Answers answers;
  private final Sources sources;
  private final Signatures signatures;
  private final Clock clock;

  Registrar(
      Store store,
      Memory memory,
      Unproven unproven,
      ClaimReader claims,
      Policy policy,
      Ledger ledger,
      Answers answers,
      Sources sources,
      Signatures signatures,
      Clock clock) {
    this.store = store;
    this.memory = memory;
    this.unproven = unproven;
    this.claims = claims;
    this.policy = policy;
    this.landing = new Landing(store);
    this.ledger = ledger;
    this.answers = answers;
    this.sources = sources;
    this.signatures = signatures;
    this.clock = clock;
  }

  /** Where a name stands before a registration. */
  record Standing(@Nullable Mirrored known, long high, long version, boolean inDirectory) {
    /** H as a registration is judged by it: a held one counts too, though it moved nothing. */
    long registrationHigh() {
      Lease lease = known == null ? null : known.lease();
      return Math.max(high, lease == null ? 0 : lease.seq());
    }
  }

  Standing standing(EndpointName name) {
    Mirrored known = memory.byName(name);
    if (known != null) {
      return new Standing(known, known.high(), known.version(), false);
    }
    Store.Endpoint stored = store.endpoint(name).orElse(null);
    if (stored == null) {
      return new Standing(null, 0, 0, false);
    }
    List<Store.Kept> kept = store.history(name, Registration.SLOT, -1, 1);
    boolean direct =
        !kept.isEmpty()
            && kept.getLast().body().length > 0
            && Registration.fromFact(kept.getLast().body()).origin() instanceof Registration.Direct;
    return new Standing(null, stored.high(), stored.version(), direct);
  }

  CompletableFuture<Response> register(Request request) {
    Claim claim = claims.read(request, now());
    return claim.isSigned() ? signed(request, claim) : plain(request, claim);
  }

  private CompletableFuture<Response> signed(Request request, Claim claim) {
    Standing standing = standing(claim.name());
    Mirrored known = standing.known();
    Lease last = known == null ? null : known.lease();
    if (known != null
        && last != null
        && last.seq() == claim.seq()
        && Arrays.equals(last.digest(), claim.lease().digest())) {
      return CompletableFuture.completedFuture(again(request, claim, known));
    }
    try {
      SequenceRule.judge(claim.seq(), standing.registrationHigh(), SequenceRule.REGISTRATION_JUMP);
    } catch (Rejection e) {
      return conflict(request, claim, standing.registrationHigh(), e);
    }
    requireOwnSignature(request.caller(), claim);
    requireEpkWherePrivate(claim);
    return take(request, claim, standing);
  }

  /** Proof of possession: the key that the registration brings signed it. */
  private void requireOwnSignature(Caller caller, Claim claim) {
    sources.requireGoodStanding(caller, claim.domain());
    Jws jws = claim.jws();
    if (jws == null || !signatures.verify(claim.key(), jws)) {
      sources.failed(caller, claim.domain());
      throw new Rejection(Reason.BAD_SIGNATURE, "the signature is not by the jwk it names");
    }
  }

  private static void requireEpkWherePrivate(Claim claim) {
    if (claim.domain().confidential() && claim.epk() == null && !claim.withdraws()) {
      throw new Rejection(Reason.POLICY, "the domain wants encrypted updates: send an epk");
    }
  }

  private CompletableFuture<Response> take(Request request, Claim claim, Standing standing) {
    sources.chargeRegistration(claim);
    requireRoom(request.caller(), claim, standing);
    return landing
        .land(() -> decide(claim))
        .handle(
            (change, thrown) -> {
              if (thrown == null) {
                Mirrored now = memory.byName(claim.name());
                if (now == null || now.ring() == null || !now.ring().jkt().equals(claim.jkt())) {
                  throw held(claim);
                }
                return answers.created(request, now.id(), facts(claim, now));
              }
              Rejection rejection = Failures.rejection(thrown);
              if (rejection.reason() == Reason.NUMBER_USED) {
                return conflictAnswer(request, claim, standing(claim.name()).high());
              }
              throw rejection;
            });
  }

  private Batch decide(Claim claim) {
    Standing standing = standing(claim.name());
    return switch (policy.judge(claim, standing.known(), standing.inDirectory())) {
      case Verdict.Take take -> ledger.registered(claim, standing, take);
      case Verdict.Hold(HeldKey held) -> {
        HeldKey before = standing.known() == null ? null : standing.known().held();
        if (before != null) {
          throw held(claim);
        }
        yield ledger.held(claim, standing, held);
      }
    };
  }

  private static Rejection held(Claim claim) {
    return new Rejection(
        Reason.NOT_TRUSTED,
        "another key has the name " + JsonSafe.line(claim.name().ep()) + "; an operator decides");
  }

  /** The very octets of the last registration get the same answer. */
  private Response again(Request request, Claim claim, Mirrored known) {
    return answers.created(request, known.id(), facts(claim, known));
  }

  private Answers.Facts facts(Claim claim, Mirrored known) {
    byte[] air = claim.epk() == null ? null : known.air();
    AirKeys keys = air == null ? null : ledger.open(known.name(), air);
    return new Answers.Facts(
        now(),
        known.high(),
        claim.domain().window(),
        keys == null ? null : keys.mirrorKey(),
        keys == null ? 0 : keys.number());
  }

  private CompletableFuture<Response> conflict(
      Request request, Claim claim, long high, Rejection rejection) {
    if (request.accept().isEmpty()) {
      throw rejection;
    }
    // Only whoever has the key of the jwk is told by a signed answer: signing is work.
    requireOwnSignature(request.caller(), claim);
    return CompletableFuture.completedFuture(conflictAnswer(request, claim, high));
  }

  private Response conflictAnswer(Request request, Claim claim, long high) {
    return answers.conflict(
        request, new Answers.Facts(now(), high, claim.domain().window(), null, 0));
  }

  private CompletableFuture<Response> plain(Request request, Claim claim) {
    Standing standing = standing(claim.name());
    boolean byKey =
        request.caller().identity() instanceof Caller.RawKey(String thumbprint)
            && thumbprint.equals(claim.jkt());
    requireEpkWherePrivate(claim);
    if (byKey) {
      return take(request, claim, standing);
    }
    Mirrored known = standing.known();
    if (known != null && known.ring() != null) {
      throw new Rejection(
          Reason.UNKNOWN_KEY, "the name has a proven key: sign the registration with it");
    }
    requireWelcome(claim);
    Unproven.Waiting waiting = unproven.add(claim, request.caller(), standing.high(), now());
    Answers.Facts facts =
        new Answers.Facts(now(), standing.high(), claim.domain().window(), null, 0);
    return CompletableFuture.completedFuture(answers.created(request, waiting.id(), facts));
  }

  /** A key that could not be trusted after its proof need not wait for one. */
  private void requireWelcome(Claim claim) {
    policy.judge(claim, null, false);
  }

  private void requireRoom(Caller caller, Claim claim, Standing standing) {
    if (standing.known() == null) {
      sources.chargeNewName(caller, claim.domain());
      ledger.makeRoom(claim.domain());
    }
  }

  /**
   * The first valid update of a plain registration: registration, key and value land together.
   *
   * @param value null when it was not even looked at: the key is held
   */
  Batch proven(Unproven.Waiting waiting, long seq, @Nullable Fact value) {
    Claim claim = waiting.claim();
    Standing standing = standing(claim.name());
    if (standing.known() != null && standing.known().ring() != null) {
      throw held(claim);
    }
    Verdict verdict = policy.judge(claim, standing.known(), standing.inDirectory());
    if (!(verdict instanceof Verdict.Take take)) {
      throw held(claim);
    }
    return ledger.proven(claim, standing, take, waiting.id(), seq, value);
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
