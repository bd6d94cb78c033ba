package dev.vigil.mirror;

import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RefusalCounters;
import dev.vigil.mirror.state.Accepted;
import dev.vigil.mirror.state.MirrorContext;

/** The mirror's counters since its start. Any thread may read them at any time. */
public final class MirrorCounts {
  private final MirrorContext context;
  private final RefusalCounters refusals;

  MirrorCounts(MirrorContext context, RefusalCounters refusals) {
    this.context = context;
    this.refusals = refusals;
  }

  public long accepted(Accepted kind) {
    return context.accepted().of(kind);
  }

  public long refused(Reason reason) {
    return refusals.total(reason);
  }

  /** The number of verified signatures, including invalid ones. */
  public long verifications() {
    return context.signatures().count();
  }

  /** The number of signatures that were verified together with others. */
  public long verificationsTogether() {
    return context.signatures().countTogether();
  }

  /** 1 after the batch verifier and the provider judged a signature differently, otherwise 0. */
  public int verificationDisagreements() {
    return context.signatures().disagreed() ? 1 : 0;
  }

  /** The time that all verifications took together. */
  public long verificationNanos() {
    return context.signatures().nanos();
  }

  /** The number of places taken by keys that wait for an operator's decision. */
  public int waitingPlaces() {
    return context.waiting().size();
  }
}
