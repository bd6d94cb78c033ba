package dev.vigil.mirror.model;

import dev.vigil.mirror.model.keys.KeyHistory;
import org.jspecify.annotations.Nullable;

/** The decision of a domain's policy about a registration (docs/protocol.md section 6). */
public sealed interface PolicyDecision {
  /**
   * The registration takes effect; the name belongs to its key.
   *
   * @param keys with the state TRUSTED or PENDING
   * @param audit one line if the trust of the name changed, else null
   */
  record Accept(KeyHistory keys, @Nullable String audit) implements PolicyDecision {}

  /** The name belongs to another key, which stays valid; this key awaits an operator's decision. */
  record Hold(HeldKey held) implements PolicyDecision {}
}
