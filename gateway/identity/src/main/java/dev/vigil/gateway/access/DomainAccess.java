package dev.vigil.gateway.access;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.gateway.api.DomainNames;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Decides by the roles of the caller's account, or without an account by the policy of the domain.
 * Registration is open unless the domain's settings restrict it, because sleepy endpoints sign
 * their messages. A command also needs a commander's signature; this class only decides who may
 * submit it.
 */
@Component
public final class DomainAccess implements Access {
  /** Rules by domain; administrators may change them at any time. */
  private final Map<String, Rules> domains = new ConcurrentHashMap<>();

  /** The rules for sectors of the directory (RFC 9176) that are not configured domains. */
  private final Rules fallback;

  private final NamedIdentities identities;

  private record Rules(Principals register, Principals read, Principals command) {
    boolean name(String label) {
      return Stream.of(register, read, command)
          .anyMatch(
              principals ->
                  principals instanceof Principals.Named(Set<String> labels)
                      && labels.contains(label));
    }
  }

  /**
   * @throws dev.vigil.gateway.settings.InvalidSettingException when a policy is malformed
   */
  public DomainAccess(AccessSettings settings, NamedIdentities identities) {
    this.identities = identities;
    Principals readers =
        settings.anonymousRead() ? new Principals.Anyone() : new Principals.Identified();
    fallback = new Rules(new Principals.Anyone(), readers, readers);
    settings.domains().forEach(this::replace);
  }

  /**
   * Changes the policy of a domain.
   *
   * @throws dev.vigil.gateway.settings.InvalidSettingException when the policy is malformed
   */
  public void replace(String name, PolicySettings settings) {
    domains.put(name, rules(name, settings));
  }

  /** Removes a domain. Afterwards the name has the policy of unconfigured sectors. */
  public void remove(String name) {
    domains.remove(name);
  }

  /**
   * @throws dev.vigil.gateway.settings.InvalidSettingException when the policy is malformed
   */
  public void requireValid(String name, PolicySettings settings) {
    rules(name, settings);
  }

  private Rules rules(String name, PolicySettings domain) {
    String property = DomainNames.property(name);
    Principals read = principals(property + ".read", domain.read(), fallback.read);
    return new Rules(
        principals(property + ".register", domain.register(), fallback.register),
        read,
        principals(property + ".command", domain.command(), read));
  }

  private static Principals principals(
      String property, @Nullable List<String> setting, Principals defaults) {
    return setting == null ? defaults : Principals.of(property, setting);
  }

  @Override
  public Decision decide(Caller caller, Action action, String domain) {
    if (caller.identity() instanceof Caller.Link) {
      // It does not even have the rights that everyone has.
      return new Refused(Code.FORBIDDEN, "a link permits only to see what it was made for");
    }
    Grants grants = grants(caller);
    if (grants != null && grants.permit(action, domain)) {
      return Principals.ALLOWED;
    }
    boolean hasRoles = grants != null;
    Rules rules = domains.getOrDefault(domain, fallback);
    return switch (action) {
      case REGISTER -> rules.register.decide(caller, hasRoles, "registering");
      case LOOK_UP, READ -> rules.read.decide(caller, hasRoles, "reading");
      case COMMAND -> rules.command.decide(caller, hasRoles, "commanding");
      case OPERATE -> refused(caller, "only an operator may do this");
      case ADMINISTER -> refused(caller, "only an administrator may do this");
    };
  }

  /** The roles of the caller's account; null without an account. */
  public @Nullable Grants grants(Caller caller) {
    return switch (caller.identity()) {
      case Caller.Anonymous(), Caller.Link _, Caller.Broker _ -> null;
      case Caller.Account(String _, var roles) -> Grants.of(roles);
      case Caller.PreSharedKey _, Caller.RawKey _, Caller.Certificate _ ->
          identities.grants(caller.labels());
    };
  }

  private static Decision refused(Caller caller, String reason) {
    return new Refused(
        caller.identity() instanceof Caller.Anonymous ? Code.UNAUTHORIZED : Code.FORBIDDEN, reason);
  }

  /** The domains whose policies name a label, for instance {@code account:ann}. */
  public Set<String> domainsNaming(String label) {
    return domains.entrySet().stream()
        .filter(domain -> domain.getValue().name(label))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** The policy of a domain in the notation of the settings. */
  public DomainPolicy policy(String domain) {
    Rules rules = domains.getOrDefault(domain, fallback);
    return new DomainPolicy(
        rules.register.setting(), rules.read.setting(), rules.command.setting());
  }
}
