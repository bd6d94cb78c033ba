package dev.vigil.gateway.access;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The shared keys, raw keys and certificates that belong to accounts. */
@FunctionalInterface
public interface NamedIdentities {
  /**
   * @param labels labels of a caller, in the form of {@link dev.vigil.coap.exchange.Caller#labels}
   * @return the roles of the account that names one of the labels; empty for a disabled account;
   *     null when no account names any of them
   */
  @Nullable Grants grants(List<String> labels);
}
