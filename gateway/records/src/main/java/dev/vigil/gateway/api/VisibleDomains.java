package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Access.Allowed;
import dev.vigil.coap.exchange.Caller;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The domains in which one caller may perform an action. Each domain is decided once. Used by one
 * thread.
 */
public final class VisibleDomains implements Predicate<String> {
  private final Access access;
  private final Caller caller;
  private final Action action;
  private final Map<String, Boolean> decided = new HashMap<>();

  private VisibleDomains(Access access, Caller caller, Action action) {
    this.access = access;
    this.caller = caller;
    this.action = action;
  }

  /**
   * The domains that the caller may look up.
   *
   * @param domains all domains
   * @param requested the only domain of interest; null: all that the caller may look up
   * @throws dev.vigil.coap.exchange.ErrorResponseException when the requested domain, or every
   *     domain, is refused
   */
  public static VisibleDomains of(
      Access access, Caller caller, Collection<String> domains, @Nullable String requested) {
    return of(access, caller, Action.LOOK_UP, domains, requested);
  }

  /**
   * @param domains all domains
   * @param requested the only domain of interest; null: all in which the caller may perform the
   *     action
   * @throws dev.vigil.coap.exchange.ErrorResponseException when the requested domain, or every
   *     domain, is refused
   */
  public static VisibleDomains of(
      Access access,
      Caller caller,
      Action action,
      Collection<String> domains,
      @Nullable String requested) {
    VisibleDomains visible = new VisibleDomains(access, caller, action);
    if (requested != null) {
      access.require(caller, action, requested);
    } else if (domains.stream().noneMatch(visible)) {
      access.require(caller, action, "");
    }
    return visible;
  }

  @Override
  public boolean test(String domain) {
    return decided.computeIfAbsent(
        domain, d -> access.decide(caller, action, d) instanceof Allowed);
  }
}
