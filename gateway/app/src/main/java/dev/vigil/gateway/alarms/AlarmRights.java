package dev.vigil.gateway.alarms;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Access.Allowed;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.mirror.MirrorQueries;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Decides who may see and handle alarms. Alarms of a domain: its readers see them, its operators
 * handle them. Alarms of the gateway itself: its operators do both.
 */
@Component
class AlarmRights {
  private final Access access;
  private final MirrorQueries mirror;

  AlarmRights(Access access, MirrorQueries mirror) {
    this.access = access;
    this.mirror = mirror;
  }

  /** The alarms that one caller may see. */
  record Sight(VisibleDomains domains, boolean gateway) {
    boolean includes(@Nullable String d) {
      return d == null ? gateway : domains.test(d);
    }
  }

  /**
   * @param requested the only domain of interest; null: all
   * @throws dev.vigil.coap.exchange.ErrorResponseException when the caller may see nothing
   */
  Sight sight(Caller caller, @Nullable String requested) {
    return new Sight(
        VisibleDomains.of(access, caller, mirror.domains().keySet(), requested),
        access.decide(caller, Action.OPERATE, Access.EVERY_DOMAIN) instanceof Allowed);
  }

  /**
   * @throws dev.vigil.coap.exchange.ErrorResponseException when the caller may see no alarm
   */
  void requireReader(Caller caller) {
    sight(caller, null);
  }

  /**
   * @param d domain; null: the gateway itself
   * @throws dev.vigil.coap.exchange.ErrorResponseException when the caller is no operator of it
   */
  void requireOperator(Caller caller, @Nullable String d) {
    access.require(caller, Action.OPERATE, d == null ? Access.EVERY_DOMAIN : d);
  }
}
