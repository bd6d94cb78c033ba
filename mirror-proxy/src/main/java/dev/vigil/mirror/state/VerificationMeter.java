package dev.vigil.mirror.state;

import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.SignatureVerifier;
import dev.vigil.signed.jose.SignedObject;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Verifies signatures and measures their number and time. Safe for any number of threads. */
public final class VerificationMeter {
  private final SignatureVerifier signatures;
  private final LongSupplier nanoTime;
  private final LongAdder count = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  /**
   * @param nanoTime monotonic nanoseconds
   */
  public VerificationMeter(SignatureVerifier signatures, LongSupplier nanoTime) {
    this.signatures = signatures;
    this.nanoTime = nanoTime;
  }

  /** Whether the key made the signature; also false for an ill-formed signature. */
  public boolean verify(Jwk key, SignedObject signed) {
    long from = nanoTime.getAsLong();
    boolean valid = signatures.verify(key, signed);
    nanos.add(nanoTime.getAsLong() - from);
    count.increment();
    return valid;
  }

  /** The number of verified signatures, including invalid ones. */
  public long count() {
    return count.sum();
  }

  /** The time that all verifications took together. */
  public long nanos() {
    return nanos.sum();
  }
}
