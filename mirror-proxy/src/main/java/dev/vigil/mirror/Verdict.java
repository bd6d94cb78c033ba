package dev.vigil.mirror;

import org.jspecify.annotations.Nullable;

/** What a domain's policy says to a claim. */
sealed interface Verdict {
  /**
   * The name is this key's.
   *
   * @param ring trusted or pending
   * @param audit one line when trust changed, else null
   */
  record Take(KeyRing ring, @Nullable String audit) implements Verdict {}

  /** The name is another key's: this one waits for an operator, the old one stays valid. */
  record Hold(HeldKey held) implements Verdict {}
}
