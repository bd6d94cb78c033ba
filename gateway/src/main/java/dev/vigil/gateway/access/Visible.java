package dev.vigil.gateway.access;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Access.Action;
import dev.vigil.directory.exchange.Access.Allowed;
import dev.vigil.directory.exchange.Caller;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The domains that one caller may look up in; asked once for each. For one thread. */
public final class Visible implements Predicate<String> {
  private final Access access;
  private final Caller caller;
  private final Map<String, Boolean> known = new HashMap<>();

  private Visible(Access access, Caller caller) {
    this.access = access;
    this.caller = caller;
  }

  /**
   * @param domains there are
   * @param named the only one that is asked for; null: all that the caller may see
   * @throws dev.vigil.directory.exchange.ExchangeException when that one, or all, are refused
   */
  public static Visible of(
      Access access, Caller caller, Collection<String> domains, @Nullable String named) {
    Visible visible = new Visible(access, caller);
    if (named != null) {
      access.require(caller, Action.LOOK_UP, named);
    } else if (domains.stream().noneMatch(visible)) {
      access.require(caller, Action.LOOK_UP, "");
    }
    return visible;
  }

  @Override
  public boolean test(String domain) {
    return known.computeIfAbsent(
        domain, d -> access.decide(caller, Action.LOOK_UP, d) instanceof Allowed);
  }
}
