package dev.vigil.gateway.store;

import java.util.function.Predicate;
import java.util.function.Supplier;

/** Secrets that every gateway of a cluster uses. A gateway without a cluster has its own. */
public interface SharedSecrets {
  /**
   * A key that every gateway with the same identity key derives for a purpose.
   *
   * @return 32 octets
   */
  byte[] derive(String purpose);

  /**
   * The cluster's secret of a given name. If there is none that can be used, this gateway's becomes
   * the cluster's.
   *
   * @param usable whether a secret can be used, for instance has not expired
   * @param own makes or reads this gateway's own secret
   */
  String agree(String name, Predicate<String> usable, Supplier<String> own);
}
