package dev.vigil.gateway.access;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The shared keys, raw keys and certificates that accounts name as theirs. */
@FunctionalInterface
public interface NamedIdentities {
  /**
   * @param labels of a caller, as {@link dev.vigil.coap.exchange.Caller#labels} writes them
   * @return the roles of the account that names one of them, none for a disabled account; null when
   *     no account names any
   */
  @Nullable Grants grants(List<String> labels);
}
