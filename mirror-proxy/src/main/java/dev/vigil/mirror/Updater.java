package dev.vigil.mirror;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.Change;
import dev.vigil.directory.state.Fact;
import dev.vigil.mirror.confidential.AirCipher;
import dev.vigil.mirror.confidential.AirKeys;
import dev.vigil.mirror.jose.CompactUpdate;
import dev.vigil.mirror.jose.CoseSign1;
import dev.vigil.mirror.jose.Header;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.jose.Signatures;
import dev.vigil.mirror.jose.Signed;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Takes updates ({@code PUT /ms/{id}/{path}}), in each of their forms. The number is judged before
 * the signature is checked and moved after, by the store alone; the answer follows the commit.
 */
final class Updater {
  private final Memory memory;
  private final Past past;
  private final Landing landing;
  private final Ledger ledger;
  private final Registrar registrar;
  private final Unproven unproven;
  private final Sources sources;
  private final Meters<String> accepted;
  private final Signatures signatures;
  private final Clock clock;

  Updater(
      Memory memory,
      Past past,
      Landing landing,
      Ledger ledger,
      Registrar registrar,
      Unproven unproven,
      Sources sources,
      Signatures signatures,
      Clock clock) {
    this.memory = memory;
    this.past = past;
    this.landing = landing;
    this.ledger = ledger;
    this.registrar = registrar;
    this.unproven = unproven;
    this.sources = sources;
    this.accepted = new Meters<>(clock);
    this.signatures = signatures;
    this.clock = clock;
  }

  /**
   * @param jws the payload, where that is a JWS and already parsed
   */
  CompletableFuture<Response> update(
      Request request, @Nullable Jws jws, Target target, String path) {
    requireTrust(target);
    if (!Links.has(target.lease().links(), path)) {
      throw new Rejection(Reason.NO_ENTRY, "the registration names no such resource");
    }
    Envelope envelope = open(request, jws, target, path);
    if (repeats(envelope.signed(), target, path)) {
      return CompletableFuture.completedFuture(Response.of(Code.CHANGED));
    }
    Header header = envelope.signed().header();
    requireProfile(header, target, path);
    requireConfidential(envelope, target);
    SequenceRule.judge(header.seq(), target.high(), target.domain().window());
    requireShare(target);
    sources.requireUpdateShare(request.caller(), target.domain());
    sources.requireGoodStanding(request.caller(), target.domain());
    if (!signatures.verify(target.ring().key(), envelope.signed())) {
      sources.failed(request.caller(), target.domain());
      throw new Rejection(Reason.BAD_SIGNATURE, "the signature does not hold");
    }
    return land(request.caller(), envelope.signed(), target, path);
  }

  /**
   * @param signed what is checked and stored: the JWS inside, or rebuilt
   */
  private record Envelope(Signed signed, boolean encrypted) {}

  private Envelope open(Request request, @Nullable Jws jws, Target target, String path) {
    byte[] payload = request.payload();
    return switch (request.format()) {
      case JOSE ->
          jws == null
              ? new Envelope(Jws.parse(AirCipher.openJwe(payload, air(target))), true)
              : new Envelope(jws, false);
      case SIGNED_UPDATE -> compact(CompactUpdate.parse(payload), target, path);
      case COSE_SIGN1 -> new Envelope(CoseSign1.parse(payload), false);
      case null, default ->
          throw new Rejection(
              Reason.UNKNOWN_FORMAT, "an update is of format 65100 (JWS), 65102 or 18 (COSE)");
    };
  }

  /** Which number the 16 bits stand for: H when these are the last octets again, else above H. */
  private Envelope compact(CompactUpdate update, Target target, String path) {
    if (SequenceRule.sameLowBits(update.shortSeq(), target.high())) {
      Jws again = rebuilt(update, target, path, target.high());
      if (again != null && repeats(again, target, path)) {
        return new Envelope(again, update.encrypted());
      }
    }
    long seq = SequenceRule.expand(update.shortSeq(), target.high());
    SequenceRule.judge(seq, target.high(), target.domain().window());
    Jws jws = rebuilt(update, target, path, seq);
    if (jws == null) {
      throw new Rejection(Reason.BAD_SIGNATURE, "the update does not decrypt");
    }
    return new Envelope(jws, update.encrypted());
  }

  private @Nullable Jws rebuilt(CompactUpdate update, Target target, String path, long seq) {
    CompactUpdate plain = update;
    if (update.encrypted()) {
      byte[] opened = AirCipher.openCompact(update, seq, air(target));
      if (opened == null) {
        return null;
      }
      plain = update.decrypted(opened);
    }
    long ack = plain.shortAck() == Header.ABSENT ? Header.ABSENT : fullAck(plain, target);
    return plain.toJws(target.ring().jkt(), path, seq, ack);
  }

  private static long fullAck(CompactUpdate update, Target target) {
    Mirrored known = target.known();
    CommandQueue queue = known == null ? null : known.commands();
    long ack = queue == null ? Header.ABSENT : queue.expandAck(update.shortAck());
    if (ack == Header.ABSENT) {
      throw Rejection.malformed("ack names no command of this endpoint");
    }
    return ack;
  }

  private AirKeys air(Target target) {
    Mirrored known = target.known();
    byte[] air = known == null ? null : known.air();
    if (air == null || known == null) {
      throw new Rejection(Reason.UNKNOWN_KEY, "no key was agreed: register with an epk");
    }
    return ledger.open(known.name(), air);
  }

  /** N = H with identical octets: the acknowledgement was lost. */
  private static boolean repeats(Signed signed, Target target, String path) {
    Mirrored known = target.known();
    StoredValue last = known == null ? null : known.value(path);
    return last != null
        && last.seq() == target.high()
        && signed.header().seq() == target.high()
        && Arrays.equals(last.signed(), signed.octets());
  }

