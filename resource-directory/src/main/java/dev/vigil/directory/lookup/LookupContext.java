package dev.vigil.directory.lookup;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.limits.WorkLimiter;
import dev.vigil.directory.catalogue.Catalogue;
import java.time.Clock;

/** State shared by all lookup resources of one directory. */
public record LookupContext(
    Catalogue catalogue,
    Access access,
    LookupLimits limits,
    LookupConcurrencyLimit concurrency,
    ObservedLookups observed,
    Clock clock) {

  public static LookupContext of(
      Catalogue catalogue,
      Access access,
      LookupLimits limits,
      ObservedLookups observed,
      Clock clock) {
    return new LookupContext(
        catalogue,
        access,
        limits,
        new LookupConcurrencyLimit(limits.largeLookups(), new WorkLimiter(clock)),
        observed,
        clock);
  }
}
