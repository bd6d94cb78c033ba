package dev.vigil.gateway.tags;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Access.Allowed;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The domains in which one caller may perform an action. Each domain is decided once. Used by one
 * thread at a time.
 */
final class DomainDecisions implements Predicate<String> {
  private final Access access;
  private final Caller caller;
  private final Action action;
  private final Map<String, Boolean> decided = new HashMap<>();

  private DomainDecisions(Access access, Caller caller, Action action) {
    this.access = access;
    this.caller = caller;
    this.action = action;
  }

  /**
   * @param domains all domains
   * @throws ErrorResponseException 4.01 or 4.03 when the caller may perform the action in none
   */
  static DomainDecisions of(
      Access access, Caller caller, Action action, Collection<String> domains) {
    DomainDecisions decisions = new DomainDecisions(access, caller, action);
    if (domains.stream().noneMatch(decisions)) {
      access.require(caller, action, "");
    }
    return decisions;
  }

  @Override
  public boolean test(String domain) {
    return decided.computeIfAbsent(
        domain, d -> access.decide(caller, action, d) instanceof Allowed);
  }
}
