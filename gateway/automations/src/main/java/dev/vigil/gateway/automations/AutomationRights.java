package dev.vigil.gateway.automations;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Access.Allowed;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.accounts.OwnerGrants;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.automations.rules.Automation;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Decides who may see and change automations, and whether an automation may act. Readers of its
 * domain see it, operators change it. It acts with the present rights of the account that saved it.
 */
@Component
final class AutomationRights {
  private final Automations automations;
  private final Access access;
  private final MirrorQueries mirror;
  private final OwnerGrants owners;

  AutomationRights(
      Automations automations, Access access, MirrorQueries mirror, OwnerGrants owners) {
    this.automations = automations;
    this.access = access;
    this.mirror = mirror;
    this.owners = owners;
  }

  /** The automations that a caller sees, by id. */
  List<Versioned<Automation>> visible(Caller caller) {
    VisibleDomains domains = reader(caller);
    return automations.all().stream().filter(one -> domains.test(one.value().d())).toList();
  }

  private VisibleDomains reader(Caller caller) {
    return VisibleDomains.of(access, caller, Action.READ, mirror.domains().keySet(), null);
  }

  /**
   * An automation that a caller sees.
   *
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.01, 4.03; 4.04 for an unknown or
   *     invisible one
   */
  Versioned<Automation> seen(Caller caller, String id) {
    VisibleDomains domains = reader(caller);
    return automations
        .get(id)
        .filter(one -> domains.test(one.value().d()))
        .orElseThrow(AutomationRights::unknown);
  }

  static ProblemException unknown() {
    return new ProblemException(ProblemType.NOT_FOUND, "no automation has this id");
  }

  /**
   * Requires that a caller may read some domain.
   *
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.01, 4.03
   */
  void requireReader(Caller caller) {
    reader(caller);
  }

  /**
   * An automation that a caller may change.
   *
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.01, 4.03, 4.04
   */
  Versioned<Automation> operated(Caller caller, String id) {
    requireReader(caller);
    Versioned<Automation> automation = automations.get(id).orElseThrow(AutomationRights::unknown);
    requireOperator(caller, automation.value().d());
    return automation;
  }

  /**
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.01, 4.03
   */
  void requireOperator(Caller caller, String d) {
    access.require(caller, Action.OPERATE, d);
  }

  /** The domains that a caller may operate. */
  List<String> operatedDomains(Caller caller) {
    return mirror.domains().keySet().stream()
        .filter(d -> access.decide(caller, Action.OPERATE, d) instanceof Allowed)
        .sorted()
        .toList();
  }

  /** The time at which an account was made; null for the operator's token. */
  @Nullable Instant made(String account) {
    return owners.made(account);
  }

  /** The caller as which an automation acts; empty if its account may not operate the domain. */
  Optional<Caller> actor(String id, Automation automation) {
    Grants grants = owners.of(automation.by(), automation.byMade(), automation.savedAt());
    if (grants == null) {
      return Optional.empty();
    }
    Caller caller =
        new Caller(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            true,
            true,
            new Caller.Account(automation.by() + "/automation:" + id, grants.texts()));
    return access.decide(caller, Action.OPERATE, automation.d()) instanceof Allowed
        ? Optional.of(caller)
        : Optional.empty();
  }
}