  private void requireTrust(Target target) {
    if (memory.isRevoked(target.ring().jkt())) {
      throw new Rejection(Reason.NOT_TRUSTED, "the key is revoked");
    }
    switch (target.ring().state()) {
      case TRUSTED, UNPROVEN -> {}
      case PENDING ->
          throw new Rejection(Reason.NOT_TRUSTED, "the key waits for an operator's approval");
      case REPLACED, REVOKED -> throw new Rejection(Reason.NOT_TRUSTED, "the key is revoked");
    }
  }

  private void requireProfile(Header header, Target target, String path) {
    if (header.jwk() != null || header.epk() != null) {
      throw new Rejection(
          Reason.FORBIDDEN_MEMBER, "header member jwk or epk is not allowed in an update");
    }
    if (header.typ() != null) {
      throw Rejection.malformed("an update has no typ");
    }
    if (!target.ring().jkt().equals(header.kid())) {
      throw new Rejection(Reason.UNKNOWN_KEY, "kid is not the key of this endpoint");
    }
    if (header.algorithm() != target.ring().key().algorithm()) {
      throw Rejection.malformed("alg does not fit the registered key");
    }
    if (header.seq() < 1) {
      throw Rejection.malformed("an update has seq, from 1");
    }
    String res = header.res();
    if (res == null || !res.equals(path) && !Paths.canonical(Paths.segments(res)).equals(path)) {
      throw new Rejection(Reason.WRONG_RESOURCE, "res is not the path it was put to");
    }
    if (!Measured.isSenml(header.cty())) {
      throw Rejection.malformed("cty is not application/senml+json or application/senml+cbor");
    }
  }

  private static void requireConfidential(Envelope envelope, Target target) {
    if (target.domain().confidential() && !envelope.encrypted()) {
      throw new Rejection(Reason.POLICY, "the domain wants updates encrypted");
    }
  }

  private void requireShare(Target target) {
    int share = target.domain().limits().updatesPerMinute();
    if (!accepted.allows(target.id(), share)) {
      throw new Rejection(
          Reason.TOO_FAST, "at most " + share + " updates a minute", accepted.wait(share));
    }
  }

  private CompletableFuture<Response> land(
      Caller caller, Signed signed, Target target, String path) {
    Instant arrived = clock.instant();
    boolean delayed = Measured.judge(signed, arrived, target.domain());
    byte[] body =
        switch (signed) {
          case Jws jws -> StoredValue.bodyOf(jws, delayed);
          case CoseSign1 cose -> StoredValue.bodyOf(cose, delayed);
        };
    int keep =
        target.known() == null
            ? target.domain().history()
            : past.keep(target.domain(), target.known().name(), path);
    Fact value = new Fact(Slots.VALUE + path, keep, body);
    accepted.charge(target.id(), target.domain().limits().updatesPerMinute());
    sources.chargeUpdate(caller, target.domain());
    long seq = signed.header().seq();
    Unproven.Waiting waiting = target.waiting();
    if (waiting != null) {
      return prove(waiting, seq, value);
    }
    boolean first = target.known() == null || target.known().value(path) == null;
    return landing
        .land(() -> batch(target, signed.header(), value, arrived))
        .handle((change, thrown) -> answer(change, thrown, signed, target, path, first));
  }

  private Batch batch(Target target, Header header, Fact value, Instant arrived) {
    Mirrored known = memory.byId(target.id());
    if (known == null) {
      throw new Rejection(Reason.NO_ENTRY, "no such endpoint");
    }
    List<Fact> facts = new ArrayList<>(List.of(value));
    facts.addAll(ledger.prolongation(known));
    CommandQueue queue = known.commands();
    long now = arrived.getEpochSecond();
    if (queue != null && header.ack() != Header.ABSENT && queue.waitsFor(header.ack(), now)) {
      facts.add(
          new Fact(
              Slots.COMMANDS,
              1,
              queue.ended(header.ack(), CommandView.State.CONFIRMED, now).body()));
      facts.add(ledger.audit("confirmed command " + header.ack(), target.ring().jkt(), "endpoint"));
    }
    // A value alone depends on nothing but its number: two in flight need not wait for each other.
    OptionalLong version =
        facts.size() == 1 ? OptionalLong.empty() : OptionalLong.of(known.version());
    return new Batch(known.name(), arrived, OptionalLong.of(header.seq()), version, facts);
  }

  private Response answer(
      @Nullable Change change,
      @Nullable Throwable thrown,
      Signed signed,
      Target target,
      String path,
      boolean first) {
    if (thrown == null) {
      return Response.of(first ? Code.CREATED : Code.CHANGED);
    }
    Rejection rejection = Failures.rejection(thrown);
    Mirrored known = memory.byId(target.id());
    // The same octets twice in flight: the other copy has landed.
    if (rejection.reason() == Reason.NUMBER_USED
        && known != null
        && repeats(signed, target.at(known), path)) {
      return Response.of(Code.CHANGED);
    }
    throw rejection;
  }

  private CompletableFuture<Response> prove(Unproven.Waiting waiting, long seq, Fact value) {
    return landing
        .land(() -> registrar.proven(waiting, seq, value))
        .thenApply(
            change -> {
              unproven.remove(waiting.id());
              Mirrored known = memory.byId(change.id());
              if (known == null
                  || known.ring() == null
                  || known.ring().state() != TrustState.TRUSTED) {
                throw new Rejection(Reason.NOT_TRUSTED, "the key waits for an operator's approval");
              }
              return Response.of(Code.CREATED);
            });
  }
}
