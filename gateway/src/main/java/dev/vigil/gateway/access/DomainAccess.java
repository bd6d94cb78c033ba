package dev.vigil.gateway.access;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.gateway.config.DomainProperties;
import dev.vigil.gateway.config.VigilProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the policy of the domain. Registering is open unless a domain says otherwise, because
 * what sleepy endpoints send is signed; who may command is decided by the signature of the command
 * too, here only who may hand it in. Operators may do everything.
 */
public final class DomainAccess implements Access {
  private final Map<String, Rules> domains;

  /** For domains that only the directory knows: it makes none, but takes any sector. */
  private final Rules otherwise;

  private record Rules(Who register, Who read, Who command) {}

  /**
   * @throws dev.vigil.gateway.config.WrongSetting when a policy is none
   */
  public DomainAccess(VigilProperties properties) {
    Who readers = properties.anonymousRead() ? new Who.Anyone() : new Who.Identified();
    otherwise = new Rules(new Who.Anyone(), readers, readers);
    Map<String, Rules> rules = new HashMap<>();
    rules.put("", rules("default-domain", properties.defaultDomain()));
    properties.domains().forEach((name, told) -> rules.put(name, rules("domains." + name, told)));
    domains = Map.copyOf(rules);
  }

  private Rules rules(String property, DomainProperties told) {
    Who read = who(property + ".read", told.read(), otherwise.read);
    return new Rules(
        who(property + ".register", told.register(), otherwise.register),
        read,
        who(property + ".command", told.command(), read));
  }

  private static Who who(String property, @Nullable List<String> told, Who usual) {
    return told == null ? usual : Who.of(property, told);
  }

  @Override
  public Decision decide(Caller caller, Action action, String domain) {
    if (isOperator(caller)) {
      return Who.ALLOWED;
    }
    Rules rules = domains.getOrDefault(domain, otherwise);
    return switch (action) {
      case REGISTER -> rules.register.decide(caller, "registering");
      case LOOK_UP, READ -> rules.read.decide(caller, "reading");
      case COMMAND -> rules.command.decide(caller, "commanding");
      case ADMINISTER -> refused(caller);
    };
  }

  private static boolean isOperator(Caller caller) {
    return caller.identity() instanceof Caller.Account(String _, var roles)
        && roles.contains(OperatorToken.ROLE);
  }

  private static Decision refused(Caller caller) {
    return new Refused(
        caller.identity() instanceof Caller.Anonymous ? Code.UNAUTHORIZED : Code.FORBIDDEN,
        "this needs an operator's credentials");
  }

  /** What holds in a domain, for people to read. */
  public DomainPolicy policy(String domain) {
    Rules rules = domains.getOrDefault(domain, otherwise);
    return new DomainPolicy(rules.register.told(), rules.read.told(), rules.command.told());
  }
}
